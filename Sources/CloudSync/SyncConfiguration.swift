public import Foundation

/// How a sync behaves.
public struct SyncConfiguration: Sendable {
    /// The zones that the app keeps records in; they are made when they are not there.
    public var zones: [String]
    /// What becomes of fields that two devices changed.
    public var policy = MergePolicy()
    /// Records in a request at most; the server is asked what it allows, and obeyed if that is less.
    public var batchSize = 200
    /// Records in a page at most; 0 leaves it to the server.
    public var pageSize = 0
    /// Whether zones that other devices made are fetched, too.
    public var followsUnknownZones = true
    /// Whether the server is asked to tell of changes by silent pushes.
    public var subscribes = true
    /// How long nothing is sent when the person's storage is full, in seconds.
    public var pauseWhenFull: TimeInterval = 3600
    /// The time of day.
    public var now: @Sendable () -> Date
    /// Lets so much time pass.
    public var pause: @Sendable (Duration) async throws -> Void
    /// Hears of every change of the status.
    public var report: @Sendable (SyncStatus) -> Void = { _ in }

    /// A sync of these zones. Clock and waiting are passed in, so that a test need not wait.
    public init(
        zones: [String],
        now: @escaping @Sendable () -> Date,
        pause: @escaping @Sendable (Duration) async throws -> Void
    ) {
        self.zones = zones
        self.now = now
        self.pause = pause
    }

    /// Waits for a moment, for a day at most: the clock of a device may be set meanwhile. Whoever waits looks
    /// again then.
    func pause(until moment: Date) async throws {
        let seconds = moment.timeIntervalSince(now())
        try await pause(.seconds(seconds > 0 ? min(seconds, 86_400) : 0))
    }
}
