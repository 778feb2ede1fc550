import CloudKit
import Foundation

extension Client {
    @available(*, deprecated)
    static func useDatabase() {
        let _: any (NSObject & Sendable).Type = CKDatabase.self
    }

    @available(*, deprecated)
    static func useDatabaseScope() {
        let _: any (Sendable & RawRepresentable<Int>).Type = CKDatabase.Scope.self
        let _: CKDatabase.Scope = CKDatabase.Scope.`public`
        let _: CKDatabase.Scope = CKDatabase.Scope.`private`
        let _: CKDatabase.Scope = CKDatabase.Scope.shared
    }

    @available(*, deprecated)
    static func useDatabase2() {
        let _: KeyPath<CKDatabase, CKDatabase.Scope> = \CKDatabase.databaseScope
        let _: (CKDatabase) -> (CKDatabaseOperation) -> Void = CKDatabase.add(_:)
        let _: (CKDatabase) -> (CKRecord.ID, @escaping @Sendable (CKRecord?, (any Error)?) -> Void) -> Void =
            CKDatabase.fetch(withRecordID:completionHandler:)
        let _: (CKDatabase) -> (CKRecord.ID) async throws -> CKRecord = CKDatabase.record(for:)
        let _: (CKDatabase) -> (CKRecord, @escaping @Sendable (CKRecord?, (any Error)?) -> Void) -> Void =
            CKDatabase.save(_:completionHandler:)
        let _: (CKDatabase) -> (CKRecord) async throws -> CKRecord = CKDatabase.save(_:)
        let _:
            (CKDatabase) -> (CKRecord.ID, @escaping @Sendable (CKRecord.ID?, (any Error)?) -> Void) -> Void =
                CKDatabase.delete(withRecordID:completionHandler:)
        let _: (CKDatabase) -> (CKRecord.ID) async throws -> CKRecord.ID = CKDatabase.deleteRecord(withID:)
    }

    @available(*, deprecated)
    static func useDatabase3() {
        let _:
            (CKDatabase) -> (
                CKQuery, CKRecordZone.ID?, @escaping @Sendable ([CKRecord]?, (any Error)?) -> Void
            ) -> Void = CKDatabase.perform(_:inZoneWith:completionHandler:)
        let _: (CKDatabase) -> (@escaping @Sendable ([CKRecordZone]?, (any Error)?) -> Void) -> Void =
            CKDatabase.fetchAllRecordZones(completionHandler:)
        let _: (CKDatabase) -> () async throws -> [CKRecordZone] = CKDatabase.allRecordZones
        let _: (CKDatabase) -> (CKRecordZone.ID, @escaping Client.Answer<CKRecordZone>) -> Void = CKDatabase
            .fetch(withRecordZoneID:completionHandler:)
        let _: (CKDatabase) -> (CKRecordZone.ID) async throws -> CKRecordZone = CKDatabase.recordZone(for:)
        let _: (CKDatabase) -> (CKRecordZone, @escaping Client.Answer<CKRecordZone>) -> Void = CKDatabase
            .save(_:completionHandler:)
        let _: (CKDatabase) -> (CKRecordZone) async throws -> CKRecordZone = CKDatabase.save(_:)
    }

    @available(*, deprecated)
    static func useDatabase4() {
        let _:
            (CKDatabase) -> (CKRecordZone.ID, @escaping @Sendable (CKRecordZone.ID?, (any Error)?) -> Void) ->
                Void = CKDatabase.delete(withRecordZoneID:completionHandler:)
        let _: (CKDatabase) -> (CKRecordZone.ID) async throws -> CKRecordZone.ID = CKDatabase
            .deleteRecordZone(withID:)
        let _:
            (CKDatabase) -> (CKSubscription.ID, @escaping @Sendable (CKSubscription?, (any Error)?) -> Void)
                -> Void = CKDatabase.fetch(withSubscriptionID:completionHandler:)
        let _: (CKDatabase) -> (CKSubscription.ID) async throws -> CKSubscription = CKDatabase.subscription(
            for:)
        let _: (CKDatabase) -> (@escaping @Sendable ([CKSubscription]?, (any Error)?) -> Void) -> Void =
            CKDatabase.fetchAllSubscriptions(completionHandler:)
        let _: (CKDatabase) -> () async throws -> [CKSubscription] = CKDatabase.allSubscriptions
    }

