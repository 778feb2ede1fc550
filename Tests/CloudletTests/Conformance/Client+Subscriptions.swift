import CloudKit
import Foundation

extension Client {
    @available(*, deprecated)
    static func useSubscription() {
        let _: any (NSObject & NSSecureCoding & NSCopying & Sendable).Type = CKSubscription.self
        let _: (NSCoder) -> CKSubscription? = CKSubscription.init(coder:)
        let _: String.Type = CKSubscription.ID.self
        let _: CKNotificationInfo.Type = CKSubscription.NotificationInfo.self
    }

    @available(*, deprecated)
    static func useSubscriptionSubscriptionType() {
        let _: any (Sendable & RawRepresentable<Int>).Type = CKSubscription.SubscriptionType.self
        let _: CKSubscription.SubscriptionType = CKSubscription.SubscriptionType.query
        let _: CKSubscription.SubscriptionType = CKSubscription.SubscriptionType.recordZone
        let _: CKSubscription.SubscriptionType = CKSubscription.SubscriptionType.database
    }

    @available(*, deprecated)
    static func useSubscription2() {
        let _: KeyPath<CKSubscription, CKSubscription.ID> = \CKSubscription.subscriptionID
        let _: KeyPath<CKSubscription, CKSubscription.SubscriptionType> = \CKSubscription.subscriptionType
        let _: ReferenceWritableKeyPath<CKSubscription, CKSubscription.NotificationInfo?> =
            \CKSubscription.notificationInfo
    }

    @available(*, deprecated)
    static func useQuerySubscription() {
        let _: any (CKSubscription & Sendable).Type = CKQuerySubscription.self
    }

    @available(*, deprecated)
    static func useQuerySubscriptionOptions() {
        let _: any (OptionSet & Sendable).Type = CKQuerySubscription.Options.self
        let _: (UInt) -> CKQuerySubscription.Options = CKQuerySubscription.Options.init(rawValue:)
        let _: CKQuerySubscription.Options = CKQuerySubscription.Options.firesOnRecordCreation
        let _: CKQuerySubscription.Options = CKQuerySubscription.Options.firesOnRecordUpdate
        let _: CKQuerySubscription.Options = CKQuerySubscription.Options.firesOnRecordDeletion
        let _: CKQuerySubscription.Options = CKQuerySubscription.Options.firesOnce
    }

    @available(*, deprecated)
    static func useQuerySubscription2() {
        let _:
            (CKRecord.RecordType, NSPredicate, CKSubscription.ID, CKQuerySubscription.Options) ->
                CKQuerySubscription = CKQuerySubscription.init(recordType:predicate:subscriptionID:options:)
        let _: (CKRecord.RecordType, NSPredicate, CKQuerySubscription.Options) -> CKQuerySubscription =
            CKQuerySubscription.init(recordType:predicate:options:)
        let _: (NSCoder) -> CKQuerySubscription? = CKQuerySubscription.init(coder:)
        let _: KeyPath<CKQuerySubscription, CKRecord.RecordType?> = \CKQuerySubscription.recordType
        let _: KeyPath<CKQuerySubscription, NSPredicate> = \CKQuerySubscription.predicate
        let _: ReferenceWritableKeyPath<CKQuerySubscription, CKRecordZone.ID?> = \CKQuerySubscription.zoneID
        let _: KeyPath<CKQuerySubscription, CKQuerySubscription.Options> =
            \CKQuerySubscription.querySubscriptionOptions
    }

    @available(*, deprecated)
    static func useRecordZoneSubscription() {
        let _: any (CKSubscription & Sendable).Type = CKRecordZoneSubscription.self
        let _: (CKRecordZone.ID, CKSubscription.ID) -> CKRecordZoneSubscription = CKRecordZoneSubscription
            .init(zoneID:subscriptionID:)
        let _: (CKRecordZone.ID) -> CKRecordZoneSubscription = CKRecordZoneSubscription.init(zoneID:)
        let _: (NSCoder) -> CKRecordZoneSubscription? = CKRecordZoneSubscription.init(coder:)
        let _: KeyPath<CKRecordZoneSubscription, CKRecordZone.ID> = \CKRecordZoneSubscription.zoneID
        let _: ReferenceWritableKeyPath<CKRecordZoneSubscription, CKRecord.RecordType?> =
            \CKRecordZoneSubscription.recordType
    }

    @available(*, deprecated)
    static func useDatabaseSubscription() {
        let _: any (CKSubscription & Sendable).Type = CKDatabaseSubscription.self
        let _: (CKSubscription.ID) -> CKDatabaseSubscription = CKDatabaseSubscription.init(subscriptionID:)
        let _: () -> CKDatabaseSubscription = CKDatabaseSubscription.init
        let _: (NSCoder) -> CKDatabaseSubscription? = CKDatabaseSubscription.init(coder:)
        let _: ReferenceWritableKeyPath<CKDatabaseSubscription, CKRecord.RecordType?> =
            \CKDatabaseSubscription.recordType
    }

