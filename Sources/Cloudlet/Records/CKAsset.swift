public import Foundation
internal import Records

/// A file beside a record: only its bytes are stored, not its name.
///
/// The file is looked at when the record is saved: a missing one fails with `.assetFileNotFound`. The file
/// of a fetched asset lies in a staging folder that may be emptied: copy or move it to keep it.
// Sendable because both properties are constant.
open class CKAsset: NSObject, @unchecked Sendable {
    private let file: URL?

    /// What the server said of the bytes; nil before the first save.
    let stored: Asset?

    /// An asset with the bytes of that file.
    public init(fileURL: URL) {
        file = fileURL
        stored = nil
    }

    /// An asset that the server keeps, and its local copy if it has been downloaded.
    init(fileURL: URL?, stored: Asset?) {
        file = fileURL
        self.stored = stored
    }

    /// Where the bytes lie on this device; nil in the server's copy that a conflict carries.
    open var fileURL: URL? { file }

    /// The file's place, for people.
    open override var description: String {
        "<CKAsset: \(file?.path ?? "not downloaded")>"
    }
}