    @available(*, deprecated)
    static func useDatabase5() {
        let _:
            (CKDatabase) -> (CKSubscription, @escaping @Sendable (CKSubscription?, (any Error)?) -> Void) ->
                Void = CKDatabase.save(_:completionHandler:)
        let _: (CKDatabase) -> (CKSubscription) async throws -> CKSubscription = CKDatabase.save(_:)
        let _:
            (CKDatabase) -> (CKSubscription.ID, @escaping @Sendable (String?, (any Error)?) -> Void) -> Void =
                CKDatabase.delete(withSubscriptionID:completionHandler:)
        let _: (CKDatabase) -> (CKSubscription.ID) async throws -> CKSubscription.ID = CKDatabase
            .deleteSubscription(withID:)
        let _: (CKDatabase) -> (CKQuery, CKRecordZone.ID?) async throws -> [CKRecord] = CKDatabase.records(
            matching:inZoneWith:)
        let _:
            (CKDatabase) -> (
                CKOperation.Configuration?, CKOperationGroup?,
                (_ configuredDatabase: CKDatabase) throws -> Int
            ) throws -> Int = CKDatabase.configuredWith(configuration:group:body:)
    }

    @available(*, deprecated)
    static func useDatabase6() {
        let _:
            (CKDatabase) -> (
                CKOperation.Configuration?, CKOperationGroup?,
                @Sendable (_ configuredDatabase: CKDatabase) async throws -> Int
            ) async throws -> Int = CKDatabase.configuredWith(configuration:group:body:)
        let _:
            (CKDatabase) -> (
                [CKRecord.ID], [CKRecord.FieldKey]?,
                @escaping @Sendable (Result<[CKRecord.ID: Result<CKRecord, any Error>], any Error>) -> Void
            ) -> Void = CKDatabase.fetch(withRecordIDs:desiredKeys:completionHandler:)
        let _:
            (CKDatabase) -> ([CKRecord.ID], [CKRecord.FieldKey]?) async throws -> [CKRecord.ID: Result<
                CKRecord, any Error
            >] = CKDatabase.records(for:desiredKeys:)
    }

    @available(*, deprecated)
    static func useDatabase7() {
        let _:
            (CKDatabase) -> (
                [CKRecord], [CKRecord.ID], CKModifyRecordsOperation.RecordSavePolicy, Bool,
                @escaping @Sendable (
                    Result<
                        (
                            saveResults: [CKRecord.ID: Result<CKRecord, any Error>],
                            deleteResults: [CKRecord.ID: Result<Void, any Error>]
                        ), any Error
                    >
                ) -> Void
            ) -> Void = CKDatabase.modifyRecords(saving:deleting:savePolicy:atomically:completionHandler:)
        let _:
            (CKDatabase) -> ([CKRecord], [CKRecord.ID], CKModifyRecordsOperation.RecordSavePolicy, Bool)
                async throws -> (
                    saveResults: [CKRecord.ID: Result<CKRecord, any Error>],
                    deleteResults: [CKRecord.ID: Result<Void, any Error>]
                ) = CKDatabase.modifyRecords(saving:deleting:savePolicy:atomically:)
        let _:
            (CKDatabase) -> (
                CKQuery, CKRecordZone.ID?, [CKRecord.FieldKey]?, Int,
                @escaping @Sendable (
                    Result<
                        (
                            matchResults: [(CKRecord.ID, Result<CKRecord, any Error>)],
                            queryCursor: CKQueryOperation.Cursor?
                        ), any Error
                    >
                ) -> Void
            ) -> Void = CKDatabase.fetch(withQuery:inZoneWith:desiredKeys:resultsLimit:completionHandler:)
    }

