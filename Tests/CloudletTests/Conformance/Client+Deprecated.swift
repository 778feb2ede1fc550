import CloudKit
import Foundation

extension Client {
    @available(*, deprecated)
    static func useFetchRecordChangesOperation() {
        let _: any (CKDatabaseOperation & Sendable).Type = CKFetchRecordChangesOperation.self
        let _: () -> CKFetchRecordChangesOperation = CKFetchRecordChangesOperation.init
        let _: (CKRecordZone.ID, CKServerChangeToken?) -> CKFetchRecordChangesOperation =
            CKFetchRecordChangesOperation.init(recordZoneID:previousServerChangeToken:)
        let _: ReferenceWritableKeyPath<CKFetchRecordChangesOperation, CKRecordZone.ID?> =
            \CKFetchRecordChangesOperation.recordZoneID
        let _: ReferenceWritableKeyPath<CKFetchRecordChangesOperation, CKServerChangeToken?> =
            \CKFetchRecordChangesOperation.previousServerChangeToken
        let _: ReferenceWritableKeyPath<CKFetchRecordChangesOperation, Int> =
            \CKFetchRecordChangesOperation.resultsLimit
        let _: ReferenceWritableKeyPath<CKFetchRecordChangesOperation, [CKRecord.FieldKey]?> =
            \CKFetchRecordChangesOperation.desiredKeys
    }

    @available(*, deprecated)
    static func useFetchRecordChangesOperation2() {
        let _: ReferenceWritableKeyPath<CKFetchRecordChangesOperation, ((CKRecord) -> Void)?> =
            \CKFetchRecordChangesOperation.recordChangedBlock
        let _: ReferenceWritableKeyPath<CKFetchRecordChangesOperation, ((CKRecord.ID) -> Void)?> =
            \CKFetchRecordChangesOperation.recordWithIDWasDeletedBlock
        let _: KeyPath<CKFetchRecordChangesOperation, Bool> = \CKFetchRecordChangesOperation.moreComing
        let _:
            ReferenceWritableKeyPath<
                CKFetchRecordChangesOperation, ((CKServerChangeToken?, Data?, (any Error)?) -> Void)?
            > = \CKFetchRecordChangesOperation.fetchRecordChangesCompletionBlock
    }

    @available(*, deprecated)
    static func useFetchNotificationChangesOperation() {
        let _: any (CKOperation & Sendable).Type = CKFetchNotificationChangesOperation.self
        let _: () -> CKFetchNotificationChangesOperation = CKFetchNotificationChangesOperation.init
        let _: (CKServerChangeToken?) -> CKFetchNotificationChangesOperation =
            CKFetchNotificationChangesOperation.init(previousServerChangeToken:)
        let _: ReferenceWritableKeyPath<CKFetchNotificationChangesOperation, CKServerChangeToken?> =
            \CKFetchNotificationChangesOperation.previousServerChangeToken
        let _: ReferenceWritableKeyPath<CKFetchNotificationChangesOperation, Int> =
            \CKFetchNotificationChangesOperation.resultsLimit
        let _: KeyPath<CKFetchNotificationChangesOperation, Bool> =
            \CKFetchNotificationChangesOperation.moreComing
        let _: ReferenceWritableKeyPath<CKFetchNotificationChangesOperation, ((CKNotification) -> Void)?> =
            \CKFetchNotificationChangesOperation.notificationChangedBlock
    }

    @available(*, deprecated)
    static func useFetchNotificationChangesOperation2() {
        let _:
            ReferenceWritableKeyPath<
                CKFetchNotificationChangesOperation, ((CKServerChangeToken?, (any Error)?) -> Void)?
            > = \CKFetchNotificationChangesOperation.fetchNotificationChangesCompletionBlock
    }

    @available(*, deprecated)
    static func useMarkNotificationsReadOperation() {
        let _: any (CKOperation & Sendable).Type = CKMarkNotificationsReadOperation.self
        let _: () -> CKMarkNotificationsReadOperation = CKMarkNotificationsReadOperation.init
        let _: ([CKNotification.ID]) -> CKMarkNotificationsReadOperation = CKMarkNotificationsReadOperation
            .init(notificationIDsToMarkRead:)
        let _: ReferenceWritableKeyPath<CKMarkNotificationsReadOperation, [CKNotification.ID]?> =
            \CKMarkNotificationsReadOperation.notificationIDs
        let _:
            ReferenceWritableKeyPath<
                CKMarkNotificationsReadOperation, (([CKNotification.ID]?, (any Error)?) -> Void)?
            > = \CKMarkNotificationsReadOperation.markNotificationsReadCompletionBlock
    }

    @available(*, deprecated)
    static func useModifyBadgeOperation() {
        let _: any (CKOperation & Sendable).Type = CKModifyBadgeOperation.self
        let _: () -> CKModifyBadgeOperation = CKModifyBadgeOperation.init
        let _: (Int) -> CKModifyBadgeOperation = CKModifyBadgeOperation.init(badgeValue:)
        let _: ReferenceWritableKeyPath<CKModifyBadgeOperation, Int> = \CKModifyBadgeOperation.badgeValue
        let _: ReferenceWritableKeyPath<CKModifyBadgeOperation, (((any Error)?) -> Void)?> =
            \CKModifyBadgeOperation.modifyBadgeCompletionBlock
    }
}
