import CloudKit
import Foundation

extension Client {
    @available(*, deprecated)
    static func useItemOperationsA() {
        let _: any (CKDatabaseOperation & Sendable).Type = CKModifyRecordsOperation.self
        let _: any (Sendable & RawRepresentable<Int>).Type = CKModifyRecordsOperation.RecordSavePolicy.self
        let _: [CKModifyRecordsOperation.RecordSavePolicy] = [
            .ifServerRecordUnchanged, .changedKeys, .allKeys,
        ]
        let _: () -> CKModifyRecordsOperation = CKModifyRecordsOperation.init
        let _: ([CKRecord]?, [CKRecord.ID]?) -> CKModifyRecordsOperation = CKModifyRecordsOperation.init(
            recordsToSave:recordIDsToDelete:)
        let _: Writable<CKModifyRecordsOperation, [CKRecord]?> = \.recordsToSave
        let _: Writable<CKModifyRecordsOperation, [CKRecord.ID]?> = \.recordIDsToDelete
        let _: Writable<CKModifyRecordsOperation, CKModifyRecordsOperation.RecordSavePolicy> = \.savePolicy
        let _: Writable<CKModifyRecordsOperation, Data?> = \.clientChangeTokenData
        let _: Writable<CKModifyRecordsOperation, Bool> = \.isAtomic
        let _: Writable<CKModifyRecordsOperation, ((CKRecord, Double) -> Void)?> = \.perRecordProgressBlock
        let _: Writable<CKModifyRecordsOperation, ((CKRecord, (any Error)?) -> Void)?> =
            \.perRecordCompletionBlock
        let _: Writable<CKModifyRecordsOperation, (([CKRecord]?, [CKRecord.ID]?, (any Error)?) -> Void)?> =
            \.modifyRecordsCompletionBlock
        let _: Writable<CKModifyRecordsOperation, ((CKRecord.ID, Outcome<CKRecord>) -> Void)?> =
            \.perRecordSaveBlock
        let _: Writable<CKModifyRecordsOperation, ((CKRecord.ID, Outcome<Void>) -> Void)?> =
            \.perRecordDeleteBlock
        let _: Writable<CKModifyRecordsOperation, ((Outcome<Void>) -> Void)?> = \.modifyRecordsResultBlock
        let _: any (CKDatabaseOperation & Sendable).Type = CKModifyRecordZonesOperation.self
        let _: () -> CKModifyRecordZonesOperation = CKModifyRecordZonesOperation.init
        let _: ([CKRecordZone]?, [CKRecordZone.ID]?) -> CKModifyRecordZonesOperation =
            CKModifyRecordZonesOperation.init(recordZonesToSave:recordZoneIDsToDelete:)
        let _: Writable<CKModifyRecordZonesOperation, [CKRecordZone]?> = \.recordZonesToSave
        let _: Writable<CKModifyRecordZonesOperation, [CKRecordZone.ID]?> = \.recordZoneIDsToDelete
        let _:
            Writable<
                CKModifyRecordZonesOperation, (([CKRecordZone]?, [CKRecordZone.ID]?, (any Error)?) -> Void)?
            > = \.modifyRecordZonesCompletionBlock
        let _: Writable<CKModifyRecordZonesOperation, ((CKRecordZone.ID, Outcome<CKRecordZone>) -> Void)?> =
            \.perRecordZoneSaveBlock
        let _: Writable<CKModifyRecordZonesOperation, ((CKRecordZone.ID, Outcome<Void>) -> Void)?> =
            \.perRecordZoneDeleteBlock
        let _: Writable<CKModifyRecordZonesOperation, ((Outcome<Void>) -> Void)?> =
            \.modifyRecordZonesResultBlock
        let _: any (CKDatabaseOperation & Sendable).Type = CKModifySubscriptionsOperation.self
        let _: () -> CKModifySubscriptionsOperation = CKModifySubscriptionsOperation.init
        let _: ([CKSubscription]?, [CKSubscription.ID]?) -> CKModifySubscriptionsOperation =
            CKModifySubscriptionsOperation.init(subscriptionsToSave:subscriptionIDsToDelete:)
        let _: Writable<CKModifySubscriptionsOperation, [CKSubscription]?> = \.subscriptionsToSave
        let _: Writable<CKModifySubscriptionsOperation, [CKSubscription.ID]?> = \.subscriptionIDsToDelete
    }

