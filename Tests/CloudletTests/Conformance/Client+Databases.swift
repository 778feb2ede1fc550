import CloudKit
import Foundation

extension Client {
    @available(*, deprecated)
    static func useDatabasesA() {
        let _: any (NSObject & Sendable).Type = CKDatabase.self
        let _: any (Sendable & RawRepresentable<Int>).Type = CKDatabase.Scope.self
        let _: [CKDatabase.Scope] = [.`public`, .`private`, .shared]
        let _: Readable<CKDatabase, CKDatabase.Scope> = \.databaseScope
        let _: (CKDatabase) -> (CKDatabaseOperation) -> Void = CKDatabase.add(_:)
        let _: (CKDatabase) -> (CKRecord.ID, @escaping Answer<CKRecord>) -> Void = CKDatabase.fetch(
            withRecordID:completionHandler:)
        let _: (CKDatabase) -> (CKRecord.ID) async throws -> CKRecord = CKDatabase.record(for:)
        let _: (CKDatabase) -> (CKRecord, @escaping Answer<CKRecord>) -> Void = CKDatabase.save(
            _:completionHandler:)
        let _: (CKDatabase) -> (CKRecord) async throws -> CKRecord = CKDatabase.save(_:)
        let _: (CKDatabase) -> (CKRecord.ID, @escaping Answer<CKRecord.ID>) -> Void = CKDatabase.delete(
            withRecordID:completionHandler:)
        let _: (CKDatabase) -> (CKRecord.ID) async throws -> CKRecord.ID = CKDatabase.deleteRecord(withID:)
        let _: (CKDatabase) -> (CKQuery, CKRecordZone.ID?, @escaping Answer<[CKRecord]>) -> Void = CKDatabase
            .perform(_:inZoneWith:completionHandler:)
        let _: (CKDatabase) -> (@escaping Answer<[CKRecordZone]>) -> Void = CKDatabase.fetchAllRecordZones(
            completionHandler:)
        let _: (CKDatabase) -> () async throws -> [CKRecordZone] = CKDatabase.allRecordZones
        let _: (CKDatabase) -> (CKRecordZone.ID, @escaping Answer<CKRecordZone>) -> Void = CKDatabase.fetch(
            withRecordZoneID:completionHandler:)
        let _: (CKDatabase) -> (CKRecordZone.ID) async throws -> CKRecordZone = CKDatabase.recordZone(for:)
        let _: (CKDatabase) -> (CKRecordZone, @escaping Answer<CKRecordZone>) -> Void = CKDatabase.save(
            _:completionHandler:)
        let _: (CKDatabase) -> (CKRecordZone) async throws -> CKRecordZone = CKDatabase.save(_:)
        let _: (CKDatabase) -> (CKRecordZone.ID, @escaping Answer<CKRecordZone.ID>) -> Void = CKDatabase
            .delete(withRecordZoneID:completionHandler:)
        let _: (CKDatabase) -> (CKRecordZone.ID) async throws -> CKRecordZone.ID = CKDatabase
            .deleteRecordZone(withID:)
        let _: (CKDatabase) -> (CKSubscription.ID, @escaping Answer<CKSubscription>) -> Void = CKDatabase
            .fetch(withSubscriptionID:completionHandler:)
        let _: (CKDatabase) -> (CKSubscription.ID) async throws -> CKSubscription = CKDatabase.subscription(
            for:)
        let _: (CKDatabase) -> (@escaping Answer<[CKSubscription]>) -> Void = CKDatabase
            .fetchAllSubscriptions(completionHandler:)
        let _: (CKDatabase) -> () async throws -> [CKSubscription] = CKDatabase.allSubscriptions
        let _: (CKDatabase) -> (CKSubscription, @escaping Answer<CKSubscription>) -> Void = CKDatabase.save(
            _:completionHandler:)
        let _: (CKDatabase) -> (CKSubscription) async throws -> CKSubscription = CKDatabase.save(_:)
        let _: (CKDatabase) -> (CKSubscription.ID, @escaping Answer<String>) -> Void = CKDatabase.delete(
            withSubscriptionID:completionHandler:)
        let _: (CKDatabase) -> (CKSubscription.ID) async throws -> CKSubscription.ID = CKDatabase
            .deleteSubscription(withID:)
        let _: (CKDatabase) -> (CKQuery, CKRecordZone.ID?) async throws -> [CKRecord] = CKDatabase.records(
            matching:inZoneWith:)
        let _:
            (CKDatabase) -> (CKOperation.Configuration?, CKOperationGroup?, (CKDatabase) throws -> Int) throws
                -> Int = CKDatabase.configuredWith(configuration:group:body:)
    }

