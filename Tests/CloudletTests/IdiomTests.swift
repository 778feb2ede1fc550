import CloudKit
import Foundation
import Testing

/// Protocols that apps declare for a database, so that a test can replace it.
private protocol RecordFetching {
    func records(
        for ids: [CKRecord.ID], desiredKeys: [CKRecord.FieldKey]?
    ) async throws -> [CKRecord.ID: Result<CKRecord, any Error>]
}

extension CKDatabase: RecordFetching {}

extension CKContainer {
    fileprivate static func make(_ identifier: String) -> Self { Self(identifier: identifier) }
}

extension CKRecordKeyValueSetting {
    /// Apps extend the protocol with subscripts of their own, also for the get-only `encryptedValues`.
    fileprivate subscript(data key: String) -> Data? {
        get { self[key] as? Data }
        set { self[key] = newValue }
    }
}

extension __CKRecordObjCValue {
    fileprivate var isStorable: Bool { true }
}

@Suite("Source code written for CloudKit")
struct IdiomTests {
    @Test("Fields can be assigned and read in every usual way")
    func fields() {
        let record = CKRecord(recordType: "Note")
        let perhaps: String? = record.allKeys().isEmpty ? "a" : nil
        record["optional"] = perhaps
        record["none"] = nil as String?
        record["number"] = 5 as NSNumber
        record["again"] = record["number"]
        record["sum"] = (record["sum"] as? Int ?? 0) + 1
        record.encryptedValues[data: "x"] = Data([1])
        let values: [String: any CKRecordValue] = ["a": "b", "c": 3]
        for (key, value) in values { record[key] = value }
        var texts = 0
        for (_, value) in record {
            if case let text as String = value, !text.isEmpty { texts += 1 }
        }
        #expect(texts == 2)
        switch record["a"] {
        case let text as String: #expect(text == "b")
        default: Issue.record("no text")
        }
        #expect(record["again"] as? Double == 5)
        #expect(record.encryptedValues[data: "x"] == Data([1]))
        #expect((record["number"] as? NSNumber)?.isStorable == true)
    }

    /// Operations as in tutorials, with blocks that capture and change local variables.
    private func operations(_ database: CKDatabase, _ query: CKQuery, _ record: CKRecord) {
        var collected: [CKRecord] = []
        let search = CKQueryOperation(query: query)
        search.resultsLimit = 50
        search.desiredKeys = ["title"]
        search.recordFetchedBlock = { collected.append($0) }
        search.recordMatchedBlock = { _, result in
            if case .success(let record) = result { collected.append(record) }
        }
        search.queryCompletionBlock = { cursor, _ in
            if let cursor { database.add(CKQueryOperation(cursor: cursor)) }
        }
        let save = CKModifyRecordsOperation(recordsToSave: [record], recordIDsToDelete: nil)
        save.savePolicy = .changedKeys
        save.qualityOfService = .userInitiated
        save.modifyRecordsCompletionBlock = { _, _, error in
            if let error = error as NSError?, error.code == CKError.Code.unknownItem.rawValue { return }
        }
        save.addDependency(search)
        database.add(save)
        OperationQueue().addOperation(search)
    }

    /// Completion handlers and errors as in tutorials.
    private func handlers(_ container: CKContainer, _ query: CKQuery, _ record: CKRecord) {
        let database = container.privateCloudDatabase
        database.save(record) { _, error in
            if let error = error as? CKError, error.code == .serverRecordChanged { _ = error.serverRecord }
        }
        database.fetch(withQuery: query) { result in
            guard case .success((let matches, let cursor)) = result else { return }
            _ = (matches.count, cursor)
        }
        container.accountStatus { status, _ in
            switch status {
            case .available, .restricted, .temporarilyUnavailable: break
            case .noAccount, .couldNotDetermine: break
            @unknown default: break
            }
        }
        container.fetchUserRecordID { id, _ in _ = id?.recordName }
    }