    @available(*, deprecated)
    static func useItemOperationsB() {
        let _:
            Writable<
                CKModifySubscriptionsOperation,
                (([CKSubscription]?, [CKSubscription.ID]?, (any Error)?) -> Void)?
            > = \.modifySubscriptionsCompletionBlock
        let _:
            Writable<
                CKModifySubscriptionsOperation,
                ((CKSubscription.ID, Outcome<CKSubscription>) -> Void)?
            > =
                \.perSubscriptionSaveBlock
        let _: Writable<CKModifySubscriptionsOperation, ((CKSubscription.ID, Outcome<Void>) -> Void)?> =
            \.perSubscriptionDeleteBlock
        let _: Writable<CKModifySubscriptionsOperation, ((Outcome<Void>) -> Void)?> =
            \.modifySubscriptionsResultBlock
        let _: any (CKDatabaseOperation & Sendable).Type = CKFetchRecordsOperation.self
        let _: () -> CKFetchRecordsOperation = CKFetchRecordsOperation.init
        let _: ([CKRecord.ID]) -> CKFetchRecordsOperation = CKFetchRecordsOperation.init(recordIDs:)
        let _: () -> CKFetchRecordsOperation = CKFetchRecordsOperation.fetchCurrentUserRecordOperation
        let _: Writable<CKFetchRecordsOperation, [CKRecord.ID]?> = \.recordIDs
        let _: Writable<CKFetchRecordsOperation, [CKRecord.FieldKey]?> = \.desiredKeys
        let _: Writable<CKFetchRecordsOperation, ((CKRecord.ID, Double) -> Void)?> = \.perRecordProgressBlock
        let _: Writable<CKFetchRecordsOperation, ((CKRecord?, CKRecord.ID?, (any Error)?) -> Void)?> =
            \.perRecordCompletionBlock
        let _: Writable<CKFetchRecordsOperation, (([CKRecord.ID: CKRecord]?, (any Error)?) -> Void)?> =
            \.fetchRecordsCompletionBlock
        let _: Writable<CKFetchRecordsOperation, ((CKRecord.ID, Outcome<CKRecord>) -> Void)?> =
            \.perRecordResultBlock
        let _: Writable<CKFetchRecordsOperation, ((Outcome<Void>) -> Void)?> = \.fetchRecordsResultBlock
        let _: any (CKDatabaseOperation & Sendable).Type = CKFetchRecordZonesOperation.self
        let _: () -> CKFetchRecordZonesOperation = CKFetchRecordZonesOperation.init
        let _: ([CKRecordZone.ID]) -> CKFetchRecordZonesOperation = CKFetchRecordZonesOperation.init(
            recordZoneIDs:)
        let _: () -> CKFetchRecordZonesOperation = CKFetchRecordZonesOperation.fetchAllRecordZonesOperation
        let _: Writable<CKFetchRecordZonesOperation, [CKRecordZone.ID]?> = \.recordZoneIDs
        let _:
            Writable<
                CKFetchRecordZonesOperation,
                (([CKRecordZone.ID: CKRecordZone]?, (any Error)?) -> Void)?
            > =
                \.fetchRecordZonesCompletionBlock
        let _: Writable<CKFetchRecordZonesOperation, ((CKRecordZone.ID, Outcome<CKRecordZone>) -> Void)?> =
            \.perRecordZoneResultBlock
        let _: Writable<CKFetchRecordZonesOperation, ((Outcome<Void>) -> Void)?> =
            \.fetchRecordZonesResultBlock
        let _: any (CKDatabaseOperation & Sendable).Type = CKFetchSubscriptionsOperation.self
        let _: () -> CKFetchSubscriptionsOperation = CKFetchSubscriptionsOperation.init
        let _: ([CKSubscription.ID]) -> CKFetchSubscriptionsOperation = CKFetchSubscriptionsOperation.init(
            subscriptionIDs:)
        let _: () -> CKFetchSubscriptionsOperation = CKFetchSubscriptionsOperation
            .fetchAllSubscriptionsOperation
    }

