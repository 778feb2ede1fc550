// Owns what running one statement came to.
import Foundation

/// What to print, what went wrong, and whether to leave.
struct StatementOutcome: Sendable {
    var rendering = Rendering()
    var complaint: Complaint?
    var leavesWith: Int32?
    /// Whether a claim was checked and held.
    var isHeldClaim = false
}