    @available(*, deprecated)
    static func useDatabase8() {
        let _:
            (CKDatabase) -> (
                CKQueryOperation.Cursor, [CKRecord.FieldKey]?, Int,
                @escaping @Sendable (
                    Result<
                        (
                            matchResults: [(CKRecord.ID, Result<CKRecord, any Error>)],
                            queryCursor: CKQueryOperation.Cursor?
                        ), any Error
                    >
                ) -> Void
            ) -> Void = CKDatabase.fetch(withCursor:desiredKeys:resultsLimit:completionHandler:)
        let _:
            (CKDatabase) -> (CKQuery, CKRecordZone.ID?, [CKRecord.FieldKey]?, Int) async throws -> (
                matchResults: [(CKRecord.ID, Result<CKRecord, any Error>)],
                queryCursor: CKQueryOperation.Cursor?
            ) = CKDatabase.records(matching:inZoneWith:desiredKeys:resultsLimit:)
        let _:
            (CKDatabase) -> (CKQueryOperation.Cursor, [CKRecord.FieldKey]?, Int) async throws -> (
                matchResults: [(CKRecord.ID, Result<CKRecord, any Error>)],
                queryCursor: CKQueryOperation.Cursor?
            ) = CKDatabase.records(continuingMatchFrom:desiredKeys:resultsLimit:)
        let _:
            (CKDatabase) -> (
                [CKRecordZone.ID],
                @escaping @Sendable (Result<[CKRecordZone.ID: Result<CKRecordZone, any Error>], any Error>) ->
                    Void
            ) -> Void = CKDatabase.fetch(withRecordZoneIDs:completionHandler:)
    }

    @available(*, deprecated)
    static func useDatabase9() {
        let _:
            (CKDatabase) -> ([CKRecordZone.ID]) async throws -> [CKRecordZone.ID: Result<
                CKRecordZone, any Error
            >] = CKDatabase.recordZones(for:)
        let _:
            (CKDatabase) -> (
                [CKRecordZone], [CKRecordZone.ID],
                @escaping @Sendable (
                    Result<
                        (
                            saveResults: [CKRecordZone.ID: Result<CKRecordZone, any Error>],
                            deleteResults: [CKRecordZone.ID: Result<Void, any Error>]
                        ), any Error
                    >
                ) -> Void
            ) -> Void = CKDatabase.modifyRecordZones(saving:deleting:completionHandler:)
        let _:
            (CKDatabase) -> ([CKRecordZone], [CKRecordZone.ID]) async throws -> (
                saveResults: [CKRecordZone.ID: Result<CKRecordZone, any Error>],
                deleteResults: [CKRecordZone.ID: Result<Void, any Error>]
            ) = CKDatabase.modifyRecordZones(saving:deleting:)
        let _:
            (CKDatabase) -> (
                [CKSubscription.ID],
                @escaping @Sendable (
                    Result<[CKSubscription.ID: Result<CKSubscription, any Error>], any Error>
                ) -> Void
            ) -> Void = CKDatabase.fetch(withSubscriptionIDs:completionHandler:)
    }

    @available(*, deprecated)
    static func useDatabase10() {
        let _:
            (CKDatabase) -> ([CKSubscription.ID]) async throws -> [CKSubscription.ID: Result<
                CKSubscription, any Error
            >] = CKDatabase.subscriptions(for:)
        let _:
            (CKDatabase) -> (
                [CKSubscription], [CKSubscription.ID],
                @escaping @Sendable (
                    Result<
                        (
                            saveResults: [CKSubscription.ID: Result<CKSubscription, any Error>],
                            deleteResults: [CKSubscription.ID: Result<Void, any Error>]
                        ), any Error
                    >
                ) -> Void
            ) -> Void = CKDatabase.modifySubscriptions(saving:deleting:completionHandler:)
        let _:
            (CKDatabase) -> ([CKSubscription], [CKSubscription.ID]) async throws -> (
                saveResults: [CKSubscription.ID: Result<CKSubscription, any Error>],
                deleteResults: [CKSubscription.ID: Result<Void, any Error>]
            ) = CKDatabase.modifySubscriptions(saving:deleting:)
    }

    @available(*, deprecated)
    static func useDatabaseDatabaseChange() {
        let _: CKDatabase.DatabaseChange.Type = CKDatabase.DatabaseChange.self
    }

    @available(*, deprecated)
    static func useDatabaseDatabaseChangeModification() {
        let _: any (Hashable & Sendable).Type = CKDatabase.DatabaseChange.Modification.self
        let _: KeyPath<CKDatabase.DatabaseChange.Modification, CKRecordZone.ID> =
            \CKDatabase.DatabaseChange.Modification.zoneID
    }

    @available(*, deprecated)
    static func useDatabaseDatabaseChangeDeletion() {
        let _: any (Hashable & Sendable).Type = CKDatabase.DatabaseChange.Deletion.self
        let _: KeyPath<CKDatabase.DatabaseChange.Deletion, CKRecordZone.ID> =
            \CKDatabase.DatabaseChange.Deletion.zoneID
        let _: KeyPath<CKDatabase.DatabaseChange.Deletion, CKDatabase.DatabaseChange.Deletion.Reason> =
            \CKDatabase.DatabaseChange.Deletion.reason
    }

