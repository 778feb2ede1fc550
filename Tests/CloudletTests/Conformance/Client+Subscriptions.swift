import CloudKit
import Foundation

extension Client {
    @available(*, deprecated)
    static func useSubscriptionsA() {
        let _: any (NSObject & NSSecureCoding & NSCopying & Sendable).Type = CKSubscription.self
        let _: (NSCoder) -> CKSubscription? = CKSubscription.init(coder:)
        let _: String.Type = CKSubscription.ID.self
        let _: CKNotificationInfo.Type = CKSubscription.NotificationInfo.self
        let _: any (Sendable & RawRepresentable<Int>).Type = CKSubscription.SubscriptionType.self
        let _: [CKSubscription.SubscriptionType] = [.query, .recordZone, .database]
        let _: Readable<CKSubscription, CKSubscription.ID> = \.subscriptionID
        let _: Readable<CKSubscription, CKSubscription.SubscriptionType> = \.subscriptionType
        let _: Writable<CKSubscription, CKSubscription.NotificationInfo?> = \.notificationInfo
        let _: any (CKSubscription & Sendable).Type = CKQuerySubscription.self
        let _: any (OptionSet & Sendable).Type = CKQuerySubscription.Options.self
        let _: (UInt) -> CKQuerySubscription.Options = CKQuerySubscription.Options.init(rawValue:)
        let _: [CKQuerySubscription.Options] = [
            .firesOnRecordCreation, .firesOnRecordUpdate, .firesOnRecordDeletion, .firesOnce,
        ]
        let _:
            (CKRecord.RecordType, NSPredicate, CKSubscription.ID, CKQuerySubscription.Options) ->
                CKQuerySubscription = CKQuerySubscription.init(recordType:predicate:subscriptionID:options:)
        let _: (CKRecord.RecordType, NSPredicate, CKQuerySubscription.Options) -> CKQuerySubscription =
            CKQuerySubscription.init(recordType:predicate:options:)
        let _: (NSCoder) -> CKQuerySubscription? = CKQuerySubscription.init(coder:)
        let _: Readable<CKQuerySubscription, CKRecord.RecordType?> = \.recordType
        let _: Readable<CKQuerySubscription, NSPredicate> = \.predicate
        let _: Writable<CKQuerySubscription, CKRecordZone.ID?> = \.zoneID
        let _: Readable<CKQuerySubscription, CKQuerySubscription.Options> = \.querySubscriptionOptions
        let _: any (CKSubscription & Sendable).Type = CKRecordZoneSubscription.self
        let _: (CKRecordZone.ID, CKSubscription.ID) -> CKRecordZoneSubscription = CKRecordZoneSubscription
            .init(zoneID:subscriptionID:)
        let _: (CKRecordZone.ID) -> CKRecordZoneSubscription = CKRecordZoneSubscription.init(zoneID:)
        let _: (NSCoder) -> CKRecordZoneSubscription? = CKRecordZoneSubscription.init(coder:)
        let _: Readable<CKRecordZoneSubscription, CKRecordZone.ID> = \.zoneID
        let _: Writable<CKRecordZoneSubscription, CKRecord.RecordType?> = \.recordType
        let _: any (CKSubscription & Sendable).Type = CKDatabaseSubscription.self
        let _: (CKSubscription.ID) -> CKDatabaseSubscription = CKDatabaseSubscription.init(subscriptionID:)
        let _: () -> CKDatabaseSubscription = CKDatabaseSubscription.init
        let _: (NSCoder) -> CKDatabaseSubscription? = CKDatabaseSubscription.init(coder:)
        let _: Writable<CKDatabaseSubscription, CKRecord.RecordType?> = \.recordType
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
        let _: Writable<CKSubscription.NotificationInfo, String?> = \.alertBody
        let _: Writable<CKSubscription.NotificationInfo, String?> = \.alertLocalizationKey
        let _: Writable<CKSubscription.NotificationInfo, [CKRecord.FieldKey]?> = \.alertLocalizationArgs
    }

