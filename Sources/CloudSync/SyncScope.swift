import Cloudlet
import LocalReplica
import Records

/// The database that a sync synchronizes with a replica. Each database has its own sync, as it has its own
/// `CKSyncEngine`.
public enum SyncScope: String, Hashable, Sendable {
    /// The person's private database.
    case `private`
    /// The zones that other people share with the person. They appear and go with their shares, so the sync
    /// follows all of them and creates none.
    case shared

    var database: CKDatabase.Scope {
        switch self {
        case .private: .private
        case .shared: .shared
        }
    }

    /// The identifier of the subscription to all zones of the database.
    var subscriptionID: CKSubscription.ID {
        switch self {
        case .private: "sync-database"
        case .shared: "sync-shared-database"
        }
    }

    /// The zone as the replica names it: without the owner in the private database, where all zones are the
    /// person's own.
    func zone(_ id: CKRecordZone.ID) -> ZoneID {
        switch self {
        case .private: ZoneID(name: id.zoneName)
        case .shared: ZoneID(name: id.zoneName, owner: id.ownerName)
        }
    }

    /// The zones to create: in the private database those of the configuration, and others with edits.
    func zonesToMake(_ wanted: [String], known: [ReplicaZone]) -> [ZoneID] {
        if self == .shared { return [] }
        let wanted = wanted.map { ZoneID(name: $0) }
        let mine = wanted + known.map(\.id).filter { !wanted.contains($0) }
        let zones = Dictionary(known.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        return mine.filter { zones[$0]?.isMade != true && zones[$0]?.closure == nil }
    }

    /// The zones that need subscriptions of their own. The subscription to the shared database announces
    /// changes in all its zones.
    func zonesToFollow(_ zones: [ReplicaZone]) -> [ZoneID] {
        self == .shared ? [] : zones.filter { !$0.isSubscribed }.map(\.id)
    }
}

extension ZoneID {
    /// The zone's ID for CloudKit.
    var zoneID: CKRecordZone.ID {
        CKRecordZone.ID(zoneName: name, ownerName: owner ?? CKCurrentUserDefaultName)
    }

    /// The zone in messages.
    var displayName: String { owner.map { "\(name) of \($0)" } ?? name }

    /// Whether the zone belongs to another person.
    var isShared: Bool { owner != nil }
}
