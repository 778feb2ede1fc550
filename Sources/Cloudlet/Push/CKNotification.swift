public import Foundation
internal import Records
internal import RecordsWire

/// Lets an initialiser return the subclass that matches a payload.
public protocol _CKNotificationFactory {}

extension CKNotification: _CKNotificationFactory {}

extension _CKNotificationFactory where Self: CKNotification {
    // The untyped dictionary is part of CloudKit's signature.
    /// Creates the notification from a push's payload, as an object of the matching subclass. Returns nil if
    /// the payload does not come from this service, or if its kind does not match the class that the
    /// initialiser is called on.
    public init?(fromRemoteNotificationDictionary notificationDictionary: [AnyHashable: Any]) {
        guard let parsed = CKNotification.parsed(notificationDictionary) as? Self else { return nil }
        self = parsed
    }
}

// Sendable because the message is immutable.
/// The content of a push.
///
/// Apple's page: <https://developer.apple.com/documentation/cloudkit/cknotification>.
open class CKNotification: NSObject, NSSecureCoding, @unchecked Sendable {
    /// The ID of a notification.
    public typealias ID = CKNotificationID

    /// The kinds of events that a notification reports.
    public enum NotificationType: Int, Sendable {
        /// A change to a record that matches a query subscription.
        case query = 1
        /// A change in a zone.
        case recordZone = 2
        /// A notification that was marked as read on another device.
        case readNotification = 3
        /// A change in a database.
        case database = 4
    }

    let message: PushMessage

    init(_ message: PushMessage) {
        self.message = message
    }

    /// Decodes an archive that `encode(with:)` wrote; returns nil for any other data.
    public required init?(coder: NSCoder) {
        guard let payload = Archive.read(Data.self, as: Self.archiveKey, from: coder),
            let message = try? PushMessage(bytes: Array(payload))
        else { return nil }
        self.message = message
    }

    /// The kind of event that the notification reports.
    open var notificationType: CKNotification.NotificationType {
        switch message.notification.cause {
        case .query: .query
        case .zone: .recordZone
        case .database: .database
        case .read: .readNotification
        }
    }

    /// The notification's ID; for `readNotification`, the ID of the notification that was read. Notifications
    /// of several subscriptions about one change share their ID.
    open var notificationID: CKNotification.ID? {
        message.notification.id.isEmpty ? nil : CKNotificationID(text: message.notification.id)
    }

    /// The identifier of the container in which the event happened.
    open var containerIdentifier: String? { message.container.isEmpty ? nil : message.container }

    /// The user record ID of the person whose subscription sent the push.
    open var subscriptionOwnerUserRecordID: CKRecord.ID? {
        message.user.isEmpty ? nil : CKRecord.ID(recordName: message.user)
    }

    /// Whether the push leaves out data because it would exceed the size limit. The notification collection
    /// has all data.
    open var isPruned: Bool { message.isPruned }

    /// The ID of the subscription that sent the push.
    public var subscriptionID: CKSubscription.ID? {
        message.notification.subscriptionID.isEmpty ? nil : message.notification.subscriptionID
    }

    private var presentation: PushPresentation { message.notification.presentation }

    /// The text of the alert.
    open var alertBody: String? { presentation.alert.text }
    /// The key of the alert's text in the app's localization.
    open var alertLocalizationKey: String? { presentation.alert.key }
    /// The values for the placeholders in the localized text.
    open var alertLocalizationArgs: [String]? {
        presentation.alert.arguments.isEmpty ? nil : presentation.alert.arguments
    }
    /// The title of the alert.
    open var title: String? { presentation.title.text }
    /// The key of the title in the app's localization.
    open var titleLocalizationKey: String? { presentation.title.key }
    /// The values for the placeholders in the localized title.
    open var titleLocalizationArgs: [String]? {
        presentation.title.arguments.isEmpty ? nil : presentation.title.arguments
    }
    /// The subtitle of the alert.
    open var subtitle: String? { presentation.subtitle.text }
    /// The key of the subtitle in the app's localization.
    open var subtitleLocalizationKey: String? { presentation.subtitle.key }
    /// The values for the placeholders in the localized subtitle.
    open var subtitleLocalizationArgs: [String]? {
        presentation.subtitle.arguments.isEmpty ? nil : presentation.subtitle.arguments
    }
    /// The key, in the app's localization, of the text on the button that opens the app.
    open var alertActionLocalizationKey: String? { presentation.actionKey }
    /// The name of the image to show while the app launches.
    open var alertLaunchImage: String? { presentation.launchImage }
    /// The number to show on the app's icon; nil leaves it unchanged.
    open var badge: NSNumber? { message.badge.map { NSNumber(value: $0) } }
    /// The name of the sound to play.
    open var soundName: String? { presentation.sound }
    /// The category, which determines the actions that the alert offers.
    open var category: String? { presentation.category }

