import CloudKit
import Foundation

extension Client {
    @available(*, deprecated)
    static func useModifyRecordsOperation() {
        let _: any (CKDatabaseOperation & Sendable).Type = CKModifyRecordsOperation.self
    }

    @available(*, deprecated)
    static func useModifyRecordsOperationRecordSavePolicy() {
        let _: any (Sendable & RawRepresentable<Int>).Type = CKModifyRecordsOperation.RecordSavePolicy.self
        let _: CKModifyRecordsOperation.RecordSavePolicy = CKModifyRecordsOperation.RecordSavePolicy
            .ifServerRecordUnchanged
        let _: CKModifyRecordsOperation.RecordSavePolicy = CKModifyRecordsOperation.RecordSavePolicy
            .changedKeys
        let _: CKModifyRecordsOperation.RecordSavePolicy = CKModifyRecordsOperation.RecordSavePolicy.allKeys
    }

    @available(*, deprecated)
    static func useModifyRecordsOperation2() {
        let _: () -> CKModifyRecordsOperation = CKModifyRecordsOperation.init
        let _: ([CKRecord]?, [CKRecord.ID]?) -> CKModifyRecordsOperation = CKModifyRecordsOperation.init(
            recordsToSave:recordIDsToDelete:)
        let _: ReferenceWritableKeyPath<CKModifyRecordsOperation, [CKRecord]?> =
            \CKModifyRecordsOperation.recordsToSave
        let _: ReferenceWritableKeyPath<CKModifyRecordsOperation, [CKRecord.ID]?> =
            \CKModifyRecordsOperation.recordIDsToDelete
        let _: ReferenceWritableKeyPath<CKModifyRecordsOperation, CKModifyRecordsOperation.RecordSavePolicy> =
            \CKModifyRecordsOperation.savePolicy
        let _: ReferenceWritableKeyPath<CKModifyRecordsOperation, Data?> =
            \CKModifyRecordsOperation.clientChangeTokenData
        let _: ReferenceWritableKeyPath<CKModifyRecordsOperation, Bool> = \CKModifyRecordsOperation.isAtomic
    }

    @available(*, deprecated)
    static func useModifyRecordsOperation3() {
        let _: ReferenceWritableKeyPath<CKModifyRecordsOperation, ((CKRecord, Double) -> Void)?> =
            \CKModifyRecordsOperation.perRecordProgressBlock
        let _: ReferenceWritableKeyPath<CKModifyRecordsOperation, ((CKRecord, (any Error)?) -> Void)?> =
            \CKModifyRecordsOperation.perRecordCompletionBlock
        let _:
            ReferenceWritableKeyPath<
                CKModifyRecordsOperation, (([CKRecord]?, [CKRecord.ID]?, (any Error)?) -> Void)?
            > = \CKModifyRecordsOperation.modifyRecordsCompletionBlock
        let _:
            ReferenceWritableKeyPath<
                CKModifyRecordsOperation,
                ((_ recordID: CKRecord.ID, _ saveResult: Result<CKRecord, any Error>) -> Void)?
            > = \CKModifyRecordsOperation.perRecordSaveBlock
        let _:
            ReferenceWritableKeyPath<
                CKModifyRecordsOperation,
                ((_ recordID: CKRecord.ID, _ deleteResult: Result<Void, any Error>) -> Void)?
            > = \CKModifyRecordsOperation.perRecordDeleteBlock
    }

    @available(*, deprecated)
    static func useModifyRecordsOperation4() {
        let _:
            ReferenceWritableKeyPath<
                CKModifyRecordsOperation, ((_ operationResult: Result<Void, any Error>) -> Void)?
            > = \CKModifyRecordsOperation.modifyRecordsResultBlock
    }

    @available(*, deprecated)
    static func useModifyRecordZonesOperation() {
        let _: any (CKDatabaseOperation & Sendable).Type = CKModifyRecordZonesOperation.self
        let _: () -> CKModifyRecordZonesOperation = CKModifyRecordZonesOperation.init
        let _: ([CKRecordZone]?, [CKRecordZone.ID]?) -> CKModifyRecordZonesOperation =
            CKModifyRecordZonesOperation.init(recordZonesToSave:recordZoneIDsToDelete:)
        let _: ReferenceWritableKeyPath<CKModifyRecordZonesOperation, [CKRecordZone]?> =
            \CKModifyRecordZonesOperation.recordZonesToSave
        let _: ReferenceWritableKeyPath<CKModifyRecordZonesOperation, [CKRecordZone.ID]?> =
            \CKModifyRecordZonesOperation.recordZoneIDsToDelete
        let _:
            ReferenceWritableKeyPath<
                CKModifyRecordZonesOperation, (([CKRecordZone]?, [CKRecordZone.ID]?, (any Error)?) -> Void)?
            > = \CKModifyRecordZonesOperation.modifyRecordZonesCompletionBlock
        let _:
            ReferenceWritableKeyPath<
                CKModifyRecordZonesOperation,
                ((_ recordZoneID: CKRecordZone.ID, _ saveResult: Result<CKRecordZone, any Error>) -> Void)?
            > = \CKModifyRecordZonesOperation.perRecordZoneSaveBlock
    }

