public import Foundation
internal import Records

/// A file that belongs to a record. Only its bytes are stored, not its name.
///
/// The file is read when the record is saved; if it does not exist, the save fails with `.assetFileNotFound`.
/// The file of a fetched asset is in a temporary folder, which may be emptied: copy or move it to keep it.
///
/// Apple's page: <https://developer.apple.com/documentation/cloudkit/ckasset>.
// Sendable because both properties are immutable.
open class CKAsset: NSObject, NSSecureCoding, @unchecked Sendable {
    private let file: URL?

    /// The server's description of the file; nil before the first save.
    let stored: Asset?

    /// Creates an asset from a file on this device.
    public init(fileURL: URL) {
        file = fileURL
        stored = nil
    }

    /// Creates an asset that the server stores, with its local copy if it has been downloaded.
    init(fileURL: URL?, stored: Asset?) {
        file = fileURL
        self.stored = stored
    }

    /// Decodes an archive that `encode(with:)` wrote; returns nil for any other data.
    public required init?(coder: NSCoder) {
        guard let plain = Archive.read(ArchivedValue.File.self, as: Self.archiveKey, from: coder) else {
            return nil
        }
        file = plain.file
        stored = plain.stored
    }

    /// The file on this device; nil for assets in the server record of a conflict, which are not downloaded.
    open var fileURL: URL? { file }

    /// The file's path, for logs.
    open override var description: String {
        "<CKAsset: \(file?.path ?? "not downloaded")>"
    }

    /// Always true.
    public static var supportsSecureCoding: Bool { true }

    /// Writes the file's place, not its bytes, under a key of this class.
    open func encode(with coder: NSCoder) {
        Archive.write(ArchivedValue.File(self), as: Self.archiveKey, to: coder)
    }

    private static let archiveKey = "cloudlet.CKAsset"
}
