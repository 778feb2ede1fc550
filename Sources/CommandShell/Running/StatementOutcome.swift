import Foundation

/// What to print, what went wrong, and whether to leave.
public struct StatementOutcome: Sendable {
    /// What to print.
    public var rendering = Rendering()
    /// What went wrong.
    public var complaint: Complaint?
    /// The code to leave the shell with.
    public var leavesWith: Int32?
    /// Whether a claim was checked and held.
    public var isHeldClaim = false

    /// An outcome; nothing printed and nothing wrong if nothing is given.
    public init(
        rendering: Rendering = Rendering(), complaint: Complaint? = nil, leavesWith: Int32? = nil,
        isHeldClaim: Bool = false
    ) {
        self.rendering = rendering
        self.complaint = complaint
        self.leavesWith = leavesWith
        self.isHeldClaim = isHeldClaim
    }
}