    @available(*, deprecated)
    static func useModifyRecordZonesOperation2() {
        let _:
            ReferenceWritableKeyPath<
                CKModifyRecordZonesOperation,
                ((_ recordZoneID: CKRecordZone.ID, _ deleteResult: Result<Void, any Error>) -> Void)?
            > = \CKModifyRecordZonesOperation.perRecordZoneDeleteBlock
        let _:
            ReferenceWritableKeyPath<
                CKModifyRecordZonesOperation, ((_ operationResult: Result<Void, any Error>) -> Void)?
            > = \CKModifyRecordZonesOperation.modifyRecordZonesResultBlock
    }

    @available(*, deprecated)
    static func useModifySubscriptionsOperation() {
        let _: any (CKDatabaseOperation & Sendable).Type = CKModifySubscriptionsOperation.self
        let _: () -> CKModifySubscriptionsOperation = CKModifySubscriptionsOperation.init
        let _: ([CKSubscription]?, [CKSubscription.ID]?) -> CKModifySubscriptionsOperation =
            CKModifySubscriptionsOperation.init(subscriptionsToSave:subscriptionIDsToDelete:)
        let _: ReferenceWritableKeyPath<CKModifySubscriptionsOperation, [CKSubscription]?> =
            \CKModifySubscriptionsOperation.subscriptionsToSave
        let _: ReferenceWritableKeyPath<CKModifySubscriptionsOperation, [CKSubscription.ID]?> =
            \CKModifySubscriptionsOperation.subscriptionIDsToDelete
        let _:
            ReferenceWritableKeyPath<
                CKModifySubscriptionsOperation,
                (
                    (
                        _ savedSubscriptions: [CKSubscription]?,
                        _ deletedSubscriptionIDs: [CKSubscription.ID]?, _ operationError: (any Error)?
                    ) -> Void
                )?
            > = \CKModifySubscriptionsOperation.modifySubscriptionsCompletionBlock
    }

    @available(*, deprecated)
    static func useModifySubscriptionsOperation2() {
        let _:
            ReferenceWritableKeyPath<
                CKModifySubscriptionsOperation,
                (
                    (_ subscriptionID: CKSubscription.ID, _ saveResult: Result<CKSubscription, any Error>) ->
                        Void
                )?
            > = \CKModifySubscriptionsOperation.perSubscriptionSaveBlock
        let _:
            ReferenceWritableKeyPath<
                CKModifySubscriptionsOperation,
                ((_ subscriptionID: CKSubscription.ID, _ deleteResult: Result<Void, any Error>) -> Void)?
            > = \CKModifySubscriptionsOperation.perSubscriptionDeleteBlock
        let _:
            ReferenceWritableKeyPath<
                CKModifySubscriptionsOperation, ((_ operationResult: Result<Void, any Error>) -> Void)?
            > = \CKModifySubscriptionsOperation.modifySubscriptionsResultBlock
    }

    @available(*, deprecated)
    static func useFetchRecordsOperation() {
        let _: any (CKDatabaseOperation & Sendable).Type = CKFetchRecordsOperation.self
        let _: () -> CKFetchRecordsOperation = CKFetchRecordsOperation.init
        let _: ([CKRecord.ID]) -> CKFetchRecordsOperation = CKFetchRecordsOperation.init(recordIDs:)
        let _: () -> CKFetchRecordsOperation = CKFetchRecordsOperation.fetchCurrentUserRecordOperation
        let _: ReferenceWritableKeyPath<CKFetchRecordsOperation, [CKRecord.ID]?> =
            \CKFetchRecordsOperation.recordIDs
        let _: ReferenceWritableKeyPath<CKFetchRecordsOperation, [CKRecord.FieldKey]?> =
            \CKFetchRecordsOperation.desiredKeys
        let _: ReferenceWritableKeyPath<CKFetchRecordsOperation, ((CKRecord.ID, Double) -> Void)?> =
            \CKFetchRecordsOperation.perRecordProgressBlock
        let _:
            ReferenceWritableKeyPath<
                CKFetchRecordsOperation, ((CKRecord?, CKRecord.ID?, (any Error)?) -> Void)?
            > = \CKFetchRecordsOperation.perRecordCompletionBlock
    }