    /// The class, the subscription and the ID, for logs.
    open override var description: String {
        "<\(type(of: self)): \(subscriptionID ?? "read"), \(message.notification.id)>"
    }

    /// Always true.
    public static var supportsSecureCoding: Bool { true }

    /// Writes the push's payload under a key of this class, so that subclasses can add their own keys.
    open func encode(with coder: NSCoder) {
        Archive.write(Data(message.encoded()), as: Self.archiveKey, to: coder)
    }

    private static let archiveKey = "cloudlet.CKNotification"
}

extension CKNotification {
    /// Whether the push shows nothing and plays no sound.
    public var isSilent: Bool { !message.isVisible }

    /// Creates an object of the class that matches the message.
    static func make(_ message: PushMessage) -> CKNotification {
        switch message.notification.cause {
        case .query: CKQueryNotification(message)
        case .zone: CKRecordZoneNotification(message)
        case .database: CKDatabaseNotification(message)
        case .read: CKNotification(message)
        }
    }

    // The untyped dictionary is part of CloudKit's signature.
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

// Sendable because the message is immutable.
/// Reports that a record that matches a query subscription was created, changed or deleted.
///
/// Apple's page: <https://developer.apple.com/documentation/cloudkit/ckquerynotification>.
open class CKQueryNotification: CKNotification, @unchecked Sendable {
    /// The changes to a record.
    public enum Reason: Int, Sendable {
        /// The record was created.
        case recordCreated = 1
        /// The record was changed.
        case recordUpdated = 2
        /// The record was deleted.
        case recordDeleted = 3
    }

    /// Whether the record was created, changed or deleted.
    open var queryNotificationReason: CKQueryNotification.Reason {
        guard case .query(_, let event, _) = message.notification.cause else { return .recordUpdated }
        return Reason(rawValue: Int(event.rawValue)) ?? .recordUpdated
    }

    // The untyped dictionary is part of CloudKit's signature.
    /// The values of the fields that the subscription's `desiredKeys` name; nil if there are none.
    open var recordFields: [String: Any]? {
        guard case .query(let record, _, let fields) = message.notification.cause, !fields.isEmpty else {
            return nil
        }
        // The untyped dictionary is part of CloudKit's signature.
        var values: [String: Any] = [:]
        for (name, field) in fields { values[name] = context.object(field.value, home: record.zone) }
        return values
    }

    /// The record's ID; nil if the push had no room for it.
    open var recordID: CKRecord.ID? {
        guard case .query(let record, _, _) = message.notification.cause, !record.name.isEmpty else {
            return nil
        }
        return context.recordID(record)
    }

    /// The scope of the database in which the change happened.
    open var databaseScope: CKDatabase.Scope { scope }

    /// Whether the change happened in the public database.
    @available(*, deprecated, message: "Use databaseScope.")
    open var isPublicDatabase: Bool { scope == .public }
}

// Sendable because the message is immutable.
/// Reports that something changed in a zone: fetch its changes.
///
/// Apple's page: <https://developer.apple.com/documentation/cloudkit/ckrecordzonenotification>.
open class CKRecordZoneNotification: CKNotification, @unchecked Sendable {
    /// The zone's ID; nil if the push had no room for it.
    open var recordZoneID: CKRecordZone.ID? {
        guard case .zone(let zone) = message.notification.cause, !zone.name.isEmpty else { return nil }
        return context.zoneID(zone)
    }

    /// The scope of the database in which the change happened.
    open var databaseScope: CKDatabase.Scope { scope }
}

// Sendable because the message is immutable.
/// Reports that something changed in a database: fetch its changes.
///
/// Apple's page: <https://developer.apple.com/documentation/cloudkit/ckdatabasenotification>.
open class CKDatabaseNotification: CKNotification, @unchecked Sendable {
    /// The scope of the database.
    open var databaseScope: CKDatabase.Scope { scope }
}
