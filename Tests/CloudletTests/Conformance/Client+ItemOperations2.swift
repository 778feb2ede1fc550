import CloudKit
import Foundation

extension Client {
    @available(*, deprecated)
    static func useFetchRecordZoneChangesOperation() {
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
        let _: ReferenceWritableKeyPath<CKFetchRecordZoneChangesOperation, [CKRecordZone.ID]?> =
            \CKFetchRecordZoneChangesOperation.recordZoneIDs
    }

    @available(*, deprecated)
    static func useFetchRecordZoneChangesOperation2() {
        let _:
            ReferenceWritableKeyPath<
                CKFetchRecordZoneChangesOperation,
                [CKRecordZone.ID: CKFetchRecordZoneChangesOperation.ZoneConfiguration]?
            > = \CKFetchRecordZoneChangesOperation.configurationsByRecordZoneID
        let _:
            ReferenceWritableKeyPath<
                CKFetchRecordZoneChangesOperation,
                [CKRecordZone.ID: CKFetchRecordZoneChangesOperation.ZoneOptions]?
            > = \CKFetchRecordZoneChangesOperation.optionsByRecordZoneID
        let _: ReferenceWritableKeyPath<CKFetchRecordZoneChangesOperation, Bool> =
            \CKFetchRecordZoneChangesOperation.fetchAllChanges
        let _: ReferenceWritableKeyPath<CKFetchRecordZoneChangesOperation, ((CKRecord) -> Void)?> =
            \CKFetchRecordZoneChangesOperation.recordChangedBlock
        let _:
            ReferenceWritableKeyPath<
                CKFetchRecordZoneChangesOperation,
                ((_ recordID: CKRecord.ID, _ recordType: CKRecord.RecordType) -> Void)?
            > = \CKFetchRecordZoneChangesOperation.recordWithIDWasDeletedBlock
    }

    @available(*, deprecated)
    static func useFetchRecordZoneChangesOperation3() {
        let _:
            ReferenceWritableKeyPath<
                CKFetchRecordZoneChangesOperation, ((CKRecordZone.ID, CKServerChangeToken?, Data?) -> Void)?
            > = \CKFetchRecordZoneChangesOperation.recordZoneChangeTokensUpdatedBlock
        let _:
            ReferenceWritableKeyPath<
                CKFetchRecordZoneChangesOperation,
                ((CKRecordZone.ID, CKServerChangeToken?, Data?, Bool, (any Error)?) -> Void)?
            > = \CKFetchRecordZoneChangesOperation.recordZoneFetchCompletionBlock
        let _: ReferenceWritableKeyPath<CKFetchRecordZoneChangesOperation, (((any Error)?) -> Void)?> =
            \CKFetchRecordZoneChangesOperation.fetchRecordZoneChangesCompletionBlock
        let _:
            ReferenceWritableKeyPath<
                CKFetchRecordZoneChangesOperation,
                ((_ recordID: CKRecord.ID, _ recordResult: Result<CKRecord, any Error>) -> Void)?
            > = \CKFetchRecordZoneChangesOperation.recordWasChangedBlock
    }

    @available(*, deprecated)
    static func useFetchRecordZoneChangesOperation4() {
        let _:
            ReferenceWritableKeyPath<
                CKFetchRecordZoneChangesOperation,
                (
                    (
                        _ recordZoneID: CKRecordZone.ID,
                        _ fetchChangesResult: Result<
                            (
                                serverChangeToken: CKServerChangeToken, clientChangeTokenData: Data?,
                                moreComing: Bool
                            ), any Error
                        >
                    ) -> Void
                )?
            > = \CKFetchRecordZoneChangesOperation.recordZoneFetchResultBlock
        let _:
            ReferenceWritableKeyPath<
                CKFetchRecordZoneChangesOperation, ((_ operationResult: Result<Void, any Error>) -> Void)?
            > = \CKFetchRecordZoneChangesOperation.fetchRecordZoneChangesResultBlock
    }

    @available(*, deprecated)
    static func useFetchRecordZoneChangesOperationZoneConfiguration() {
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
        let _:
            ReferenceWritableKeyPath<
                CKFetchRecordZoneChangesOperation.ZoneConfiguration, CKServerChangeToken?
            > = \CKFetchRecordZoneChangesOperation.ZoneConfiguration.previousServerChangeToken
    }

    @available(*, deprecated)
    static func useFetchRecordZoneChangesOperationZoneConfiguration2() {
        let _: ReferenceWritableKeyPath<CKFetchRecordZoneChangesOperation.ZoneConfiguration, Int> =
            \CKFetchRecordZoneChangesOperation.ZoneConfiguration.resultsLimit
        let _:
            ReferenceWritableKeyPath<
                CKFetchRecordZoneChangesOperation.ZoneConfiguration, [CKRecord.FieldKey]?
            > = \CKFetchRecordZoneChangesOperation.ZoneConfiguration.desiredKeys
    }

    @available(*, deprecated)
    static func useFetchRecordZoneChangesOperationZoneOptions() {
        let _: any (NSObject & NSSecureCoding & NSCopying).Type = CKFetchRecordZoneChangesOperation
            .ZoneOptions.self
        let _: (NSCoder) -> CKFetchRecordZoneChangesOperation.ZoneOptions? = CKFetchRecordZoneChangesOperation
            .ZoneOptions.init(coder:)
        let _: () -> CKFetchRecordZoneChangesOperation.ZoneOptions = CKFetchRecordZoneChangesOperation
            .ZoneOptions.init
        let _: ReferenceWritableKeyPath<CKFetchRecordZoneChangesOperation.ZoneOptions, CKServerChangeToken?> =
            \CKFetchRecordZoneChangesOperation.ZoneOptions.previousServerChangeToken
        let _: ReferenceWritableKeyPath<CKFetchRecordZoneChangesOperation.ZoneOptions, Int> =
            \CKFetchRecordZoneChangesOperation.ZoneOptions.resultsLimit
    }

    @available(*, deprecated)
    static func useFetchRecordZoneChangesOperationZoneOptions2() {
        let _: ReferenceWritableKeyPath<CKFetchRecordZoneChangesOperation.ZoneOptions, [CKRecord.FieldKey]?> =
            \CKFetchRecordZoneChangesOperation.ZoneOptions.desiredKeys
    }
}