    @available(*, deprecated)
    static func useFetchRecordsOperation2() {
        let _:
            ReferenceWritableKeyPath<
                CKFetchRecordsOperation, (([CKRecord.ID: CKRecord]?, (any Error)?) -> Void)?
            > = \CKFetchRecordsOperation.fetchRecordsCompletionBlock
        let _:
            ReferenceWritableKeyPath<
                CKFetchRecordsOperation,
                ((_ recordID: CKRecord.ID, _ recordResult: Result<CKRecord, any Error>) -> Void)?
            > = \CKFetchRecordsOperation.perRecordResultBlock
        let _:
            ReferenceWritableKeyPath<
                CKFetchRecordsOperation, ((_ operationResult: Result<Void, any Error>) -> Void)?
            > = \CKFetchRecordsOperation.fetchRecordsResultBlock
    }

    @available(*, deprecated)
    static func useFetchRecordZonesOperation() {
        let _: any (CKDatabaseOperation & Sendable).Type = CKFetchRecordZonesOperation.self
        let _: () -> CKFetchRecordZonesOperation = CKFetchRecordZonesOperation.init
        let _: ([CKRecordZone.ID]) -> CKFetchRecordZonesOperation = CKFetchRecordZonesOperation.init(
            recordZoneIDs:)
        let _: () -> CKFetchRecordZonesOperation = CKFetchRecordZonesOperation.fetchAllRecordZonesOperation
        let _: ReferenceWritableKeyPath<CKFetchRecordZonesOperation, [CKRecordZone.ID]?> =
            \CKFetchRecordZonesOperation.recordZoneIDs
        let _:
            ReferenceWritableKeyPath<
                CKFetchRecordZonesOperation, (([CKRecordZone.ID: CKRecordZone]?, (any Error)?) -> Void)?
            > = \CKFetchRecordZonesOperation.fetchRecordZonesCompletionBlock
        let _:
            ReferenceWritableKeyPath<
                CKFetchRecordZonesOperation,
                (
                    (_ recordZoneID: CKRecordZone.ID, _ recordZoneResult: Result<CKRecordZone, any Error>) ->
                        Void
                )?
            > = \CKFetchRecordZonesOperation.perRecordZoneResultBlock
    }

    @available(*, deprecated)
    static func useFetchRecordZonesOperation2() {
        let _:
            ReferenceWritableKeyPath<
                CKFetchRecordZonesOperation, ((_ operationResult: Result<Void, any Error>) -> Void)?
            > = \CKFetchRecordZonesOperation.fetchRecordZonesResultBlock
    }

    @available(*, deprecated)
    static func useFetchSubscriptionsOperation() {
        let _: any (CKDatabaseOperation & Sendable).Type = CKFetchSubscriptionsOperation.self
        let _: () -> CKFetchSubscriptionsOperation = CKFetchSubscriptionsOperation.init
        let _: ([CKSubscription.ID]) -> CKFetchSubscriptionsOperation = CKFetchSubscriptionsOperation.init(
            subscriptionIDs:)
        let _: () -> CKFetchSubscriptionsOperation = CKFetchSubscriptionsOperation
            .fetchAllSubscriptionsOperation
        let _: ReferenceWritableKeyPath<CKFetchSubscriptionsOperation, [CKSubscription.ID]?> =
            \CKFetchSubscriptionsOperation.subscriptionIDs
        let _:
            ReferenceWritableKeyPath<
                CKFetchSubscriptionsOperation,
                (
                    (
                        _ subscriptionsBySubscriptionID: [CKSubscription.ID: CKSubscription]?,
                        _ operationError: (any Error)?
                    ) -> Void
                )?
            > = \CKFetchSubscriptionsOperation.fetchSubscriptionCompletionBlock
    }

    @available(*, deprecated)
    static func useFetchSubscriptionsOperation2() {
        let _:
            ReferenceWritableKeyPath<
                CKFetchSubscriptionsOperation,
                (
                    (
                        _ subscriptionID: CKSubscription.ID,
                        _ subscriptionResult: Result<CKSubscription, any Error>
                    ) -> Void
                )?
            > = \CKFetchSubscriptionsOperation.perSubscriptionResultBlock
        let _:
            ReferenceWritableKeyPath<
                CKFetchSubscriptionsOperation, ((_ operationResult: Result<Void, any Error>) -> Void)?
            > = \CKFetchSubscriptionsOperation.fetchSubscriptionsResultBlock
    }

