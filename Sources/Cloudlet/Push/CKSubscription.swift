public import Foundation
internal import Records

/// A lasting question to the server, answered by pushes.
///
/// Abstract: save a `CKQuerySubscription`, a `CKRecordZoneSubscription` or a `CKDatabaseSubscription`.
// Sendable because everything lies behind a lock or is constant.
open class CKSubscription: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
    /// Names a subscription in its database.
    public typealias ID = String
    /// How its pushes look.
    public typealias NotificationInfo = CKNotificationInfo

    /// What makes it fire.
    public enum SubscriptionType: Int, Sendable {
        /// Records that match.
        case query = 1
        /// Any change in a zone.
        case recordZone = 2
        /// Any change in a database.
        case database = 3
    }

    let state: Locked<PlainSubscription>

    init(plain: PlainSubscription) {
        state = Locked(plain)
    }

    /// Reads an archive that `encode(with:)` wrote; nil for anything else.
    public required init?(coder: NSCoder) {
        guard let plain = Archive.read(PlainSubscription.self, as: Self.archiveKey, from: coder) else {
            return nil
        }
        state = Locked(plain)
    }

    /// Names it in its database.
    open var subscriptionID: CKSubscription.ID { state.current.id }

    /// What makes it fire.
    open var subscriptionType: CKSubscription.SubscriptionType {
        SubscriptionType(rawValue: state.current.type) ?? .query
    }

    /// How its pushes look; nil: they are silent.
    open var notificationInfo: CKSubscription.NotificationInfo? {
        get { state.current.info.map { CKNotificationInfo($0) } }
        set { state.withLock { $0.info = newValue?.plain } }
    }

    /// A subscription of the same kind with the same wishes.
    open func copy(with zone: NSZone? = nil) -> Any {
        state.current.subscription
    }

    /// ID and kind, for people.
    open override var description: String {
        "<\(type(of: self)): \(subscriptionID)>"
    }

    /// Always true.
    public static var supportsSecureCoding: Bool { true }

    /// Writes the subscription under a key of this class.
    open func encode(with coder: NSCoder) {
        Archive.write(state.current, as: Self.archiveKey, to: coder)
    }

    // UUID(): the interface makes an ID for whoever gives none.
    static var newID: String { UUID().uuidString }

    private static let archiveKey = "cloudlet.CKSubscription"
}

/// A subscription as archives hold it.
struct PlainSubscription: Codable, Sendable {
    var id: String
    var type: Int
    var recordType: String?
    var predicate: PlainPredicate?
    var options: UInt = 0
    var zone: ZoneID?
    var info: PlainNotificationInfo?

    var subscription: CKSubscription {
        switch CKSubscription.SubscriptionType(rawValue: type) {
        case .recordZone: CKRecordZoneSubscription(plain: self)
        case .database: CKDatabaseSubscription(plain: self)
        case .query, nil: CKQuerySubscription(plain: self)
        }
    }
}
