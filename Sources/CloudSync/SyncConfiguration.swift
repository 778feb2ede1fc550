public import Cloudlet
public import Foundation
package import LocalReplica

/// The settings of a sync.
public struct SyncConfiguration: Sendable {
    /// The zones in which the app stores records. The sync creates those that do not exist. A sync of the
    /// shared database ignores them: it fetches every zone that is shared with the person.
    public var zones: [String]
    /// How fields that two devices changed are merged.
    public var policy = MergePolicy()
    /// The maximum of records in a request. A lower limit of the server applies instead, and records with
    /// files are sent in batches that a slow connection can send while the server waits for them.
    public var batchSize = 200
    /// The maximum of records in a page; 0 leaves it to the server.
    public var pageSize = 0
    /// Whether zones of the private database that other devices created are fetched too.
    public var followsUnknownZones = true
    /// Whether a zone with this name is fetched when it appears on the server. The shared database can
    /// contain zones of several features of an app, of which a sync may need only some.
    package var follows: @Sendable (String) -> Bool = { _ in true }
    /// Called in the transaction of each page of changes, before its records are stored. If it throws, the
    /// page is fetched again.
    package var preparesImport: @Sendable (ReplicaWriter, FetchedPage) throws -> Void = { _, _ in }
    /// Called in the transaction of each page of changes, after its records are stored. If it throws, neither
    /// the page nor its token is stored, and the page is fetched again.
    package var imports: @Sendable (ReplicaWriter, FetchedPage) throws -> Void = { _, _ in }
    /// Whether the sync creates subscriptions, so that the server announces changes by silent pushes.
    public var subscribes = true
    /// Whether `CloudSync.run()` receives the pushes. Syncs over one `CloudConnection` share what arrives;
    /// with false, the app hands pushes to the sync: `CloudSync.receive(_:)`.
    public var receivesPushes = true
    /// Whether the app gets a push that has arrived on the device. By default it gets all; a simulated device
    /// withholds those that the system would withhold.
    public var getsPush: @Sendable (CKNotification) -> Bool = { _ in true }
    /// How long the edits of an owner's zones wait when the owner's storage is full, in seconds.
    public var pauseWhenFull: TimeInterval = 3600
    /// Returns the current time.
    public var now: @Sendable () -> Date
    /// Waits for a duration. Throws `CancellationError`.
    public var pause: @Sendable (Duration) async throws -> Void
    /// Called with each new status.
    public var report: @Sendable (SyncStatus) -> Void = { _ in }

    /// Creates settings for a sync of these zones. The clock and the waiting are parameters, so that a test
    /// need not wait.
    public init(
        zones: [String],
        now: @escaping @Sendable () -> Date,
        pause: @escaping @Sendable (Duration) async throws -> Void
    ) {
        self.zones = zones
        self.now = now
        self.pause = pause
    }

    /// Waits until a moment, at most for a day, because the clock of the device may be set meanwhile. The
    /// caller checks the time again.
    func pause(until moment: Date) async throws {
        let seconds = moment.timeIntervalSince(now())
        try await pause(.seconds(seconds > 0 ? min(seconds, 86_400) : 0))
    }
}
