public import Foundation

/// The current state of a sync.
public struct SyncStatus: Equatable, Sendable {
    /// The kind of activity.
    public enum Activity: Equatable, Sendable {
        /// Nothing can be done now. Everything is in sync except for the items that `why` names, such as
        /// edits that the server refused, or files that it does not have.
        case idle
        /// A request to the server is running.
        case working
        /// The sync continues by itself at `until`.
        case waiting
        /// The sync cannot continue until the condition that `why` names has changed, or the server's answers
        /// make no progress (`stall`).
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
        /// `CloudSync.resendAllRecords()` and `CloudSync.deleteLocalData()`.
        case unknownOwner
    }

    /// The current activity.
    public var activity: Activity
    /// The reason for the activity, as text.
    public var why: String
    /// When the sync continues by itself; nil if that depends on something else.
    public var until: Date?
    /// The answers that made no progress, if they are why the sync is blocked; otherwise nil. The sync tries
    /// again at `until`.
    public var stall: SyncStall?
    /// The problem of the account, if that is why the sync is blocked; otherwise nil.
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
