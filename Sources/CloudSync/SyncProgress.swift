public import Foundation

/// The progress of a pass: the counts since it began.
public struct SyncProgress: Equatable, Sendable {
    /// Records that the server has applied.
    public var sent = 0
    /// Records that are still to be sent.
    public var toSend = 0
    /// Records and deletions that were fetched.
    public var fetched = 0
    /// The upper bound of changes still to fetch in the current zone; nil if the server does not say, and at
    /// the end.
    public var toFetch: Int?
    /// Conflicts that were resolved.
    public var merged = 0
    /// When the pass began, by `SyncConfiguration.now`.
    public var began: Date?
}
