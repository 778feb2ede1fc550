import Cloudlet
import Foundation

/// The result of saving a version that may be out of date.
enum SaveOutcome {
    case saved(CKRecord)
    /// The server has a newer version; nothing was saved.
    case conflict(SaveConflict)
    /// The server had a newer version; the change was applied to that version and saved.
    case merged(CKRecord, after: SaveConflict)
}