    @available(*, deprecated)
    static func useSubscriptionNotificationInfo() {
        let _: any (NSObject & NSSecureCoding & NSCopying & Sendable).Type = CKSubscription.NotificationInfo
            .self
        let _: (NSCoder) -> CKSubscription.NotificationInfo? = CKSubscription.NotificationInfo.init(coder:)
        let _: () -> CKSubscription.NotificationInfo = CKSubscription.NotificationInfo.init
        let _:
            (
                String?, String?, [CKRecord.FieldKey], String?, String?, [CKRecord.FieldKey], String?,
                String?, [CKRecord.FieldKey], String?, String?, String?, [CKRecord.FieldKey], Bool, Bool,
                Bool, String?, String?
            ) -> CKSubscription.NotificationInfo = CKSubscription.NotificationInfo.init(
                alertBody:alertLocalizationKey:alertLocalizationArgs:title:titleLocalizationKey:
                titleLocalizationArgs:subtitle:subtitleLocalizationKey:subtitleLocalizationArgs:
                alertActionLocalizationKey:alertLaunchImage:soundName:desiredKeys:shouldBadge:
                shouldSendContentAvailable:shouldSendMutableContent:category:collapseIDKey:)
        let _: ReferenceWritableKeyPath<CKSubscription.NotificationInfo, String?> =
            \CKSubscription.NotificationInfo.alertBody
    }

    @available(*, deprecated)
    static func useSubscriptionNotificationInfo2() {
        let _: ReferenceWritableKeyPath<CKSubscription.NotificationInfo, String?> =
            \CKSubscription.NotificationInfo.alertLocalizationKey
        let _: ReferenceWritableKeyPath<CKSubscription.NotificationInfo, [CKRecord.FieldKey]?> =
            \CKSubscription.NotificationInfo.alertLocalizationArgs
        let _: ReferenceWritableKeyPath<CKSubscription.NotificationInfo, String?> =
            \CKSubscription.NotificationInfo.title
        let _: ReferenceWritableKeyPath<CKSubscription.NotificationInfo, String?> =
            \CKSubscription.NotificationInfo.titleLocalizationKey
        let _: ReferenceWritableKeyPath<CKSubscription.NotificationInfo, [CKRecord.FieldKey]?> =
            \CKSubscription.NotificationInfo.titleLocalizationArgs
        let _: ReferenceWritableKeyPath<CKSubscription.NotificationInfo, String?> =
            \CKSubscription.NotificationInfo.subtitle
    }

    @available(*, deprecated)
    static func useSubscriptionNotificationInfo3() {
        let _: ReferenceWritableKeyPath<CKSubscription.NotificationInfo, String?> =
            \CKSubscription.NotificationInfo.subtitleLocalizationKey
        let _: ReferenceWritableKeyPath<CKSubscription.NotificationInfo, [CKRecord.FieldKey]?> =
            \CKSubscription.NotificationInfo.subtitleLocalizationArgs
        let _: ReferenceWritableKeyPath<CKSubscription.NotificationInfo, String?> =
            \CKSubscription.NotificationInfo.alertActionLocalizationKey
        let _: ReferenceWritableKeyPath<CKSubscription.NotificationInfo, String?> =
            \CKSubscription.NotificationInfo.alertLaunchImage
        let _: ReferenceWritableKeyPath<CKSubscription.NotificationInfo, String?> =
            \CKSubscription.NotificationInfo.soundName
        let _: ReferenceWritableKeyPath<CKSubscription.NotificationInfo, [CKRecord.FieldKey]?> =
            \CKSubscription.NotificationInfo.desiredKeys
    }

    @available(*, deprecated)
    static func useSubscriptionNotificationInfo4() {
        let _: ReferenceWritableKeyPath<CKSubscription.NotificationInfo, Bool> =
            \CKSubscription.NotificationInfo.shouldBadge
        let _: ReferenceWritableKeyPath<CKSubscription.NotificationInfo, Bool> =
            \CKSubscription.NotificationInfo.shouldSendContentAvailable
        let _: ReferenceWritableKeyPath<CKSubscription.NotificationInfo, Bool> =
            \CKSubscription.NotificationInfo.shouldSendMutableContent
        let _: ReferenceWritableKeyPath<CKSubscription.NotificationInfo, String?> =
            \CKSubscription.NotificationInfo.category
        let _: ReferenceWritableKeyPath<CKSubscription.NotificationInfo, String?> =
            \CKSubscription.NotificationInfo.collapseIDKey
    }

