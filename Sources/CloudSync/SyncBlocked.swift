/// Thrown by `CloudSync.waitUntilIdle()` if the sync cannot continue by itself, and by
/// `CloudSync.resendAllRecords()` if the data must not be sent as the signed-in person's, or belongs
/// to that person already.
public struct SyncBlocked: Error, Equatable, Sendable, CustomStringConvertible {
    /// The status with the reason.
    public let status: SyncStatus

    /// Creates the error for a status with the activity `blocked`.
    public init(status: SyncStatus) { self.status = status }

    /// The reason, as text.
    public var description: String { status.why }
}
