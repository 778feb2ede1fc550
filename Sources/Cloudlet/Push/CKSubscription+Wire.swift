import Foundation
internal import Records

extension CKSubscription {
    /// The subscription in the server's form.
    ///
    /// A query subscription without a zone in the private database watches every zone. References in its
    /// predicate then name their zones: a reference without a zone would match records with the target's name
    /// in every zone.
    ///
    /// - Throws: `CKError.invalidArguments` if the server cannot watch the query; the text says what to write
    ///   instead.
    func wire(now: Date, in database: DatabaseKind) throws -> Subscription {
        let plain = state.current
        let zone = plain.zone.map { ZoneID(CKRecordZoneID($0)) }
        let kind: Subscription.Kind
        switch subscriptionType {
        case .query:
            let query = CKQuery(
                recordType: plain.recordType ?? "",
                predicate: plain.predicate?.predicate ?? NSPredicate(value: true))
            let options = CKQuerySubscription.Options(rawValue: plain.options)
            guard !options.isDisjoint(with: Self.events) else {
                throw CKError.invalidArguments(
                    "A query subscription needs firesOnRecordCreation, firesOnRecordUpdate or "
                        + "firesOnRecordDeletion."
                )
            }
            kind = .query(
                Subscription.QueryTerms(
                    try query.wire(now: now, home: zone ?? (database == .public ? .default : nil)),
                    firesOn: options.firesOn, firesOnce: options.contains(.firesOnce), zone: zone
                )
            )
        case .recordZone: kind = .zone(zone ?? .default, recordType: plain.recordType)
        case .database: kind = .database(recordType: plain.recordType)
        }
        return Subscription(id: plain.id, kind: kind, info: plain.info.map { Records.NotificationInfo($0) })
    }

    private static let events: CKQuerySubscription.Options = [
        .firesOnRecordCreation, .firesOnRecordUpdate, .firesOnRecordDeletion,
    ]
}

extension CKQuerySubscription.Options {
    fileprivate var firesOn: Set<Subscription.Event> {
        var events: Set<Subscription.Event> = []
        if contains(.firesOnRecordCreation) { events.insert(.create) }
        if contains(.firesOnRecordUpdate) { events.insert(.update) }
        if contains(.firesOnRecordDeletion) { events.insert(.delete) }
        return events
    }

    fileprivate init(_ terms: Subscription.QueryTerms) {
        self = []
        if terms.firesOn.contains(.create) { insert(.firesOnRecordCreation) }
        if terms.firesOn.contains(.update) { insert(.firesOnRecordUpdate) }
        if terms.firesOn.contains(.delete) { insert(.firesOnRecordDeletion) }
        if terms.firesOnce { insert(.firesOnce) }
    }
}

extension WireContext {
    /// The app's form of a subscription from the server.
    func subscription(_ subscription: Subscription) -> CKSubscription {
        var plain = ArchivedSubscription(id: subscription.id, type: 0)
        plain.info = subscription.info.map { ArchivedNotificationInfo($0) }
        switch subscription.kind {
        case .query(let terms):
            plain.type = CKSubscription.SubscriptionType.query.rawValue
            plain.recordType = terms.query.recordType
            plain.options = CKQuerySubscription.Options(terms).rawValue
            plain.zone = terms.zone.map { ZoneID(zoneID($0)) }
            let tree = PredicateTree(terms.query.filters, in: self, home: terms.zone ?? .default)
            plain.predicate = ArchivedPredicate(tree)
        case .zone(let zone, let recordType):
            plain.type = CKSubscription.SubscriptionType.recordZone.rawValue
            plain.zone = ZoneID(zoneID(zone))
            plain.recordType = recordType
        case .database(let recordType):
            plain.type = CKSubscription.SubscriptionType.database.rawValue
            plain.recordType = recordType
        }
        return plain.subscription
    }
}

extension NotificationInfo {
    fileprivate init(_ plain: ArchivedNotificationInfo) {
        self.init()
        alert = Text(
            plain.alertBody, key: plain.alertLocalizationKey, arguments: plain.alertLocalizationArgs ?? [])
        title = Text(
            plain.title, key: plain.titleLocalizationKey, arguments: plain.titleLocalizationArgs ?? [])
        subtitle = Text(
            plain.subtitle, key: plain.subtitleLocalizationKey,
            arguments: plain.subtitleLocalizationArgs ?? [])
        actionKey = plain.alertActionLocalizationKey
        launchImage = plain.alertLaunchImage
        sound = plain.soundName
        category = plain.category
        collapseKey = plain.collapseIDKey
        additionalFields = plain.desiredKeys ?? []
        shouldBadge = plain.shouldBadge
        shouldSendContentAvailable = plain.shouldSendContentAvailable
        shouldSendMutableContent = plain.shouldSendMutableContent
    }
}

extension ArchivedNotificationInfo {
    fileprivate init(_ info: NotificationInfo) {
        self.init()
        alertBody = info.alert.text
        alertLocalizationKey = info.alert.key
        alertLocalizationArgs = info.alert.arguments
        title = info.title.text
        titleLocalizationKey = info.title.key
        titleLocalizationArgs = info.title.arguments
        subtitle = info.subtitle.text
        subtitleLocalizationKey = info.subtitle.key
        subtitleLocalizationArgs = info.subtitle.arguments
        alertActionLocalizationKey = info.actionKey
        alertLaunchImage = info.launchImage
        soundName = info.sound
        category = info.category
        collapseIDKey = info.collapseKey
        desiredKeys = info.additionalFields
        shouldBadge = info.shouldBadge
        shouldSendContentAvailable = info.shouldSendContentAvailable
        shouldSendMutableContent = info.shouldSendMutableContent
    }
}