    @available(*, deprecated)
    static func useFetchWebAuthTokenOperation() {
        let _: any (CKDatabaseOperation & Sendable).Type = CKFetchWebAuthTokenOperation.self
        let _: () -> CKFetchWebAuthTokenOperation = CKFetchWebAuthTokenOperation.init
        let _: (String) -> CKFetchWebAuthTokenOperation = CKFetchWebAuthTokenOperation.init(apiToken:)
        let _: ReferenceWritableKeyPath<CKFetchWebAuthTokenOperation, String?> =
            \CKFetchWebAuthTokenOperation.apiToken
        let _: ReferenceWritableKeyPath<CKFetchWebAuthTokenOperation, ((String?, (any Error)?) -> Void)?> =
            \CKFetchWebAuthTokenOperation.fetchWebAuthTokenCompletionBlock
        let _:
            ReferenceWritableKeyPath<
                CKFetchWebAuthTokenOperation, ((_ operationResult: Result<String, any Error>) -> Void)?
            > = \CKFetchWebAuthTokenOperation.fetchWebAuthTokenResultBlock
    }

    @available(*, deprecated)
    static func useFetchDatabaseChangesOperation() {
        let _: any (CKDatabaseOperation & Sendable).Type = CKFetchDatabaseChangesOperation.self
        let _: () -> CKFetchDatabaseChangesOperation = CKFetchDatabaseChangesOperation.init
        let _: (CKServerChangeToken?) -> CKFetchDatabaseChangesOperation = CKFetchDatabaseChangesOperation
            .init(previousServerChangeToken:)
        let _: ReferenceWritableKeyPath<CKFetchDatabaseChangesOperation, CKServerChangeToken?> =
            \CKFetchDatabaseChangesOperation.previousServerChangeToken
        let _: ReferenceWritableKeyPath<CKFetchDatabaseChangesOperation, Int> =
            \CKFetchDatabaseChangesOperation.resultsLimit
        let _: ReferenceWritableKeyPath<CKFetchDatabaseChangesOperation, Bool> =
            \CKFetchDatabaseChangesOperation.fetchAllChanges
        let _: ReferenceWritableKeyPath<CKFetchDatabaseChangesOperation, ((CKRecordZone.ID) -> Void)?> =
            \CKFetchDatabaseChangesOperation.recordZoneWithIDChangedBlock
    }

    @available(*, deprecated)
    static func useFetchDatabaseChangesOperation2() {
        let _: ReferenceWritableKeyPath<CKFetchDatabaseChangesOperation, ((CKRecordZone.ID) -> Void)?> =
            \CKFetchDatabaseChangesOperation.recordZoneWithIDWasDeletedBlock
        let _: ReferenceWritableKeyPath<CKFetchDatabaseChangesOperation, ((CKRecordZone.ID) -> Void)?> =
            \CKFetchDatabaseChangesOperation.recordZoneWithIDWasPurgedBlock
        let _: ReferenceWritableKeyPath<CKFetchDatabaseChangesOperation, ((CKRecordZone.ID) -> Void)?> =
            \CKFetchDatabaseChangesOperation.recordZoneWithIDWasDeletedDueToUserEncryptedDataResetBlock
        let _: ReferenceWritableKeyPath<CKFetchDatabaseChangesOperation, ((CKServerChangeToken) -> Void)?> =
            \CKFetchDatabaseChangesOperation.changeTokenUpdatedBlock
        let _:
            ReferenceWritableKeyPath<
                CKFetchDatabaseChangesOperation, ((CKServerChangeToken?, Bool, (any Error)?) -> Void)?
            > = \CKFetchDatabaseChangesOperation.fetchDatabaseChangesCompletionBlock
    }

    @available(*, deprecated)
    static func useFetchDatabaseChangesOperation3() {
        let _:
            ReferenceWritableKeyPath<
                CKFetchDatabaseChangesOperation,
                (
                    (
                        _ operationResult: Result<
                            (serverChangeToken: CKServerChangeToken, moreComing: Bool), any Error
                        >
                    ) -> Void
                )?
            > = \CKFetchDatabaseChangesOperation.fetchDatabaseChangesResultBlock
    }
}