    @available(*, deprecated)
    static func useSubscriptionsB() {
        let _: Writable<CKSubscription.NotificationInfo, String?> = \.title
        let _: Writable<CKSubscription.NotificationInfo, String?> = \.titleLocalizationKey
        let _: Writable<CKSubscription.NotificationInfo, [CKRecord.FieldKey]?> = \.titleLocalizationArgs
        let _: Writable<CKSubscription.NotificationInfo, String?> = \.subtitle
        let _: Writable<CKSubscription.NotificationInfo, String?> = \.subtitleLocalizationKey
        let _: Writable<CKSubscription.NotificationInfo, [CKRecord.FieldKey]?> = \.subtitleLocalizationArgs
        let _: Writable<CKSubscription.NotificationInfo, String?> = \.alertActionLocalizationKey
        let _: Writable<CKSubscription.NotificationInfo, String?> = \.alertLaunchImage
        let _: Writable<CKSubscription.NotificationInfo, String?> = \.soundName
        let _: Writable<CKSubscription.NotificationInfo, [CKRecord.FieldKey]?> = \.desiredKeys
        let _: Writable<CKSubscription.NotificationInfo, Bool> = \.shouldBadge
        let _: Writable<CKSubscription.NotificationInfo, Bool> = \.shouldSendContentAvailable
        let _: Writable<CKSubscription.NotificationInfo, Bool> = \.shouldSendMutableContent
        let _: Writable<CKSubscription.NotificationInfo, String?> = \.category
        let _: Writable<CKSubscription.NotificationInfo, String?> = \.collapseIDKey
        let _: any (NSObject & NSSecureCoding & NSCopying & Sendable).Type = CKNotification.ID.self
        let _: (NSCoder) -> CKNotification.ID? = CKNotification.ID.init(coder:)
        let _: any (NSObject & Sendable).Type = CKNotification.self
        let _: CKNotificationID.Type = CKNotification.ID.self
        let _: any (Sendable & RawRepresentable<Int>).Type = CKNotification.NotificationType.self
        let _: [CKNotification.NotificationType] = [.query, .recordZone, .readNotification, .database]
        let _: Readable<CKNotification, CKNotification.NotificationType> = \.notificationType
        let _: Readable<CKNotification, CKNotification.ID?> = \.notificationID
        let _: Readable<CKNotification, String?> = \.containerIdentifier
        let _: Readable<CKNotification, CKRecord.ID?> = \.subscriptionOwnerUserRecordID
        let _: Readable<CKNotification, Bool> = \.isPruned
        let _: Readable<CKNotification, CKSubscription.ID?> = \.subscriptionID
        let _: Readable<CKNotification, String?> = \.alertBody
        let _: Readable<CKNotification, String?> = \.alertLocalizationKey
        let _: Readable<CKNotification, [String]?> = \.alertLocalizationArgs
        let _: Readable<CKNotification, String?> = \.title
        let _: Readable<CKNotification, String?> = \.titleLocalizationKey
        let _: Readable<CKNotification, [String]?> = \.titleLocalizationArgs
        let _: Readable<CKNotification, String?> = \.subtitle
        let _: Readable<CKNotification, String?> = \.subtitleLocalizationKey
        let _: Readable<CKNotification, [String]?> = \.subtitleLocalizationArgs
        let _: Readable<CKNotification, String?> = \.alertActionLocalizationKey
        let _: Readable<CKNotification, String?> = \.alertLaunchImage
        let _: Readable<CKNotification, NSNumber?> = \.badge
        let _: Readable<CKNotification, String?> = \.soundName
        let _: Readable<CKNotification, String?> = \.category
        let _: any (CKNotification & Sendable).Type = CKQueryNotification.self
        let _: any (Sendable & RawRepresentable<Int>).Type = CKQueryNotification.Reason.self
        let _: [CKQueryNotification.Reason] = [.recordCreated, .recordUpdated, .recordDeleted]
        let _: Readable<CKQueryNotification, CKQueryNotification.Reason> = \.queryNotificationReason
        let _: Readable<CKQueryNotification, [String: Any]?> = \.recordFields
        let _: Readable<CKQueryNotification, CKRecord.ID?> = \.recordID
        let _: Readable<CKQueryNotification, CKDatabase.Scope> = \.databaseScope
        let _: any (CKNotification & Sendable).Type = CKRecordZoneNotification.self
        let _: Readable<CKRecordZoneNotification, CKRecordZone.ID?> = \.recordZoneID
        let _: Readable<CKRecordZoneNotification, CKDatabase.Scope> = \.databaseScope
        let _: any (CKNotification & Sendable).Type = CKDatabaseNotification.self
        let _: Readable<CKDatabaseNotification, CKDatabase.Scope> = \.databaseScope
    }
}
