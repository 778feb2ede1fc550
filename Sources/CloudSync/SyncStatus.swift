public import Foundation

/// What a sync is doing, at any moment.
public struct SyncStatus: Equatable, Sendable {
    /// What it does.
    public enum Activity: Equatable, Sendable {
        /// Everything is in step.
        case idle
        /// Something is being asked of the server.
        case working
        /// It goes on by itself, at `until`.
        case waiting
        /// It cannot go on before something is done elsewhere: `why` says what.
        case blocked
    }

    /// How the connection stands on which the server tells of changes.
    public enum Pushes: Equatable, Sendable {
        /// Nobody listens.
        case off
        /// It stands.
        case connected
        /// It broke, or could not be made: it is tried again at that moment. Until then changes of other
        /// devices are seen only by asking.
        case interrupted(why: String, until: Date)
    }

    /// What it does.
    public var activity: Activity
    /// Why, in words.
    public var why: String
    /// When it goes on by itself; nil when that depends on something else.
    public var until: Date?
    /// Which answers of the server led nowhere, while it is blocked because of them.
    public var stall: SyncStall?
    /// How far the present pass is.
    public var progress = SyncProgress()
    /// Whether it hears of changes of other devices.
    public var pushes = Pushes.off
}

/// How far a pass is: what was sent and fetched since it began.
public struct SyncProgress: Equatable, Sendable {
    /// Records that the server has taken.
    public var sent = 0
    /// Records that wait to be sent.
    public var toSend = 0
    /// Records and deletions that were fetched.
    public var fetched = 0
    /// How many more are to come in the zone at most; nil when the server does not say, and at the end.
    public var toFetch: Int?
    /// Conflicts that were resolved.
    public var merged = 0
    /// When the pass began, by the clock of the sync.
    public var began: Date?
}

/// A sync that cannot go on by itself.
public struct SyncBlocked: Error, Equatable, Sendable, CustomStringConvertible {
    /// What it says of itself.
    public let status: SyncStatus

    /// Why it cannot go on.
    public var description: String { status.why }
}
