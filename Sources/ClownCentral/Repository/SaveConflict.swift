import Cloudlet
import Foundation

/// A save that was refused because the server has a newer version.
struct SaveConflict {
    /// What could not be saved.
    let client: CKRecord
    /// What the server has; apply the change to this one, and save it.
    let server: CKRecord
    /// What the change started from, when it is known.
    let ancestor: CKRecord?

    /// The server's version to change, so that the one in the conflict stays what it was.
    var serverCopy: CKRecord { server.copy() as? CKRecord ?? server }

    /// Takes the versions out of an error; nothing for an error that is no conflict.
    init?(_ error: any Error) {
        guard let error = error as? CKError, error.code == .serverRecordChanged,
            let client = error.clientRecord, let server = error.serverRecord
        else { return nil }
        self.client = client
        self.server = server
        ancestor = error.ancestorRecord
    }
}