    @available(*, deprecated)
    static func useItemOperationsC() {
        let _: Writable<CKFetchSubscriptionsOperation, [CKSubscription.ID]?> = \.subscriptionIDs
        let _:
            Writable<
                CKFetchSubscriptionsOperation, (([CKSubscription.ID: CKSubscription]?, (any Error)?) -> Void)?
            > = \.fetchSubscriptionCompletionBlock
        let _:
            Writable<CKFetchSubscriptionsOperation, ((CKSubscription.ID, Outcome<CKSubscription>) -> Void)?> =
                \.perSubscriptionResultBlock
        let _: Writable<CKFetchSubscriptionsOperation, ((Outcome<Void>) -> Void)?> =
            \.fetchSubscriptionsResultBlock
        let _: any (CKDatabaseOperation & Sendable).Type = CKFetchWebAuthTokenOperation.self
        let _: () -> CKFetchWebAuthTokenOperation = CKFetchWebAuthTokenOperation.init
        let _: (String) -> CKFetchWebAuthTokenOperation = CKFetchWebAuthTokenOperation.init(apiToken:)
        let _: Writable<CKFetchWebAuthTokenOperation, String?> = \.apiToken
        let _: Writable<CKFetchWebAuthTokenOperation, ((String?, (any Error)?) -> Void)?> =
            \.fetchWebAuthTokenCompletionBlock
        let _: Writable<CKFetchWebAuthTokenOperation, ((Outcome<String>) -> Void)?> =
            \.fetchWebAuthTokenResultBlock
        let _: any (CKDatabaseOperation & Sendable).Type = CKFetchDatabaseChangesOperation.self
        let _: () -> CKFetchDatabaseChangesOperation = CKFetchDatabaseChangesOperation.init
        let _: (CKServerChangeToken?) -> CKFetchDatabaseChangesOperation = CKFetchDatabaseChangesOperation
            .init(previousServerChangeToken:)
        let _: Writable<CKFetchDatabaseChangesOperation, CKServerChangeToken?> = \.previousServerChangeToken
        let _: Writable<CKFetchDatabaseChangesOperation, Int> = \.resultsLimit
        let _: Writable<CKFetchDatabaseChangesOperation, Bool> = \.fetchAllChanges
        let _: Writable<CKFetchDatabaseChangesOperation, ((CKRecordZone.ID) -> Void)?> =
            \.recordZoneWithIDChangedBlock
        let _: Writable<CKFetchDatabaseChangesOperation, ((CKRecordZone.ID) -> Void)?> =
            \.recordZoneWithIDWasDeletedBlock
        let _: Writable<CKFetchDatabaseChangesOperation, ((CKRecordZone.ID) -> Void)?> =
            \.recordZoneWithIDWasPurgedBlock
        let _: Writable<CKFetchDatabaseChangesOperation, ((CKRecordZone.ID) -> Void)?> =
            \.recordZoneWithIDWasDeletedDueToUserEncryptedDataResetBlock
        let _: Writable<CKFetchDatabaseChangesOperation, ((CKServerChangeToken) -> Void)?> =
            \.changeTokenUpdatedBlock
        let _:
            Writable<CKFetchDatabaseChangesOperation, ((CKServerChangeToken?, Bool, (any Error)?) -> Void)?> =
                \.fetchDatabaseChangesCompletionBlock
        let _:
            Writable<
                CKFetchDatabaseChangesOperation,
                ((Outcome<(serverChangeToken: CKServerChangeToken, moreComing: Bool)>) -> Void)?
            > = \.fetchDatabaseChangesResultBlock
    }

