import Synchronization
import _NIOFileSystem

/// Content-addressed files in a folder: each content once, kept while a record owns it.
///
/// A file's way: `receive` streams it into `incoming/`; `adopt`, before the record is saved, links it to the
/// path that its content names; `commit`, after the save, forgets the upload, or `abandon` does when the save
/// failed. When a record lets go of a file, `collect` deletes the content unless something else owns it.
///
/// One store serves one database: two people who upload the same bytes share nothing, and deleting a person's
/// folder deletes the person's files.
///
/// ```
/// incoming/<upload>              being received
/// incoming/<upload>.<checksum>   received, not yet confirmed by a saved record
/// content/ab/cdef…               owned by records, named by content
/// ```
package final class AssetStore: Sendable {
    /// Whether a file's bytes and names are forced to disk before they are acknowledged (law 6).
    package let isDurable: Bool

    let layout: AssetLayout
    let makeUploadID: @Sendable () -> String
    let claims = Mutex(ContentClaims<CheckedContinuation<Void, Never>>())
    let uploads = Mutex(PendingUploads())
    let known = Mutex(KnownContent())

    /// - Parameters:
    ///   - folder: made when the first file comes.
    ///   - isDurable: false for stores that do not outlive the process.
    ///   - makeUploadID: a new unguessable name at each call; letters, digits, `-` and `_` only.
    package init(folder: String, isDurable: Bool = true, makeUploadID: @escaping @Sendable () -> String) {
        self.isDurable = isDurable
        self.makeUploadID = makeUploadID
        layout = AssetLayout(folder: FilePath(folder))
    }

    /// True when no adoption is open and no collection under way or due.
    package var isQuiet: Bool {
        claims.withLock { $0.isQuiet }
    }
}