    @available(*, deprecated)
    static func useNotificationID() {
        let _: any (NSObject & NSSecureCoding & NSCopying & Sendable).Type = CKNotification.ID.self
        let _: (NSCoder) -> CKNotification.ID? = CKNotification.ID.init(coder:)
    }

    @available(*, deprecated)
    static func useNotification() {
        let _: any (NSObject & Sendable).Type = CKNotification.self
        let _: CKNotificationID.Type = CKNotification.ID.self
    }

    @available(*, deprecated)
    static func useNotificationNotificationType() {
        let _: any (Sendable & RawRepresentable<Int>).Type = CKNotification.NotificationType.self
        let _: CKNotification.NotificationType = CKNotification.NotificationType.query
        let _: CKNotification.NotificationType = CKNotification.NotificationType.recordZone
        let _: CKNotification.NotificationType = CKNotification.NotificationType.readNotification
        let _: CKNotification.NotificationType = CKNotification.NotificationType.database
    }

    @available(*, deprecated)
    static func useNotification2() {
        let _: KeyPath<CKNotification, CKNotification.NotificationType> = \CKNotification.notificationType
        let _: KeyPath<CKNotification, CKNotification.ID?> = \CKNotification.notificationID
        let _: KeyPath<CKNotification, String?> = \CKNotification.containerIdentifier
        let _: KeyPath<CKNotification, CKRecord.ID?> = \CKNotification.subscriptionOwnerUserRecordID
        let _: KeyPath<CKNotification, Bool> = \CKNotification.isPruned
        let _: KeyPath<CKNotification, CKSubscription.ID?> = \CKNotification.subscriptionID
        let _: KeyPath<CKNotification, String?> = \CKNotification.alertBody
        let _: KeyPath<CKNotification, String?> = \CKNotification.alertLocalizationKey
        let _: KeyPath<CKNotification, [String]?> = \CKNotification.alertLocalizationArgs
        let _: KeyPath<CKNotification, String?> = \CKNotification.title
        let _: KeyPath<CKNotification, String?> = \CKNotification.titleLocalizationKey
        let _: KeyPath<CKNotification, [String]?> = \CKNotification.titleLocalizationArgs
        let _: KeyPath<CKNotification, String?> = \CKNotification.subtitle
        let _: KeyPath<CKNotification, String?> = \CKNotification.subtitleLocalizationKey
        let _: KeyPath<CKNotification, [String]?> = \CKNotification.subtitleLocalizationArgs
        let _: KeyPath<CKNotification, String?> = \CKNotification.alertActionLocalizationKey
        let _: KeyPath<CKNotification, String?> = \CKNotification.alertLaunchImage
        let _: KeyPath<CKNotification, NSNumber?> = \CKNotification.badge
        let _: KeyPath<CKNotification, String?> = \CKNotification.soundName
        let _: KeyPath<CKNotification, String?> = \CKNotification.category
    }

    @available(*, deprecated)
    static func useQueryNotification() {
        let _: any (CKNotification & Sendable).Type = CKQueryNotification.self
    }

    @available(*, deprecated)
    static func useQueryNotificationReason() {
        let _: any (Sendable & RawRepresentable<Int>).Type = CKQueryNotification.Reason.self
        let _: CKQueryNotification.Reason = CKQueryNotification.Reason.recordCreated
        let _: CKQueryNotification.Reason = CKQueryNotification.Reason.recordUpdated
        let _: CKQueryNotification.Reason = CKQueryNotification.Reason.recordDeleted
    }

    @available(*, deprecated)
    static func useQueryNotification2() {
        let _: KeyPath<CKQueryNotification, CKQueryNotification.Reason> =
            \CKQueryNotification.queryNotificationReason
        let _: KeyPath<CKQueryNotification, [String: Any]?> = \CKQueryNotification.recordFields
        let _: KeyPath<CKQueryNotification, CKRecord.ID?> = \CKQueryNotification.recordID
        let _: KeyPath<CKQueryNotification, CKDatabase.Scope> = \CKQueryNotification.databaseScope
    }

    @available(*, deprecated)
    static func useRecordZoneNotification() {
        let _: any (CKNotification & Sendable).Type = CKRecordZoneNotification.self
        let _: KeyPath<CKRecordZoneNotification, CKRecordZone.ID?> = \CKRecordZoneNotification.recordZoneID
        let _: KeyPath<CKRecordZoneNotification, CKDatabase.Scope> = \CKRecordZoneNotification.databaseScope
    }

    @available(*, deprecated)
    static func useDatabaseNotification() {
        let _: any (CKNotification & Sendable).Type = CKDatabaseNotification.self
        let _: KeyPath<CKDatabaseNotification, CKDatabase.Scope> = \CKDatabaseNotification.databaseScope
    }
}
