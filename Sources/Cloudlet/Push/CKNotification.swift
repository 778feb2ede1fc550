public import Foundation
internal import Records
internal import RecordsWire

/// Lets an initialiser return the subclass that fits a payload.
public protocol _CKNotificationFactory {}

extension CKNotification: _CKNotificationFactory {}

extension _CKNotificationFactory where Self: CKNotification {
    // The untyped dictionary is the framework's signature.
    /// The notification of a push's payload, as the subclass that fits; nil for a payload that is not of this
    /// service, or is of another kind than the class this is called on.
    public init?(fromRemoteNotificationDictionary notificationDictionary: [AnyHashable: Any]) {
        guard let parsed = CKNotification.parsed(notificationDictionary) as? Self else { return nil }
        self = parsed
    }
}

// Sendable because the message is constant.
/// What a push says.
open class CKNotification: NSObject, @unchecked Sendable {
    /// Names a notification.
    public typealias ID = CKNotificationID

    /// What happened.
    public enum NotificationType: Int, Sendable {
        /// A record that a query subscription is about.
        case query = 1
        /// Something in a zone.
        case recordZone = 2
        /// A notification was read on another device.
        case readNotification = 3
        /// Something in a database.
        case database = 4
    }

    let message: PushMessage

    init(_ message: PushMessage) {
        self.message = message
    }

    /// What happened.
    open var notificationType: CKNotification.NotificationType {
        switch message.notification.cause {
        case .query: .query
        case .zone: .recordZone
        case .database: .database
        case .read: .readNotification
        }
    }

    /// Names it; of a `readNotification`, names what was read. Several subscriptions about one change share
    /// it.
    open var notificationID: CKNotification.ID? {
        message.notification.id.isEmpty ? nil : CKNotificationID(text: message.notification.id)
    }

    /// The container that it is about.
    open var containerIdentifier: String? { message.container.isEmpty ? nil : message.container }

    /// Whose subscription fired.
    open var subscriptionOwnerUserRecordID: CKRecord.ID? {
        message.user.isEmpty ? nil : CKRecord.ID(recordName: message.user)
    }

    /// Whether something was left out because the push had no room; the collection has all of it.
    open var isPruned: Bool { message.isPruned }

    /// The subscription that fired.
    public var subscriptionID: CKSubscription.ID? {
        message.notification.subscriptionID.isEmpty ? nil : message.notification.subscriptionID
    }

    private var look: PushLook { message.notification.look }

    /// The text that is shown.
    open var alertBody: String? { look.alert.text }
    /// The key of that text in the app's translations.
    open var alertLocalizationKey: String? { look.alert.key }
    /// The values for its places.
    open var alertLocalizationArgs: [String]? { look.alert.arguments.isEmpty ? nil : look.alert.arguments }
    /// The title.
    open var title: String? { look.title.text }
    /// The key of the title in the app's translations.
    open var titleLocalizationKey: String? { look.title.key }
    /// The values for its places.
    open var titleLocalizationArgs: [String]? { look.title.arguments.isEmpty ? nil : look.title.arguments }
    /// The subtitle.
    open var subtitle: String? { look.subtitle.text }
    /// The key of the subtitle in the app's translations.
    open var subtitleLocalizationKey: String? { look.subtitle.key }
    /// The values for its places.
    open var subtitleLocalizationArgs: [String]? {
        look.subtitle.arguments.isEmpty ? nil : look.subtitle.arguments
    }
    /// The key of the text on the button that opens the app.
    open var alertActionLocalizationKey: String? { look.actionKey }
    /// The image that is shown while the app opens.
    open var alertLaunchImage: String? { look.launchImage }
    /// The number that the app's icon is to show.
    open var badge: NSNumber? { message.badge.map { NSNumber(value: $0) } }
    /// The sound that is played.
    open var soundName: String? { look.sound }
    /// Names the actions that are offered.
    open var category: String? { look.category }

    /// Kind and subscription, for people.
    open override var description: String {
        "<\(type(of: self)): \(subscriptionID ?? "read"), \(message.notification.id)>"
    }
}

extension CKNotification {
    /// Whether nothing of it is seen or heard.
    public var isSilent: Bool { !message.isVisible }

    /// The object of the class that fits.
    static func make(_ message: PushMessage) -> CKNotification {
        switch message.notification.cause {
        case .query: CKQueryNotification(message)
        case .zone: CKRecordZoneNotification(message)
        case .database: CKDatabaseNotification(message)
        case .read: CKNotification(message)
        }
    }

    // The untyped dictionary is the framework's signature.
    fileprivate static func parsed(_ payload: [AnyHashable: Any]) -> CKNotification? {
        guard JSONSerialization.isValidJSONObject(payload),
            let data = try? JSONSerialization.data(withJSONObject: payload),
            let message = try? PushMessage(bytes: Array(data))
        else { return nil }
        return make(message)
    }

    var scope: CKDatabase.Scope {
        switch message.database {
        case .public: .public
        case .private: .private
        case .shared: .shared
        }
    }

    var context: WireContext { WireContext(isShared: message.database == .shared) }
}

// Sendable because the message is constant.
/// A record that a query subscription is about was created, changed or deleted.
open class CKQueryNotification: CKNotification, @unchecked Sendable {
    /// What happened to the record.
    public enum Reason: Int, Sendable {
        /// It was created.
        case recordCreated = 1
        /// It was changed.
        case recordUpdated = 2
        /// It was deleted.
        case recordDeleted = 3
    }

    /// What happened to the record.
    open var queryNotificationReason: CKQueryNotification.Reason {
        guard case .query(_, let event, _) = message.notification.cause else { return .recordUpdated }
        return Reason(rawValue: Int(event.rawValue)) ?? .recordUpdated
    }

    // The untyped dictionary is the framework's signature.
    /// The fields that the subscription asked for.
    open var recordFields: [String: Any]? {
        guard case .query(let record, _, let fields) = message.notification.cause, !fields.isEmpty else {
            return nil
        }
        // The untyped dictionary is the framework's signature.
        var values: [String: Any] = [:]
        for (name, field) in fields { values[name] = context.object(field.value, home: record.zone) }
        return values
    }

    /// The record; nil when there was no room for it.
    open var recordID: CKRecord.ID? {
        guard case .query(let record, _, _) = message.notification.cause, !record.name.isEmpty else {
            return nil
        }
        return context.recordID(record)
    }

    /// The database that it lies in.
    open var databaseScope: CKDatabase.Scope { scope }
}

// Sendable because the message is constant.
/// Something in a zone changed: fetch its changes.
open class CKRecordZoneNotification: CKNotification, @unchecked Sendable {
    /// The zone; nil when there was no room for it.
    open var recordZoneID: CKRecordZone.ID? {
        guard case .zone(let zone) = message.notification.cause, !zone.name.isEmpty else { return nil }
        return context.zoneID(zone)
    }

    /// The database that it lies in.
    open var databaseScope: CKDatabase.Scope { scope }
}

// Sendable because the message is constant.
/// Something in a database changed: fetch its changes.
open class CKDatabaseNotification: CKNotification, @unchecked Sendable {
    /// The database.
    open var databaseScope: CKDatabase.Scope { scope }
}
