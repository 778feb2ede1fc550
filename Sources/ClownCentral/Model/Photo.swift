import Foundation

/// A picture taken at a party.
///
/// The bytes are not part of the value: they are fetched as files when somebody asks for them, the small
/// picture for a list, the full one to save it.
struct Photo: Identifiable, Hashable, Sendable {
    /// The record name that the photo is stored under.
    let id: String
    /// The name of the file that the photo was added from.
    var name: String
    /// The party that the photo belongs to; the photo goes when the party goes.
    var partyID: Party.ID
    /// Width and height in pixels, as a viewer shows the picture upright.
    var size: PixelSize
    /// The length of the full picture in bytes.
    var byteCount: Int

    init(id: String, name: String, partyID: Party.ID, size: PixelSize, byteCount: Int) {
        self.id = id
        self.name = name
        self.partyID = partyID
        self.size = size
        self.byteCount = byteCount
    }

    /// A name for the photo's file in a folder: the last part of `name`, which another person may have
    /// chosen; "photo" if that is empty, hidden or not printable.
    var fileName: String {
        let last = name.split(separator: "/", omittingEmptySubsequences: false).last.map(String.init) ?? ""
        let isPrintable = last.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7f }
        return last.isEmpty || last.hasPrefix(".") || !isPrintable ? "photo" : last
    }
}