    @available(*, deprecated)
    static func useItemOperationsD() {
        let _: any (CKDatabaseOperation & Sendable).Type = CKFetchRecordZoneChangesOperation.self
        let _: CKFetchRecordZoneChangesConfiguration.Type = CKFetchRecordZoneChangesOperation
            .ZoneConfiguration.self
        let _: CKFetchRecordZoneChangesOptions.Type = CKFetchRecordZoneChangesOperation.ZoneOptions.self
        let _: () -> CKFetchRecordZoneChangesOperation = CKFetchRecordZoneChangesOperation.init
        let _:
            ([CKRecordZone.ID]?, [CKRecordZone.ID: CKFetchRecordZoneChangesOperation.ZoneConfiguration]?) ->
                CKFetchRecordZoneChangesOperation = CKFetchRecordZoneChangesOperation.init(
                    recordZoneIDs:configurationsByRecordZoneID:)
        let _:
            ([CKRecordZone.ID], [CKRecordZone.ID: CKFetchRecordZoneChangesOperation.ZoneOptions]?) ->
                CKFetchRecordZoneChangesOperation = CKFetchRecordZoneChangesOperation.init(
                    recordZoneIDs:optionsByRecordZoneID:)
        let _: Writable<CKFetchRecordZoneChangesOperation, [CKRecordZone.ID]?> = \.recordZoneIDs
        let _:
            Writable<
                CKFetchRecordZoneChangesOperation,
                [CKRecordZone.ID: CKFetchRecordZoneChangesOperation.ZoneConfiguration]?
            > = \.configurationsByRecordZoneID
        let _:
            Writable<
                CKFetchRecordZoneChangesOperation,
                [CKRecordZone.ID: CKFetchRecordZoneChangesOperation.ZoneOptions]?
            > = \.optionsByRecordZoneID
        let _: Writable<CKFetchRecordZoneChangesOperation, Bool> = \.fetchAllChanges
        let _: Writable<CKFetchRecordZoneChangesOperation, ((CKRecord) -> Void)?> = \.recordChangedBlock
        let _: Writable<CKFetchRecordZoneChangesOperation, ((CKRecord.ID, CKRecord.RecordType) -> Void)?> =
            \.recordWithIDWasDeletedBlock
        let _:
            Writable<
                CKFetchRecordZoneChangesOperation, ((CKRecordZone.ID, CKServerChangeToken?, Data?) -> Void)?
            > = \.recordZoneChangeTokensUpdatedBlock
        let _:
            Writable<
                CKFetchRecordZoneChangesOperation,
                ((CKRecordZone.ID, CKServerChangeToken?, Data?, Bool, (any Error)?) -> Void)?
            > = \.recordZoneFetchCompletionBlock
        let _: Writable<CKFetchRecordZoneChangesOperation, (((any Error)?) -> Void)?> =
            \.fetchRecordZoneChangesCompletionBlock
        let _: Writable<CKFetchRecordZoneChangesOperation, ((CKRecord.ID, Outcome<CKRecord>) -> Void)?> =
            \.recordWasChangedBlock
        let _:
            Writable<
                CKFetchRecordZoneChangesOperation,
                (
                    (
                        CKRecordZone.ID,
                        Outcome<
                            (
                                serverChangeToken: CKServerChangeToken, clientChangeTokenData: Data?,
                                moreComing: Bool
                            )
                        >
                    ) -> Void
                )?
            > = \.recordZoneFetchResultBlock
    }

    @available(*, deprecated)
    static func useItemOperationsE() {
        let _: Writable<CKFetchRecordZoneChangesOperation, ((Outcome<Void>) -> Void)?> =
            \.fetchRecordZoneChangesResultBlock
        let _: any (NSObject & NSSecureCoding & NSCopying & Sendable).Type = CKFetchRecordZoneChangesOperation
            .ZoneConfiguration.self
        let _: (NSCoder) -> CKFetchRecordZoneChangesOperation.ZoneConfiguration? =
            CKFetchRecordZoneChangesOperation.ZoneConfiguration.init(coder:)
        let _: () -> CKFetchRecordZoneChangesOperation.ZoneConfiguration = CKFetchRecordZoneChangesOperation
            .ZoneConfiguration.init
        let _:
            (CKServerChangeToken?, Int?, [CKRecord.FieldKey]?) ->
                CKFetchRecordZoneChangesOperation.ZoneConfiguration = CKFetchRecordZoneChangesOperation
                .ZoneConfiguration.init(previousServerChangeToken:resultsLimit:desiredKeys:)
        let _: Writable<CKFetchRecordZoneChangesOperation.ZoneConfiguration, CKServerChangeToken?> =
            \.previousServerChangeToken
        let _: Writable<CKFetchRecordZoneChangesOperation.ZoneConfiguration, Int> = \.resultsLimit
        let _: Writable<CKFetchRecordZoneChangesOperation.ZoneConfiguration, [CKRecord.FieldKey]?> =
            \.desiredKeys
        let _: any (NSObject & NSSecureCoding & NSCopying).Type = CKFetchRecordZoneChangesOperation
            .ZoneOptions.self
        let _: (NSCoder) -> CKFetchRecordZoneChangesOperation.ZoneOptions? = CKFetchRecordZoneChangesOperation
            .ZoneOptions.init(coder:)
        let _: () -> CKFetchRecordZoneChangesOperation.ZoneOptions = CKFetchRecordZoneChangesOperation
            .ZoneOptions.init
        let _: Writable<CKFetchRecordZoneChangesOperation.ZoneOptions, CKServerChangeToken?> =
            \.previousServerChangeToken
        let _: Writable<CKFetchRecordZoneChangesOperation.ZoneOptions, Int> = \.resultsLimit
        let _: Writable<CKFetchRecordZoneChangesOperation.ZoneOptions, [CKRecord.FieldKey]?> = \.desiredKeys
    }
}
