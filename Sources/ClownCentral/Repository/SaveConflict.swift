import Cloudlet
import Foundation

/// A save that the server refused because it has a newer version.
struct SaveConflict {
    /// The version that could not be saved.
    let client: CKRecord
    /// The server's version. To resolve the conflict, apply the change to this version and save it.
    let server: CKRecord
    /// The version that the change was based on, if it is known.
    let ancestor: CKRecord?

    /// A copy of the server's version to modify, so that `server` does not change.
    var serverCopy: CKRecord { server.copy() as? CKRecord ?? server }

    /// Reads the versions from an error; nil if the error is not a conflict.
    init?(_ error: any Error) {
        guard let error = error as? CKError, error.code == .serverRecordChanged,
            let client = error.clientRecord, let server = error.serverRecord
        else { return nil }
        self.client = client
        self.server = server
        ancestor = error.ancestorRecord
    }
}
