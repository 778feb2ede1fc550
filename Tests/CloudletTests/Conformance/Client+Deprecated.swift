import CloudKit
import Foundation

extension Client {
    @available(*, deprecated)
    static func useDeprecated() {
        let _: any (CKDatabaseOperation & Sendable).Type = CKFetchRecordChangesOperation.self
        let _: () -> CKFetchRecordChangesOperation = CKFetchRecordChangesOperation.init
        let _: (CKRecordZone.ID, CKServerChangeToken?) -> CKFetchRecordChangesOperation =
            CKFetchRecordChangesOperation.init(recordZoneID:previousServerChangeToken:)
        let _: Writable<CKFetchRecordChangesOperation, CKRecordZone.ID?> = \.recordZoneID
        let _: Writable<CKFetchRecordChangesOperation, CKServerChangeToken?> = \.previousServerChangeToken
        let _: Writable<CKFetchRecordChangesOperation, Int> = \.resultsLimit
        let _: Writable<CKFetchRecordChangesOperation, [CKRecord.FieldKey]?> = \.desiredKeys
        let _: Writable<CKFetchRecordChangesOperation, ((CKRecord) -> Void)?> = \.recordChangedBlock
        let _: Writable<CKFetchRecordChangesOperation, ((CKRecord.ID) -> Void)?> =
            \.recordWithIDWasDeletedBlock
        let _: Readable<CKFetchRecordChangesOperation, Bool> = \.moreComing
        let _:
            Writable<CKFetchRecordChangesOperation, ((CKServerChangeToken?, Data?, (any Error)?) -> Void)?> =
                \.fetchRecordChangesCompletionBlock
        let _: any (CKOperation & Sendable).Type = CKFetchNotificationChangesOperation.self
        let _: () -> CKFetchNotificationChangesOperation = CKFetchNotificationChangesOperation.init
        let _: (CKServerChangeToken?) -> CKFetchNotificationChangesOperation =
            CKFetchNotificationChangesOperation.init(previousServerChangeToken:)
        let _: Writable<CKFetchNotificationChangesOperation, CKServerChangeToken?> =
            \.previousServerChangeToken
        let _: Writable<CKFetchNotificationChangesOperation, Int> = \.resultsLimit
        let _: Readable<CKFetchNotificationChangesOperation, Bool> = \.moreComing
        let _: Writable<CKFetchNotificationChangesOperation, ((CKNotification) -> Void)?> =
            \.notificationChangedBlock
        let _:
            Writable<CKFetchNotificationChangesOperation, ((CKServerChangeToken?, (any Error)?) -> Void)?> =
                \.fetchNotificationChangesCompletionBlock
        let _: any (CKOperation & Sendable).Type = CKMarkNotificationsReadOperation.self
        let _: () -> CKMarkNotificationsReadOperation = CKMarkNotificationsReadOperation.init
        let _: ([CKNotification.ID]) -> CKMarkNotificationsReadOperation = CKMarkNotificationsReadOperation
            .init(notificationIDsToMarkRead:)
        let _: Writable<CKMarkNotificationsReadOperation, [CKNotification.ID]?> = \.notificationIDs
        let _: Writable<CKMarkNotificationsReadOperation, (([CKNotification.ID]?, (any Error)?) -> Void)?> =
            \.markNotificationsReadCompletionBlock
        let _: any (CKOperation & Sendable).Type = CKModifyBadgeOperation.self
        let _: () -> CKModifyBadgeOperation = CKModifyBadgeOperation.init
        let _: (Int) -> CKModifyBadgeOperation = CKModifyBadgeOperation.init(badgeValue:)
        let _: Writable<CKModifyBadgeOperation, Int> = \.badgeValue
        let _: Writable<CKModifyBadgeOperation, (((any Error)?) -> Void)?> = \.modifyBadgeCompletionBlock
    }

    /// The deprecated members of classes that are not deprecated.
    @available(*, deprecated)
    static func useFirstForms() {
        let _: any (OptionSet & Sendable).Type = CKSubscriptionOptions.self
        let _: (CKRecord.RecordType, NSPredicate, CKSubscriptionOptions) -> CKSubscription = CKSubscription
            .init(recordType:predicate:options:)
        let _:
            (CKRecord.RecordType, NSPredicate, CKSubscription.ID, CKSubscriptionOptions) -> CKSubscription =
                CKSubscription.init(recordType:predicate:subscriptionID:options:)
        let _: (CKRecordZone.ID, CKSubscriptionOptions) -> CKSubscription = CKSubscription.init(
            zoneID:options:)
        let _: (CKRecordZone.ID, CKSubscription.ID, CKSubscriptionOptions) -> CKSubscription = CKSubscription
            .init(zoneID:subscriptionID:options:)
        let _: Readable<CKSubscription, CKRecord.RecordType?> = \.recordType
        let _: Readable<CKSubscription, NSPredicate?> = \.predicate
        let _: Writable<CKSubscription, CKRecordZone.ID?> = \.zoneID
        let _: Readable<CKSubscription, CKSubscriptionOptions> = \.subscriptionOptions
        let _: Readable<CKQueryNotification, Bool> = \.isPublicDatabase
        let _: Writable<CKOperation, Bool> = \.usesBackgroundSession
        let _: (CKOperation) -> () -> OpaquePointer? = CKOperation.activityStart
    }
}