    @available(*, deprecated)
    static func useDatabasesB() {
        let _:
            (CKDatabase) -> (
                CKOperation.Configuration?, CKOperationGroup?, @Sendable (CKDatabase) async throws -> Int
            ) async throws -> Int = CKDatabase.configuredWith(configuration:group:body:)
        let _:
            (CKDatabase) -> (
                [CKRecord.ID], [CKRecord.FieldKey]?, @escaping Handler<[CKRecord.ID: Outcome<CKRecord>]>
            ) -> Void = CKDatabase.fetch(withRecordIDs:desiredKeys:completionHandler:)
        let _:
            (CKDatabase) -> ([CKRecord.ID], [CKRecord.FieldKey]?) async throws -> [CKRecord.ID: Outcome<
                CKRecord
            >] = CKDatabase.records(for:desiredKeys:)
        let _:
            (CKDatabase) -> (
                [CKRecord], [CKRecord.ID], CKModifyRecordsOperation.RecordSavePolicy, Bool,
                @escaping Handler<
                    (
                        saveResults: [CKRecord.ID: Outcome<CKRecord>],
                        deleteResults: [CKRecord.ID: Outcome<Void>]
                    )
                >
            ) -> Void = CKDatabase.modifyRecords(saving:deleting:savePolicy:atomically:completionHandler:)
        let _:
            (CKDatabase) -> ([CKRecord], [CKRecord.ID], CKModifyRecordsOperation.RecordSavePolicy, Bool)
                async throws -> (
                    saveResults: [CKRecord.ID: Outcome<CKRecord>], deleteResults: [CKRecord.ID: Outcome<Void>]
                ) = CKDatabase.modifyRecords(saving:deleting:savePolicy:atomically:)
        let _:
            (CKDatabase) -> (
                CKQuery, CKRecordZone.ID?, [CKRecord.FieldKey]?, Int,
                @escaping Handler<
                    (matchResults: [(CKRecord.ID, Outcome<CKRecord>)], queryCursor: CKQueryOperation.Cursor?)
                >
            ) -> Void = CKDatabase.fetch(withQuery:inZoneWith:desiredKeys:resultsLimit:completionHandler:)
        let _:
            (CKDatabase) -> (
                CKQueryOperation.Cursor, [CKRecord.FieldKey]?, Int,
                @escaping Handler<
                    (matchResults: [(CKRecord.ID, Outcome<CKRecord>)], queryCursor: CKQueryOperation.Cursor?)
                >
            ) -> Void = CKDatabase.fetch(withCursor:desiredKeys:resultsLimit:completionHandler:)
        let _:
            (CKDatabase) -> (CKQuery, CKRecordZone.ID?, [CKRecord.FieldKey]?, Int) async throws -> (
                matchResults: [(CKRecord.ID, Outcome<CKRecord>)], queryCursor: CKQueryOperation.Cursor?
            ) = CKDatabase.records(matching:inZoneWith:desiredKeys:resultsLimit:)
        let _:
            (CKDatabase) -> (CKQueryOperation.Cursor, [CKRecord.FieldKey]?, Int) async throws -> (
                matchResults: [(CKRecord.ID, Outcome<CKRecord>)], queryCursor: CKQueryOperation.Cursor?
            ) = CKDatabase.records(continuingMatchFrom:desiredKeys:resultsLimit:)
    }

