import Cloudlet
import LocalReplica
import Records

/// The change that a push reports.
enum PushedChange: Hashable, Sendable {
    case zone(ZoneID)
    /// A change in the database that names no zone: the list of changed zones is fetched.
    case database

    /// The change in the database of a sync; nil for a zone or database push of another database. A push of
    /// any other kind, such as one of a query subscription, counts as a change in the database.
    init?(_ push: CKNotification, in scope: SyncScope) {
        switch push {
        case let push as CKRecordZoneNotification:
            guard push.databaseScope == scope.database else { return nil }
            self = push.recordZoneID.map { PushedChange.zone(scope.zone($0)) } ?? .database
        case let push as CKDatabaseNotification:
            guard push.databaseScope == scope.database else { return nil }
            self = .database
        default: self = .database
        }
    }
}

/// The reasons for the next pass of a sync, accumulated since the last one.
struct WakeReasons: Equatable, Sendable {
    /// Whether to ask the server for changes without a push.
    var asksServer = false
    /// Whether to end waits that the server did not ask for.
    var endsWaits = false
    /// The changes that pushes reported.
    var pushedChanges: Set<PushedChange> = []
}

/// Wakes a waiting sync, with the reasons.
typealias SyncSignal = WakeSignal<WakeReasons>

extension WakeSignal where Reasons == WakeReasons {
    /// Creates a signal without reasons.
    convenience init() {
        self.init(none: WakeReasons())
    }
}
