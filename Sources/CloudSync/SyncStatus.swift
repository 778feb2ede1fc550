public import Foundation

/// The current state of a sync.
public struct SyncStatus: Equatable, Sendable {
    /// The kind of activity.
    public enum Activity: Equatable, Sendable {
        /// Everything is in sync.
        case idle
        /// A request to the server is running.
        case working
        /// The sync continues by itself at `until`.
        case waiting
        /// The sync cannot continue until something else happens, or it makes no progress (`stall`). `why`
        /// says what happened.
        case blocked
    }

    /// The state of the connection for pushes.
    public enum Pushes: Equatable, Sendable {
        /// The sync does not listen to pushes.
        case off
        /// The connection is open.
        case connected
        /// The connection broke or could not be opened, and is opened again at `until`. Until then, changes
        /// of other devices are found only by asking the server.
        case interrupted(why: String, until: Date)
    }

    /// Why the data on this device cannot be synced as the signed-in person's.
    public enum AccountProblem: Equatable, Sendable {
        /// Nobody is signed in.
        case nobody
        /// Another person than the owner of the data is signed in. Open another replica for that person.
        case otherPerson
        /// Another person is signed in, and the server does not know the owner of the data: the server or
        /// its data is new, or the owner's account was removed. The app offers the person
        /// `CloudSync.sendAllAgain()` and `CloudSync.forgetAll()`.
        case unknownOwner
    }

    /// The current activity.
    public var activity: Activity
    /// The reason for the activity, as text.
    public var why: String
    /// When the sync continues by itself; nil if that depends on something else.
    public var until: Date?
    /// The answers without progress because of which the sync is blocked; nil otherwise. It tries again at
    /// `until`.
    public var stall: SyncStall?
    /// The account's problem because of which the sync is blocked; nil if it is not.
    public var accountProblem: AccountProblem?
    /// The progress of the current pass.
    public var progress = SyncProgress()
    /// The state of the connection for pushes.
    public var pushes = Pushes.off
}

extension SyncStatus {
    /// Creates the status of a sync without pushes.
    package init(_ activity: Activity, why: String, until: Date?) {
        self.init(activity: activity, why: why)
        self.until = until
    }
}
