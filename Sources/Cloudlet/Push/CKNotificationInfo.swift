public import Foundation

/// The content of a subscription's pushes, and the way in which devices present them.
///
/// A push is visible if it has an alert, a sound or a badge, else silent. The server rejects a visible push
/// with `shouldSendContentAvailable`.
///
/// Apple's page:
/// <https://developer.apple.com/documentation/cloudkit/cksubscription/notificationinfo-swift.class>.
// Sendable because all state is behind a lock.
open class CKNotificationInfo: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
    private let state: Locked<ArchivedNotificationInfo>

    /// Creates notification info without any content: its pushes are silent.
    public override init() {
        state = Locked(ArchivedNotificationInfo())
    }

    init(_ plain: ArchivedNotificationInfo) {
        state = Locked(plain)
    }

    /// Creates notification info with these properties.
    public convenience init(
        alertBody: String? = nil,
        alertLocalizationKey: String? = nil,
        alertLocalizationArgs: [CKRecord.FieldKey] = [],
        title: String? = nil,
        titleLocalizationKey: String? = nil,
        titleLocalizationArgs: [CKRecord.FieldKey] = [],
        subtitle: String? = nil,
        subtitleLocalizationKey: String? = nil,
        subtitleLocalizationArgs: [CKRecord.FieldKey] = [],
        alertActionLocalizationKey: String? = nil,
        alertLaunchImage: String? = nil,
        soundName: String? = nil,
        desiredKeys: [CKRecord.FieldKey] = [],
        shouldBadge: Bool = false,
        shouldSendContentAvailable: Bool = false,
        shouldSendMutableContent: Bool = false,
        category: String? = nil,
        collapseIDKey: String? = nil
    ) {
        var plain = ArchivedNotificationInfo()
        plain.alertBody = alertBody
        plain.alertLocalizationKey = alertLocalizationKey
        plain.alertLocalizationArgs = alertLocalizationArgs
        (plain.title, plain.titleLocalizationKey) = (title, titleLocalizationKey)
        plain.titleLocalizationArgs = titleLocalizationArgs
        (plain.subtitle, plain.subtitleLocalizationKey) = (subtitle, subtitleLocalizationKey)
        plain.subtitleLocalizationArgs = subtitleLocalizationArgs
        plain.alertActionLocalizationKey = alertActionLocalizationKey
        plain.alertLaunchImage = alertLaunchImage
        plain.soundName = soundName
        plain.desiredKeys = desiredKeys
        plain.shouldBadge = shouldBadge
        plain.shouldSendContentAvailable = shouldSendContentAvailable
        plain.shouldSendMutableContent = shouldSendMutableContent
        plain.category = category
        plain.collapseIDKey = collapseIDKey
        self.init(plain)
    }

    /// Decodes an archive that `encode(with:)` wrote; returns nil for any other data.
    public required init?(coder: NSCoder) {
        guard let plain = Archive.read(ArchivedNotificationInfo.self, as: Self.archiveKey, from: coder) else {
            return nil
        }
        state = Locked(plain)
    }

    var plain: ArchivedNotificationInfo { state.current }

    /// The text of the alert.
    open var alertBody: String? {
        get { state.current.alertBody }
        set { state.withLock { $0.alertBody = newValue } }
    }

    /// The key of the alert's text in the app's localization.
    open var alertLocalizationKey: String? {
        get { state.current.alertLocalizationKey }
        set { state.withLock { $0.alertLocalizationKey = newValue } }
    }

    /// The record fields whose values fill the placeholders of the localized text.
    public var alertLocalizationArgs: [CKRecord.FieldKey]? {
        get { state.current.alertLocalizationArgs }
        set { state.withLock { $0.alertLocalizationArgs = newValue } }
    }

    /// The title of the alert.
    open var title: String? {
        get { state.current.title }
        set { state.withLock { $0.title = newValue } }
    }

    /// The key of the title in the app's localization.
    open var titleLocalizationKey: String? {
        get { state.current.titleLocalizationKey }
        set { state.withLock { $0.titleLocalizationKey = newValue } }
    }

    /// The record fields whose values fill the placeholders of the localized text.
    public var titleLocalizationArgs: [CKRecord.FieldKey]? {
        get { state.current.titleLocalizationArgs }
        set { state.withLock { $0.titleLocalizationArgs = newValue } }
    }

    /// The subtitle of the alert.
    open var subtitle: String? {
        get { state.current.subtitle }
        set { state.withLock { $0.subtitle = newValue } }
    }

    /// The key of the subtitle in the app's localization.
    open var subtitleLocalizationKey: String? {
        get { state.current.subtitleLocalizationKey }
        set { state.withLock { $0.subtitleLocalizationKey = newValue } }
    }

    /// The record fields whose values fill the placeholders of the localized text.
    public var subtitleLocalizationArgs: [CKRecord.FieldKey]? {
        get { state.current.subtitleLocalizationArgs }
        set { state.withLock { $0.subtitleLocalizationArgs = newValue } }
    }

    /// The key, in the app's localization, of the text on the button that opens the app.
    open var alertActionLocalizationKey: String? {
        get { state.current.alertActionLocalizationKey }
        set { state.withLock { $0.alertActionLocalizationKey = newValue } }
    }

    /// The name of the image to show while the app launches.
    open var alertLaunchImage: String? {
        get { state.current.alertLaunchImage }
        set { state.withLock { $0.alertLaunchImage = newValue } }
    }

    /// The name of the sound to play.
    open var soundName: String? {
        get { state.current.soundName }
        set { state.withLock { $0.soundName = newValue } }
    }

    /// The fields whose values the push includes; at most three.
    public var desiredKeys: [CKRecord.FieldKey]? {
        get { state.current.desiredKeys }
        set { state.withLock { $0.desiredKeys = newValue } }
    }

    /// Whether each push increases the number on the app's icon by one.
    open var shouldBadge: Bool {
        get { state.current.shouldBadge }
        set { state.withLock { $0.shouldBadge = newValue } }
    }

    /// Whether the push wakes the app silently. It cannot be combined with an alert, a sound or a badge.
    open var shouldSendContentAvailable: Bool {
        get { state.current.shouldSendContentAvailable }
        set { state.withLock { $0.shouldSendContentAvailable = newValue } }
    }

    /// Whether the app may change the push before it is shown.
    open var shouldSendMutableContent: Bool {
        get { state.current.shouldSendMutableContent }
        set { state.withLock { $0.shouldSendMutableContent = newValue } }
    }

    /// The category, which determines the actions that the alert offers.
    open var category: String? {
        get { state.current.category }
        set { state.withLock { $0.category = newValue } }
    }

    /// A key for collapsing pushes: a push replaces an earlier one with the same key.
    open var collapseIDKey: String? {
        get { state.current.collapseIDKey }
        set { state.withLock { $0.collapseIDKey = newValue } }
    }

    /// Equal if all properties are equal.
    open override func isEqual(_ object: Any?) -> Bool {
        (object as? CKNotificationInfo)?.plain.compared == plain.compared
    }

    /// Consistent with `isEqual(_:)`.
    open override var hash: Int { plain.compared.hashValue }

    /// Returns an independent object with the same properties.
    open func copy(with zone: NSZone? = nil) -> Any { CKNotificationInfo(state.current) }

    /// Always true.
    public static var supportsSecureCoding: Bool { true }

    /// Writes all properties under a key of this class.
    open func encode(with coder: NSCoder) {
        Archive.write(state.current, as: Self.archiveKey, to: coder)
    }

    private static let archiveKey = "cloudlet.CKNotificationInfo"
}

