import Cloudlet
import LocalReplica
import Records

/// What a push says has changed.
enum PushedChange: Hashable, Sendable {
    case zone(ZoneID)
    /// Something other than a zone in the database: ask for all changes.
    case database

    /// The change in the database of a sync; nil if the push is about another database.
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
    var looks = false
    /// Whether to end waits that the server did not ask for.
    var endsWaits = false
    /// What pushes said has changed.
    var news: Set<PushedChange> = []
}

/// Wakes a waiting sync, with the reasons.
typealias SyncSignal = WakeSignal<WakeReasons>

extension WakeSignal where Reasons == WakeReasons {
    /// Creates a signal without reasons.
    convenience init() {
        self.init(none: WakeReasons())
    }
}
