import Synchronization
import _NIOFileSystem

/// Content-addressed files in a folder. Equal content is stored once, as long as a record owns it.
///
/// The life of a file: `receive` streams it into `incoming/`. Before the record is saved, `adopt` links it to
/// the path of its content. After the save, `commit` removes the upload; if the save failed, `abandon` ends
/// the adoption. When a record releases a file, `collect` deletes the content unless another record owns it.
///
/// One store serves one database. Private databases share no files, not even equal ones, so deleting a
/// private database's folder deletes exactly its person's files.
///
/// ```
/// incoming/<upload>              being received
/// incoming/<upload>.<checksum>   received, not yet confirmed by a saved record
/// content/ab/cdef…               owned by records, named by content
/// ```
package final class AssetStore: Sendable {
    /// Whether an upload's bytes are flushed to disk before `receive` returns, and its name in `content/`
    /// before `adopt` returns.
    package let isDurable: Bool

    let layout: AssetLayout
    let makeUploadID: @Sendable () -> String
    let claims = Mutex(ContentClaims<CheckedContinuation<Void, Never>>())
    let uploads = Mutex(PendingUploads())
    let known = Mutex(VerifiedFiles())

    /// - Parameters:
    ///   - folder: The folder of the store. It is created with the first file.
    ///   - isDurable: false for stores that do not outlive the process.
    ///   - makeUploadID: Returns a new unguessable name: letters, digits, `-` and `_`.
    package init(folder: String, isDurable: Bool = true, makeUploadID: @escaping @Sendable () -> String) {
        self.isDurable = isDurable
        self.makeUploadID = makeUploadID
        layout = AssetLayout(folder: FilePath(folder))
    }

    /// Whether no adoption is open and no collection is running or due.
    package var isQuiet: Bool {
        claims.withLock { $0.isQuiet }
    }
}
