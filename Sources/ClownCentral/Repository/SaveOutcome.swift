import Cloudlet
import Foundation

/// The end of a save over a version that may be out of date.
enum SaveOutcome {
    case saved(CKRecord)
    /// Somebody was faster: nothing is saved.
    case conflict(SaveConflict)
    /// Somebody was faster: the change was applied to the server's version, and that is saved.
    case merged(CKRecord, after: SaveConflict)
}
