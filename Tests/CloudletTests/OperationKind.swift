import Cloudlet
import Foundation
import Testing

/// A class of operations, for tests that run with all of them.
struct OperationKind: Sendable, CustomTestStringConvertible {
    let name: String
    /// The end of the path of the first request.
    let endpoint: String
    /// Makes an operation that logs `end` and the code of its error, from its result block or the older
    /// block.
    let make: @Sendable (_ log: Log, _ older: Bool) -> CKDatabaseOperation

    var testDescription: String { name }

    private static let id = CKRecord.ID(recordName: "a")
    private static let zone = CKRecordZone.ID(zoneName: "Z")

    static let all = [modify, fetch, query, modifyZones, fetchZones, zoneChanges, databaseChanges]

    static let modify = OperationKind(name: "modify", endpoint: "records/modify") { log, older in
        let operation = CKModifyRecordsOperation(recordsToSave: [party("a")])
        if older {
            operation.modifyRecordsCompletionBlock = { _, _, error in log.add("end \(error.code)") }
        } else {
            operation.modifyRecordsResultBlock = { log.add("end \($0.code)") }
        }
        return operation
    }

    static let fetch = OperationKind(name: "fetch", endpoint: "records/lookup") { log, older in
        let operation = CKFetchRecordsOperation(recordIDs: [id])
        if older {
            operation.fetchRecordsCompletionBlock = { _, error in log.add("end \(error.code)") }
        } else {
            operation.fetchRecordsResultBlock = { log.add("end \($0.code)") }
        }
        return operation
    }

    static let query = OperationKind(name: "query", endpoint: "records/query") { log, older in
        let operation = CKQueryOperation(
            query: CKQuery(recordType: "Party", predicate: NSPredicate(value: true)))
        if older {
            operation.queryCompletionBlock = { _, error in log.add("end \(error.code)") }
        } else {
            operation.queryResultBlock = { log.add("end \($0.code)") }
        }
        return operation
    }

    static let modifyZones = OperationKind(name: "modify zones", endpoint: "zones/modify") { log, older in
        let operation = CKModifyRecordZonesOperation(recordZonesToSave: [CKRecordZone(zoneID: zone)])
        if older {
            operation.modifyRecordZonesCompletionBlock = { _, _, error in log.add("end \(error.code)") }
        } else {
            operation.modifyRecordZonesResultBlock = { log.add("end \($0.code)") }
        }
        return operation
    }

    static let fetchZones = OperationKind(name: "fetch zones", endpoint: "zones/lookup") { log, older in
        let operation = CKFetchRecordZonesOperation(recordZoneIDs: [zone])
        if older {
            operation.fetchRecordZonesCompletionBlock = { _, error in log.add("end \(error.code)") }
        } else {
            operation.fetchRecordZonesResultBlock = { log.add("end \($0.code)") }
        }
        return operation
    }

    static let zoneChanges = OperationKind(name: "zone changes", endpoint: "changes/zone") { log, older in
        let operation = CKFetchRecordZoneChangesOperation(recordZoneIDs: [zone])
        if older {
            operation.fetchRecordZoneChangesCompletionBlock = { error in log.add("end \(error.code)") }
        } else {
            operation.fetchRecordZoneChangesResultBlock = { log.add("end \($0.code)") }
        }
        return operation
    }

    static let databaseChanges = OperationKind(
        name: "database changes", endpoint: "changes/database"
    ) { log, older in
        let operation = CKFetchDatabaseChangesOperation(previousServerChangeToken: nil)
        if older {
            operation.fetchDatabaseChangesCompletionBlock = { _, _, error in log.add("end \(error.code)") }
        } else {
            operation.fetchDatabaseChangesResultBlock = { log.add("end \($0.code)") }
        }
        return operation
    }
}
