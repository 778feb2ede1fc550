import Foundation
internal import Records

/// The state of an engine that outlives the process, because the app saves it.
struct SyncEngineMemory: Sendable {
    /// The person to whom the state belongs.
    enum Account: Hashable, Codable, Sendable {
        /// The account has never been checked.
        case unknown
        /// Nobody was signed in.
        case nobody
        /// The person with this user record name.
        case person(String)
    }

    typealias Records = PendingList<CKRecord.ID, CKSyncEngine.PendingRecordZoneChange>
    typealias Zones = PendingList<CKRecordZone.ID, CKSyncEngine.PendingDatabaseChange>

    var account = Account.unknown
    var databaseToken: CKServerChangeToken?
    var zoneTokens: [CKRecordZone.ID: CKServerChangeToken] = [:]
    /// The zones that have changed on the server since their records were fetched.
    var unfetched = PendingList<CKRecordZone.ID, CKRecordZone.ID>()
    /// The known zones that have not appeared in the list of zones; nil unless the list is being fetched from
    /// its beginning.
    var unseen: Set<CKRecordZone.ID>?
    var records = Records()
    var zones = Zones()
    var hasUntrackedChanges = false
    var subscriptionID: CKSubscription.ID?

    /// Removes a zone that the server no longer has.
    mutating func forget(_ zone: CKRecordZone.ID) {
        zoneTokens[zone] = nil
        unfetched.remove(zone, of: zone)
    }

    mutating func add(_ change: CKSyncEngine.PendingRecordZoneChange) -> Bool {
        records.add(change, of: change.recordID)
    }

    mutating func add(_ change: CKSyncEngine.PendingDatabaseChange) -> Bool {
        zones.add(change, of: change.zoneID)
    }
}

extension SyncEngineMemory: Codable {
    /// The encoded form. The lists are in a fixed order.
    private struct Saved: Codable {
        struct ZoneChange: Codable {
            var zone: ZoneID
            /// The zone's encryption scope; nil for a deletion.
            var encryptionScope: Int?
        }

        struct RecordChange: Codable {
            var record: RecordID
            var isDeletion: Bool
        }

        struct ZoneToken: Codable {
            var zone: ZoneID
            var token: String
        }

        var account: Account
        var databaseToken: String?
        var zoneTokens: [ZoneToken]
        var unfetched: [ZoneID]
        var unseen: [ZoneID]?
        var records: [RecordChange]
        var zones: [ZoneChange]
        var hasUntrackedChanges: Bool
        var subscriptionID: String?
    }

    init(from decoder: any Decoder) throws {
        let saved = try Saved(from: decoder)
        account = saved.account
        databaseToken = saved.databaseToken.map { CKServerChangeToken(text: $0) }
        for entry in saved.zoneTokens {
            zoneTokens[CKRecordZoneID(entry.zone)] = CKServerChangeToken(text: entry.token)
        }
        for zone in saved.unfetched.map({ CKRecordZoneID($0) }) { unfetched.add(zone, of: zone) }
        unseen = saved.unseen.map { Set($0.map { CKRecordZoneID($0) }) }
        for entry in saved.records {
            let id = CKRecordID(entry.record)
            _ = add(entry.isDeletion ? .deleteRecord(id) : .saveRecord(id))
        }
        for entry in saved.zones {
            let id = CKRecordZoneID(entry.zone)
            guard let scope = entry.encryptionScope else {
                _ = add(.deleteZone(id))
                continue
            }
            let zone = CKRecordZone(zoneID: id)
            zone.encryptionScope = CKRecordZone.EncryptionScope(rawValue: scope) ?? .perRecord
            _ = add(.saveZone(zone))
        }
        hasUntrackedChanges = saved.hasUntrackedChanges
        subscriptionID = saved.subscriptionID
    }

    func encode(to encoder: any Encoder) throws {
        let tokens = zoneTokens.map { Saved.ZoneToken(zone: ZoneID($0), token: $1.text) }
        let saved = Saved(
            account: account, databaseToken: databaseToken?.text,
            zoneTokens: tokens.sorted { ($0.zone.name, $0.token) < ($1.zone.name, $1.token) },
            unfetched: unfetched.all.map { ZoneID($0) },
            unseen: unseen.map { $0.map { ZoneID($0) }.sorted { $0.name < $1.name } },
            records: records.all.map { change in
                switch change {
                case .saveRecord(let id): Saved.RecordChange(record: RecordID(id), isDeletion: false)
                case .deleteRecord(let id): Saved.RecordChange(record: RecordID(id), isDeletion: true)
                }
            },
            zones: zones.all.map { change in
                switch change {
                case .saveZone(let zone):
                    Saved.ZoneChange(
                        zone: ZoneID(zone.zoneID), encryptionScope: zone.encryptionScope.rawValue)
                case .deleteZone(let id): Saved.ZoneChange(zone: ZoneID(id), encryptionScope: nil)
                }
            },
            hasUntrackedChanges: hasUntrackedChanges, subscriptionID: subscriptionID)
        try saved.encode(to: encoder)
    }
}
