import Foundation

/// A picture taken at a party.
///
/// The value does not contain the picture. Lists fetch the thumbnail file; `photo save` fetches the full
/// file.
struct Photo: Identifiable, Hashable, Sendable {
    /// The record name that the photo is stored under.
    let id: String
    /// The name of the file that the photo was added from.
    var name: String
    /// The party that the photo belongs to. Deleting the party deletes the photo.
    var partyID: Party.ID
    /// Width and height in pixels, as a viewer shows the picture upright.
    var size: PixelSize
    /// The length of the full picture in bytes.
    var byteCount: Int

    /// A safe file name for the photo: the last path component of `name`, which another person may have
    /// chosen, or "photo" if that component is empty, hidden or not printable.
    var fileName: String {
        let last = name.split(separator: "/", omittingEmptySubsequences: false).last.map(String.init) ?? ""
        let isPrintable = last.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7f }
        return last.isEmpty || last.hasPrefix(".") || !isPrintable ? "photo" : last
    }
}