    @available(*, deprecated)
    static func useDatabaseDatabaseChangeDeletionReason() {
        let _: any (Sendable).Type = CKDatabase.DatabaseChange.Deletion.Reason.self
        let _: CKDatabase.DatabaseChange.Deletion.Reason = CKDatabase.DatabaseChange.Deletion.Reason.deleted
        let _: CKDatabase.DatabaseChange.Deletion.Reason = CKDatabase.DatabaseChange.Deletion.Reason.purged
        let _: CKDatabase.DatabaseChange.Deletion.Reason = CKDatabase.DatabaseChange.Deletion.Reason
            .encryptedDataReset
    }

    @available(*, deprecated)
    static func useDatabaseDatabaseChangeDeletion2() {
        let _: KeyPath<CKDatabase.DatabaseChange.Deletion, Bool> = \CKDatabase.DatabaseChange.Deletion.purged
    }

    @available(*, deprecated)
    static func useDatabase11() {
        let _:
            (CKDatabase) -> (
                CKServerChangeToken?, Int?,
                @escaping @Sendable (
                    Result<
                        (
                            modifications: [CKDatabase.DatabaseChange.Modification],
                            deletions: [CKDatabase.DatabaseChange.Deletion], changeToken: CKServerChangeToken,
                            moreComing: Bool
                        ), any Error
                    >
                ) -> Void
            ) -> Void = CKDatabase.fetchDatabaseChanges(since:resultsLimit:completionHandler:)
        let _:
            (CKDatabase) -> (CKServerChangeToken?, Int?) async throws -> (
                modifications: [CKDatabase.DatabaseChange.Modification],
                deletions: [CKDatabase.DatabaseChange.Deletion], changeToken: CKServerChangeToken,
                moreComing: Bool
            ) = CKDatabase.databaseChanges(since:resultsLimit:)
    }

    @available(*, deprecated)
    static func useDatabaseRecordZoneChange() {
        let _: CKDatabase.RecordZoneChange.Type = CKDatabase.RecordZoneChange.self
    }

    @available(*, deprecated)
    static func useDatabaseRecordZoneChangeModification() {
        let _: any (Hashable & Sendable).Type = CKDatabase.RecordZoneChange.Modification.self
        let _: KeyPath<CKDatabase.RecordZoneChange.Modification, CKRecord> =
            \CKDatabase.RecordZoneChange.Modification.record
    }

    @available(*, deprecated)
    static func useDatabaseRecordZoneChangeDeletion() {
        let _: any (Hashable & Sendable).Type = CKDatabase.RecordZoneChange.Deletion.self
        let _: KeyPath<CKDatabase.RecordZoneChange.Deletion, CKRecord.ID> =
            \CKDatabase.RecordZoneChange.Deletion.recordID
        let _: KeyPath<CKDatabase.RecordZoneChange.Deletion, CKRecord.RecordType> =
            \CKDatabase.RecordZoneChange.Deletion.recordType
    }

    @available(*, deprecated)
    static func useDatabase12() {
        let _:
            (CKDatabase) -> (
                CKRecordZone.ID, CKServerChangeToken?, [CKRecord.FieldKey]?, Int?,
                @escaping @Sendable (
                    Result<
                        (
                            modificationResultsByID: [CKRecord.ID: Result<
                                CKDatabase.RecordZoneChange.Modification, any Error
                            >], deletions: [CKDatabase.RecordZoneChange.Deletion],
                            changeToken: CKServerChangeToken, moreComing: Bool
                        ), any Error
                    >
                ) -> Void
            ) -> Void = CKDatabase.fetchRecordZoneChanges(
                inZoneWith:since:desiredKeys:resultsLimit:completionHandler:)
        let _:
            (CKDatabase) -> (CKRecordZone.ID, CKServerChangeToken?, [CKRecord.FieldKey]?, Int?) async throws
                -> (
                    modificationResultsByID: [CKRecord.ID: Result<
                        CKDatabase.RecordZoneChange.Modification, any Error
                    >], deletions: [CKDatabase.RecordZoneChange.Deletion], changeToken: CKServerChangeToken,
                    moreComing: Bool
                ) = CKDatabase.recordZoneChanges(inZoneWith:since:desiredKeys:resultsLimit:)
    }
}