    /// A sync as in tutorials: fetches the changed zones and then their records, and keeps the tokens.
    private func sync(_ database: CKDatabase, _ kept: CKServerChangeToken?) {
        var token = kept
        var changed: [CKRecordZone.ID] = []
        let zones = CKFetchDatabaseChangesOperation(previousServerChangeToken: kept)
        zones.fetchAllChanges = true
        zones.recordZoneWithIDChangedBlock = { changed.append($0) }
        zones.recordZoneWithIDWasDeletedBlock = { id in changed.removeAll { $0 == id } }
        zones.changeTokenUpdatedBlock = { token = $0 }
        zones.fetchDatabaseChangesCompletionBlock = { newToken, _, error in
            if let error = error as? CKError, error.code == .changeTokenExpired { token = nil }
            token = newToken ?? token
            let options = CKFetchRecordZoneChangesOperation.ZoneConfiguration()
            options.previousServerChangeToken = token
            let records = CKFetchRecordZoneChangesOperation(
                recordZoneIDs: changed,
                configurationsByRecordZoneID: Dictionary(uniqueKeysWithValues: changed.map { ($0, options) }))
            records.recordChangedBlock = { _ = $0.recordID }
            records.recordWithIDWasDeletedBlock = { id, type in _ = (id, type) }
            records.recordZoneChangeTokensUpdatedBlock = { _, token, _ in _ = token }
            records.recordZoneFetchCompletionBlock = { _, token, _, _, error in _ = (token, error) }
            records.recordZoneFetchResultBlock = { zoneID, result in
                switch result {
                case .success((let token, _, let moreComing)): _ = (zoneID, token, moreComing)
                case .failure(let error): _ = error
                }
            }
            records.fetchRecordZoneChangesResultBlock = { result in
                if case .failure(let error) = result { _ = error.localizedDescription }
            }
            records.qualityOfService = .utility
            database.add(records)
        }
        database.add(zones)
    }

    /// The same sync with async calls.
    private func sync(_ database: CKDatabase, _ zoneID: CKRecordZone.ID) async throws {
        var token: CKServerChangeToken?
        var awaitingChanges = true
        while awaitingChanges {
            let zoneChanges = try await database.recordZoneChanges(inZoneWith: zoneID, since: token)
            let changes = zoneChanges.modificationResultsByID.compactMapValues { try? $0.get().record }
            let deleted = zoneChanges.deletions.map { $0.recordID.recordName }
            _ = (changes.count, deleted)
            token = zoneChanges.changeToken
            awaitingChanges = zoneChanges.moreComing
        }
        let (modifications, deletions, newToken, _) = try await database.databaseChanges(since: nil)
        for deletion in deletions where deletion.reason != .deleted { _ = deletion.zoneID }
        _ = (modifications.map(\.zoneID), newToken)
    }

    /// Async calls as in newer code.
    private func modern(_ database: CKDatabase, _ query: CKQuery, _ record: CKRecord) async throws {
        let (matches, cursor) = try await database.records(matching: query, inZoneWith: nil)
        let records = matches.compactMap { try? $0.1.get() }
        if let cursor { _ = try await database.records(continuingMatchFrom: cursor) }
        let (saved, _) = try await database.modifyRecords(saving: records, deleting: [], savePolicy: .allKeys)
        for (_, result) in saved {
            switch result {
            case .success: continue
            case .failure(let error as CKError) where error.code == .zoneNotFound: _ = error.retryAfterSeconds
            case .failure(let error): throw error
            }
        }
        do {
            try await database.save(CKRecordZone(zoneName: "Z"))
        } catch CKError.networkFailure {
            return
        } catch let error as CKError where error.code == .quotaExceeded {
            return
        }
        database.save(record) { _, _ in }
        try await database.configuredWith(configuration: CKOperation.Configuration()) { configured in
            _ = try await configured.record(for: record.recordID)
        }
    }
}
