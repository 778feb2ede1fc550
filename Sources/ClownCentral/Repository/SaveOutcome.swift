import Cloudlet
import Foundation

/// The result of saving a version that may be out of date.
enum SaveOutcome {
    case saved(CKRecord)
    /// The server has a newer version; nothing was saved.
    case conflict(SaveConflict)
    /// The server had a newer version. The change was applied to that version as far as the two do not
    /// conflict, and the result was saved.
    case merged(CKRecord, after: SaveConflict)
}
