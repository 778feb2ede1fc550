import Foundation
internal import Records

/// The archived form of an operation without its blocks, for each class that can be long-lived.
enum ArchivedOperation: Codable {
    /// `shares` has the terms of the records that are shares, by their index; nil if no record is a share.
    case modifyRecords(
        records: [CKRecord.State], deletions: [RecordID], policy: Int, isAtomic: Bool, token: Data?,
        shares: [Int: ArchivedShare]?)
    case fetchRecords(ids: [RecordID], keys: [String]?, isCurrentUser: Bool)
    case query(ArchivedQuery?, cursor: ArchivedCursor?, zone: ZoneID?, limit: Int, keys: [String]?)
    case modifyZones(saving: [ZoneID], deleting: [ZoneID])
    case fetchZones([ZoneID]?)
    case modifySubscriptions(saving: [ArchivedSubscription], deleting: [String])
    case fetchSubscriptions([String]?)
    case zoneChanges(zones: [ZoneID]?, wishes: [ArchivedZoneEntry], fetchesAll: Bool)
    case databaseChanges(token: String?, limit: Int, fetchesAll: Bool)

    /// Creates the archived form; nil for an operation that cannot be long-lived.
    init?(_ operation: CKOperation) {
        switch operation {
        case let operation as CKModifyRecordsOperation:
            let records = operation.recordsToSave ?? []
            var shares: [Int: ArchivedShare] = [:]
            for case (let index, let share as CKShare) in records.enumerated() {
                shares[index] = ArchivedShare(share.sharing.current)
            }
            self = .modifyRecords(
                records: records.map { $0.state.current },
                deletions: (operation.recordIDsToDelete ?? []).map(RecordID.init),
                policy: operation.savePolicy.rawValue, isAtomic: operation.isAtomic,
                token: operation.clientChangeTokenData, shares: shares.isEmpty ? nil : shares)
        case let operation as CKFetchRecordsOperation:
            self = .fetchRecords(
                ids: (operation.recordIDs ?? []).map(RecordID.init), keys: operation.desiredKeys,
                isCurrentUser: operation.fetchesCurrentUser)
        case let operation as CKQueryOperation:
            self = .query(
                operation.query.map(ArchivedQuery.init), cursor: operation.cursor.map(ArchivedCursor.init),
                zone: operation.zoneID.map(ZoneID.init), limit: operation.resultsLimit,
                keys: operation.desiredKeys)
        case let operation as CKModifySubscriptionsOperation:
            self = .modifySubscriptions(
                saving: (operation.subscriptionsToSave ?? []).map(\.state.current),
                deleting: operation.subscriptionIDsToDelete ?? [])
        case let operation as CKFetchSubscriptionsOperation:
            self = .fetchSubscriptions(operation.fetchesAll ? nil : operation.subscriptionIDs ?? [])
        default: self.init(zones: operation)
        }
    }

    private init?(zones operation: CKOperation) {
        switch operation {
        case let operation as CKModifyRecordZonesOperation:
            self = .modifyZones(
                saving: (operation.recordZonesToSave ?? []).map { ZoneID($0.zoneID) },
                deleting: (operation.recordZoneIDsToDelete ?? []).map(ZoneID.init))
        case let operation as CKFetchRecordZonesOperation:
            self = .fetchZones(
                operation.fetchesAll ? nil : (operation.recordZoneIDs ?? []).map(ZoneID.init))
        case let operation as CKFetchRecordZoneChangesOperation:
            let wishes = operation.configurationsByRecordZoneID ?? [:]
            self = .zoneChanges(
                zones: operation.recordZoneIDs?.map(ZoneID.init),
                wishes: wishes.map {
                    ArchivedZoneEntry(zone: ZoneID($0), wish: ArchivedZoneConfiguration($1))
                },
                fetchesAll: operation.fetchAllChanges)
        case let operation as CKFetchDatabaseChangesOperation:
            self = .databaseChanges(
                token: operation.previousServerChangeToken?.text, limit: operation.resultsLimit,
                fetchesAll: operation.fetchAllChanges)
        default: return nil
        }
    }

    /// A new operation with the same input and without blocks.
    var operation: CKDatabaseOperation {
        switch self {
        case .modifyRecords(let records, let deletions, let policy, let isAtomic, let token, let shares):
            let operation = CKModifyRecordsOperation(
                recordsToSave: records.enumerated().map { index, state -> CKRecord in
                    guard let share = shares?[index] else { return CKRecord(state: state) }
                    return CKShare(state: state, sharing: CKShare.Sharing(share))
                },
                recordIDsToDelete: deletions.map { CKRecordID($0) })
            operation.savePolicy =
                CKModifyRecordsOperation.RecordSavePolicy(rawValue: policy) ?? .ifServerRecordUnchanged
            operation.isAtomic = isAtomic
            operation.clientChangeTokenData = token
            return operation
        case .fetchRecords(let ids, let keys, let isCurrentUser):
            let operation =
                isCurrentUser
                ? CKFetchRecordsOperation.fetchCurrentUserRecordOperation()
                : CKFetchRecordsOperation(recordIDs: ids.map { CKRecordID($0) })
            operation.desiredKeys = keys
            return operation
        case .query(let query, let cursor, let zone, let limit, let keys):
            let operation = CKQueryOperation()
            operation.query = query?.query
            operation.cursor = cursor.map { CKQueryCursor($0) }
            operation.zoneID = zone.map { CKRecordZoneID($0) }
            operation.resultsLimit = limit
            operation.desiredKeys = keys
            return operation
        case .modifySubscriptions(let saving, let deleting):
            return CKModifySubscriptionsOperation(
                subscriptionsToSave: saving.map(\.subscription), subscriptionIDsToDelete: deleting)
        case .fetchSubscriptions(let ids):
            return ids.map { CKFetchSubscriptionsOperation(subscriptionIDs: $0) }
                ?? CKFetchSubscriptionsOperation.fetchAllSubscriptionsOperation()
        default: return zoneOperation
        }
    }

    private var zoneOperation: CKDatabaseOperation {
        switch self {
        case .modifyZones(let saving, let deleting):
            return CKModifyRecordZonesOperation(
                recordZonesToSave: saving.map { CKRecordZone(zoneID: CKRecordZoneID($0)) },
                recordZoneIDsToDelete: deleting.map { CKRecordZoneID($0) })
        case .fetchZones(let ids):
            return ids.map { CKFetchRecordZonesOperation(recordZoneIDs: $0.map { CKRecordZoneID($0) }) }
                ?? CKFetchRecordZonesOperation.fetchAllRecordZonesOperation()
        case .zoneChanges(let zones, let wishes, let fetchesAll):
            let operation = CKFetchRecordZoneChangesOperation(
                recordZoneIDs: zones?.map { CKRecordZoneID($0) },
                configurationsByRecordZoneID: Dictionary(
                    wishes.map { (CKRecordZoneID($0.zone), $0.wish.configuration) },
                    uniquingKeysWith: { first, _ in first }))
            operation.fetchAllChanges = fetchesAll
            return operation
        case .databaseChanges(let token, let limit, let fetchesAll):
            let operation = CKFetchDatabaseChangesOperation(
                previousServerChangeToken: token.map { CKServerChangeToken(text: $0) })
            operation.resultsLimit = limit
            operation.fetchAllChanges = fetchesAll
            return operation
        default: return CKDatabaseOperation()
        }
    }
}

/// A zone and the configuration for fetching its changes.
struct ArchivedZoneEntry: Codable {
    var zone: ZoneID
    var wish: ArchivedZoneConfiguration
}