    @available(*, deprecated)
    static func useDatabasesC() {
        let _:
            (CKDatabase) -> ([CKRecordZone.ID], @escaping Handler<[CKRecordZone.ID: Outcome<CKRecordZone>]>)
                -> Void = CKDatabase.fetch(withRecordZoneIDs:completionHandler:)
        let _: (CKDatabase) -> ([CKRecordZone.ID]) async throws -> [CKRecordZone.ID: Outcome<CKRecordZone>] =
            CKDatabase.recordZones(for:)
        let _:
            (CKDatabase) -> (
                [CKRecordZone], [CKRecordZone.ID],
                @escaping Handler<
                    (
                        saveResults: [CKRecordZone.ID: Outcome<CKRecordZone>],
                        deleteResults: [CKRecordZone.ID: Outcome<Void>]
                    )
                >
            ) -> Void = CKDatabase.modifyRecordZones(saving:deleting:completionHandler:)
        let _:
            (CKDatabase) -> ([CKRecordZone], [CKRecordZone.ID]) async throws -> (
                saveResults: [CKRecordZone.ID: Outcome<CKRecordZone>],
                deleteResults: [CKRecordZone.ID: Outcome<Void>]
            ) = CKDatabase.modifyRecordZones(saving:deleting:)
        let _:
            (CKDatabase) -> (
                [CKSubscription.ID], @escaping Handler<[CKSubscription.ID: Outcome<CKSubscription>]>
            ) -> Void = CKDatabase.fetch(withSubscriptionIDs:completionHandler:)
        let _:
            (CKDatabase) -> ([CKSubscription.ID]) async throws
                -> [CKSubscription.ID: Outcome<CKSubscription>] =
                CKDatabase.subscriptions(for:)
        let _:
            (CKDatabase) -> (
                [CKSubscription], [CKSubscription.ID],
                @escaping Handler<
                    (
                        saveResults: [CKSubscription.ID: Outcome<CKSubscription>],
                        deleteResults: [CKSubscription.ID: Outcome<Void>]
                    )
                >
            ) -> Void = CKDatabase.modifySubscriptions(saving:deleting:completionHandler:)
        let _:
            (CKDatabase) -> ([CKSubscription], [CKSubscription.ID]) async throws -> (
                saveResults: [CKSubscription.ID: Outcome<CKSubscription>],
                deleteResults: [CKSubscription.ID: Outcome<Void>]
            ) = CKDatabase.modifySubscriptions(saving:deleting:)
        let _: CKDatabase.DatabaseChange.Type = CKDatabase.DatabaseChange.self
        let _: any (Hashable & Sendable).Type = CKDatabase.DatabaseChange.Modification.self
        let _: Readable<CKDatabase.DatabaseChange.Modification, CKRecordZone.ID> = \.zoneID
        let _: any (Hashable & Sendable).Type = CKDatabase.DatabaseChange.Deletion.self
        let _: Readable<CKDatabase.DatabaseChange.Deletion, CKRecordZone.ID> = \.zoneID
        let _: Readable<CKDatabase.DatabaseChange.Deletion, CKDatabase.DatabaseChange.Deletion.Reason> =
            \.reason
    }

    @available(*, deprecated)
    static func useDatabasesD() {
        let _: any (Sendable).Type = CKDatabase.DatabaseChange.Deletion.Reason.self
        let _: [CKDatabase.DatabaseChange.Deletion.Reason] = [.deleted, .purged, .encryptedDataReset]
        let _: Readable<CKDatabase.DatabaseChange.Deletion, Bool> = \.purged
        let _:
            (CKDatabase) -> (
                CKServerChangeToken?, Int?,
                @escaping Handler<
                    (
                        modifications: [CKDatabase.DatabaseChange.Modification],
                        deletions: [CKDatabase.DatabaseChange.Deletion], changeToken: CKServerChangeToken,
                        moreComing: Bool
                    )
                >
            ) -> Void = CKDatabase.fetchDatabaseChanges(since:resultsLimit:completionHandler:)
        let _:
            (CKDatabase) -> (CKServerChangeToken?, Int?) async throws -> (
                modifications: [CKDatabase.DatabaseChange.Modification],
                deletions: [CKDatabase.DatabaseChange.Deletion], changeToken: CKServerChangeToken,
                moreComing: Bool
            ) = CKDatabase.databaseChanges(since:resultsLimit:)
        let _: CKDatabase.RecordZoneChange.Type = CKDatabase.RecordZoneChange.self
        let _: any (Hashable & Sendable).Type = CKDatabase.RecordZoneChange.Modification.self
        let _: Readable<CKDatabase.RecordZoneChange.Modification, CKRecord> = \.record
        let _: any (Hashable & Sendable).Type = CKDatabase.RecordZoneChange.Deletion.self
        let _: Readable<CKDatabase.RecordZoneChange.Deletion, CKRecord.ID> = \.recordID
        let _: Readable<CKDatabase.RecordZoneChange.Deletion, CKRecord.RecordType> = \.recordType
        let _:
            (CKDatabase) -> (
                CKRecordZone.ID, CKServerChangeToken?, [CKRecord.FieldKey]?, Int?,
                @escaping Handler<
                    (
                        modificationResultsByID: [CKRecord.ID: Outcome<
                            CKDatabase.RecordZoneChange.Modification
                        >], deletions: [CKDatabase.RecordZoneChange.Deletion],
                        changeToken: CKServerChangeToken, moreComing: Bool
                    )
                >
            ) -> Void = CKDatabase.fetchRecordZoneChanges(
                inZoneWith:since:desiredKeys:resultsLimit:completionHandler:)
        let _:
            (CKDatabase) -> (CKRecordZone.ID, CKServerChangeToken?, [CKRecord.FieldKey]?, Int?) async throws
                -> (
                    modificationResultsByID: [CKRecord.ID: Outcome<CKDatabase.RecordZoneChange.Modification>],
                    deletions: [CKDatabase.RecordZoneChange.Deletion], changeToken: CKServerChangeToken,
                    moreComing: Bool
                ) = CKDatabase.recordZoneChanges(inZoneWith:since:desiredKeys:resultsLimit:)
    }
}