/// The archived form of notification info.
struct ArchivedNotificationInfo: Codable, Hashable, Sendable {
    var alertBody: String?
    var alertLocalizationKey: String?
    var alertLocalizationArgs: [CKRecord.FieldKey]?
    var title: String?
    var titleLocalizationKey: String?
    var titleLocalizationArgs: [CKRecord.FieldKey]?
    var subtitle: String?
    var subtitleLocalizationKey: String?
    var subtitleLocalizationArgs: [CKRecord.FieldKey]?
    var alertActionLocalizationKey: String?
    var alertLaunchImage: String?
    var soundName: String?
    var desiredKeys: [CKRecord.FieldKey]?
    var shouldBadge: Bool = false
    var shouldSendContentAvailable: Bool = false
    var shouldSendMutableContent: Bool = false
    var category: String?
    var collapseIDKey: String?

    /// The form for comparisons: an empty list becomes nil, because servers do not distinguish the two.
    var compared: ArchivedNotificationInfo {
        var compared = self
        let lists = [
            \ArchivedNotificationInfo.alertLocalizationArgs, \.titleLocalizationArgs,
            \.subtitleLocalizationArgs,
            \.desiredKeys,
        ]
        for list in lists where compared[keyPath: list]?.isEmpty == true { compared[keyPath: list] = nil }
        return compared
    }
}
