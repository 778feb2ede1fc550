import Records
import Synchronization

/// Content-addressed files of one database. Equal content is stored once, as long as a record owns it.
///
/// The life of a file: `receive` streams it into an upload. Before the record is saved, `adopt` makes the
/// content available. After the save, `commit` removes the upload; if the save failed, `abandon` ends the
/// adoption. When a record releases a file, `collect` deletes the content unless another record owns it.
///
/// One store serves one database. Private databases share no files, not even equal ones, so deleting a
/// person's files cannot delete those of others. An `AssetStorage` keeps the bytes:
///
/// ```
/// incoming/<upload>              being received
/// incoming/<upload>.<checksum>   received, not yet confirmed by a saved record
/// content/ab/cdef…               owned by records, named by content
/// ```
package final class AssetStore: Sendable {
    let storage: any AssetStorage
    let makeUploadID: @Sendable () -> String
    let claims = Mutex(ContentClaims<CheckedContinuation<Void, Never>>())
    let uploads = Mutex(PendingUploads())
    let known = Mutex(VerifiedFiles())

    /// - Parameter makeUploadID: Returns a new unguessable name: letters, digits, `-` and `_`.
    package init(_ storage: any AssetStorage, makeUploadID: @escaping @Sendable () -> String) {
        self.storage = storage
        self.makeUploadID = makeUploadID
    }

    /// Whether no adoption is open, no collection is running or due, and no file is being read that a
    /// collection must wait for.
    package var isQuiet: Bool {
        claims.withLock { $0.isQuiet }
    }

    /// Whether there are uploads that no record has adopted. Only this object knows them.
    package var hasUploads: Bool {
        uploads.withLock { !$0.isEmpty }
    }

    /// Returns a new upload ID.
    func newUploadID() throws -> String {
        let uploadID = storage.uploadPrefix + makeUploadID()
        guard AssetLayout.isUploadID(uploadID) else { throw RecordError.badUploadID }
        return uploadID
    }
}
