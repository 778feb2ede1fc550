public import Foundation
internal import Records

/// A subscription: the server sends a push when a change matches it.
///
/// This class is abstract: save a `CKQuerySubscription`, a `CKRecordZoneSubscription` or a
/// `CKDatabaseSubscription`.
///
/// Apple's page: <https://developer.apple.com/documentation/cloudkit/cksubscription>.
// Sendable because all state is immutable or behind a lock.
open class CKSubscription: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
    /// The ID of a subscription, unique within its database.
    public typealias ID = String
    /// The content of a subscription's pushes.
    public typealias NotificationInfo = CKNotificationInfo

    /// The kinds of subscriptions.
    public enum SubscriptionType: Int, Sendable {
        /// Changes to records that match a query.
        case query = 1
        /// All changes in a zone.
        case recordZone = 2
        /// All changes in a database.
        case database = 3
    }

    let state: Locked<ArchivedSubscription>

    init(plain: ArchivedSubscription) {
        state = Locked(plain)
    }

    /// Decodes an archive that `encode(with:)` wrote; returns nil for any other data.
    public required init?(coder: NSCoder) {
        guard let plain = Archive.read(ArchivedSubscription.self, as: Self.archiveKey, from: coder) else {
            return nil
        }
        state = Locked(plain)
    }

    /// The subscription's ID, unique within its database.
    open var subscriptionID: CKSubscription.ID { state.current.id }

    /// The kind of the subscription.
    open var subscriptionType: CKSubscription.SubscriptionType {
        SubscriptionType(rawValue: state.current.type) ?? .query
    }

    /// The content of the pushes; nil makes them silent.
    open var notificationInfo: CKSubscription.NotificationInfo? {
        get { state.current.info.map { CKNotificationInfo($0) } }
        set { state.withLock { $0.info = newValue?.plain } }
    }

    /// Returns an independent subscription of the same class with the same properties.
    open func copy(with zone: NSZone? = nil) -> Any {
        state.current.subscription
    }

    /// Equal if both are of one kind and all properties are equal.
    open override func isEqual(_ object: Any?) -> Bool {
        (object as? CKSubscription)?.state.current.compared == state.current.compared
    }

    /// Consistent with `isEqual(_:)`.
    open override var hash: Int { state.current.compared.hashValue }

    /// The class and the ID, for logs.
    open override var description: String {
        "<\(type(of: self)): \(subscriptionID)>"
    }

    /// Always true.
    public static var supportsSecureCoding: Bool { true }

    /// Writes the subscription under a key of this class, so that subclasses can add their own keys.
    open func encode(with coder: NSCoder) {
        Archive.write(state.current, as: Self.archiveKey, to: coder)
    }

    // UUID(): CloudKit's initialisers without an ID create one.
    static var newID: String { UUID().uuidString }

    private static let archiveKey = "cloudlet.CKSubscription"
}

/// The archived form of a subscription.
struct ArchivedSubscription: Codable, Hashable, Sendable {
    var id: String
    var type: Int
    var recordType: String?
    var predicate: ArchivedPredicate?
    var options: UInt = 0
    var zone: ZoneID?
    var info: ArchivedNotificationInfo?

    var subscription: CKSubscription {
        switch CKSubscription.SubscriptionType(rawValue: type) {
        case .recordZone: CKRecordZoneSubscription(plain: self)
        case .database: CKDatabaseSubscription(plain: self)
        case .query, nil: CKQuerySubscription(plain: self)
        }
    }

    /// The form for comparisons.
    fileprivate var compared: ArchivedSubscription {
        var compared = self
        compared.info = info?.compared
        return compared
    }
}
