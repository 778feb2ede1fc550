public import Foundation
internal import Records

/// A file that belongs to a record. Only its bytes are stored, not its name.
///
/// The file is read when the record is saved; if it does not exist, the save fails with `.assetFileNotFound`.
/// The file of a fetched asset is in a temporary folder, which may be emptied: copy or move it to keep it.
///
/// An asset that the server already stores can be copied to another record of the same database without its
/// bytes: see `init(importing:)`.
///
/// Apple's page: <https://developer.apple.com/documentation/cloudkit/ckasset>.
// Sendable because both properties are immutable.
open class CKAsset: NSObject, NSSecureCoding, @unchecked Sendable {
    /// Identifies an asset that the server stores. It can be kept, and sent to another device of the person.
    public struct ExportedAssetID: Codable, Hashable, Sendable {
        let fileChecksum: String
        let size: Int64
    }

    private let file: URL?

    /// The server's description of the file; nil before the first save.
    let stored: Asset?

    /// Creates an asset from a file on this device.
    public init(fileURL: URL) {
        file = fileURL
        stored = nil
    }

    /// Creates a copy of an asset that the server stores. `fileURL` is nil; the server copies the bytes when
    /// the record is saved.
    ///
    /// The save fails with `.assetNotAvailable` unless the database holds a record with the asset that the
    /// same person created.
    public convenience init(importing exportedAssetID: CKAsset.ExportedAssetID) {
        self.init(
            fileURL: nil,
            stored: Asset(fileChecksum: exportedAssetID.fileChecksum, size: exportedAssetID.size))
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

    /// The file on this device; nil for an asset that was not downloaded, as in the server record of a
    /// conflict, or that was created with `init(importing:)`.
    open var fileURL: URL? { file }

    /// The ID for `init(importing:)`; nil for an asset that the server does not store.
    public var exportedAssetID: CKAsset.ExportedAssetID? {
        stored.map { ExportedAssetID(fileChecksum: $0.fileChecksum, size: $0.size) }
    }

    /// The file's path, for logs.
    open override var description: String {
        "<CKAsset: \(file?.path ?? "not downloaded")>"
    }

    /// Always true.
    public static var supportsSecureCoding: Bool { true }

    /// Writes the path of the file and the server's description of it, not its bytes, under a key of this
    /// class.
    open func encode(with coder: NSCoder) {
        Archive.write(ArchivedValue.File(self), as: Self.archiveKey, to: coder)
    }

    private static let archiveKey = "cloudlet.CKAsset"
}
