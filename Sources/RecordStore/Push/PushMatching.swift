import Foundation
package import Records

/// The database that a subscription in a store is about.
package enum SubscriptionScope: Hashable, Sendable {
    /// The database of the store.
    case own
    /// The shared database of the subscription's owner. In the store of somebody who shares with that person
    /// it fires for changes that the person sees.
    case shared
}

package struct SubscriptionEntry: Hashable, Sendable {
    /// Identifies the subscription in its store.
    package var number: Int64
    package var owner: String
    package var scope: SubscriptionScope
    package var subscription: Subscription

    package init(
        number: Int64, owner: String, scope: SubscriptionScope = .own, subscription: Subscription
    ) {
        self.number = number
        self.owner = owner
        self.scope = scope
        self.subscription = subscription
    }
}

/// A subscription with its conditions, which are prepared once for all commits.
package struct PreparedSubscription: Sendable {
    package let entry: SubscriptionEntry
    /// nil for a subscription to a zone or a database.
    package let conditions: QueryConditions?

    package init(_ entry: SubscriptionEntry) {
        self.entry = entry
        if case .query(let terms) = entry.subscription.kind {
            conditions = QueryConditions(terms.query.filters, zone: terms.zone?.name)
        } else {
            conditions = nil
        }
    }
}

/// A notification to store with a commit.
package struct PushDraft: Hashable, Sendable {
    package var owner: String
    /// The number of the subscription that fires.
    package var subscription: Int64
    /// Whether the subscription is removed when it fires.
    package var isLast: Bool
    package var notification: PushNotification
}

/// Finds the subscriptions that one commit fires, and makes their notifications.
///
/// A query subscription is evaluated for each changed record: as it was before a deletion, or as it is after
/// a save. A subscription to a zone or a database fires once for each commit. One change fires at most
/// `Limits.pushesPerChange` subscriptions of one person, in the order of their creation, and one commit makes
/// no more notifications for the query subscriptions of one person than `Limits.pushesPerCommit` and
/// `Limits.pushBytesPerCommit` allow. After the commit has made `Limits.pushesPerCommitOfAll` notifications,
/// a person who has none yet gets one, and other people get no more. When the searchable texts of the changed
/// records have more bytes together than `Limits.searchableBytesPerRequest`, searches find no words in the
/// later ones.
package struct PushMatching: Sendable {
    /// The identity of the database, which goes into the identifiers of notifications.
    package var identity: Int64
    package var zone: String
    package var stamp: Stamp
    package var schema: Schema
    package var limits: Limits
    package var mayNotify: WriteBatch.Audience

    package init(_ batch: WriteBatch, identity: Int64) {
        self.identity = identity
        zone = batch.zone
        stamp = batch.stamp
        schema = batch.schema
        limits = batch.limits
        mayNotify = batch.mayNotify
    }

    /// For the creation or deletion of a zone.
    package init(zone: String, identity: Int64, stamp: Stamp) {
        self.identity = identity
        self.zone = zone
        self.stamp = stamp
        schema = Schema()
        limits = Limits()
        mayNotify = { _, _ in true }
    }

    /// Returns the notifications for changes to records.
    ///
    /// - Parameters:
    ///   - queries: returns the query subscriptions to evaluate for a change, whose record has these look-up
    ///     structures; it may return more than fire.
    ///   - watchers: the subscriptions to the zone and to the whole database.
    package func pushes(
        for changes: [RecordChange],
        queries: (RecordChange, inout RecordLookups) -> [PreparedSubscription],
        watchers: [SubscriptionEntry]
    ) -> [PushDraft] {
        var drafts: [PushDraft] = []
        var spent: Set<Int64> = []
        var allowances: [String: PushAllowance] = [:]
        let most = limits.pushesPerCommitOfAll
        var textBytes = 0
        for change in changes {
            var lookups = lookups(for: change, &textBytes)
            var fired: [String: Int] = [:]
            for subscription in queries(change, &lookups) where !spent.contains(subscription.entry.number) {
                let entry = subscription.entry
                let isFirst = allowances[entry.owner] == nil
                guard isFirst || allowances[entry.owner]?.isUsedUp != true && drafts.count < most,
                    fired[entry.owner, default: 0] < limits.pushesPerChange,
                    case .query(let terms) = entry.subscription.kind,
                    fires(terms, subscription, change, &lookups)
                else { continue }
                let draft = draft(entry, terms, change)
                guard allowances[entry.owner, default: PushAllowance(limits)].takes(draft) else { continue }
                fired[entry.owner, default: 0] += 1
                if terms.firesOnce { spent.insert(entry.number) }
                drafts.append(draft)
            }
        }
        for entry in limited(watchers.filter { isWatched(changes, by: $0) }) {
            if let last = changes.last?.sequence { drafts.append(draft(entry, sequence: last)) }
        }
        return drafts
    }

    /// Returns the notifications for the creation or deletion of the zone.
    package func pushes(ofZoneChange sequence: Int64, watchers: [SubscriptionEntry]) -> [PushDraft] {
        limited(watchers.filter { isAbout($0) }).map { draft($0, sequence: sequence) }
    }

    /// Returns the notifications for people in whose shared databases a commit changed something.
    ///
    /// - Parameters:
    ///   - people: the types of the changed records for each person.
    ///   - watchers: subscriptions; those to shared databases are considered.
    ///   - sequence: the number of the last change.
    package func pushes(
        of people: [String: RecordTypes], watchers: [SubscriptionEntry], sequence: Int64
    ) -> [PushDraft] {
        let fired = watchers.filter { entry in
            guard entry.scope == .shared, let types = people[entry.owner] else { return false }
            if case .database(let type?) = entry.subscription.kind { return types.contains(type) }
            return true
        }
        return limited(fired).map { draft($0, sequence: sequence) }
    }

    /// The first `pushesPerChange` subscriptions of each person.
    private func limited(_ entries: [SubscriptionEntry]) -> [SubscriptionEntry] {
        var fired: [String: Int] = [:]
        return entries.filter { entry in
            fired[entry.owner, default: 0] += 1
            return fired[entry.owner, default: 0] <= limits.pushesPerChange
        }
    }

    // MARK: Firing

    /// The look-up structures of a changed record.
    ///
    /// - Parameter textBytes: the bytes of the searchable texts of the changes so far.
    private func lookups(for change: RecordChange, _ textBytes: inout Int) -> RecordLookups {
        let type = schema.types[change.record.stored.type]
        let bytes = type?.searchableBytes(of: change.record.fields) ?? 0
        textBytes += bytes
        // All writers of the database wait while texts are split. The first text is always searched.
        let hasWords = textBytes == bytes || textBytes <= limits.searchableBytesPerRequest
        return RecordLookups(change.record, type: type, hasWords: hasWords)
    }

    private func fires(
        _ terms: Subscription.QueryTerms, _ subscription: PreparedSubscription, _ change: RecordChange,
        _ lookups: inout RecordLookups
    ) -> Bool {
        guard terms.firesOn.contains(change.event), terms.query.recordType == change.record.stored.type,
            terms.zone == nil || terms.zone?.name == zone, let conditions = subscription.conditions
        else { return false }
        return conditions.matches(&lookups) && mayNotify(subscription.entry.owner, change.record.stored)
    }

    private func isWatched(_ changes: [RecordChange], by entry: SubscriptionEntry) -> Bool {
        guard isAbout(entry) else { return false }
        switch entry.subscription.kind {
        case .zone(_, let type?), .database(let type?):
            return changes.contains { $0.record.stored.type == type }
        default: return !changes.isEmpty
        }
    }

    private func isAbout(_ entry: SubscriptionEntry) -> Bool {
        if entry.scope == .shared { return false }
        return switch entry.subscription.kind {
        case .query: false
        case .zone(let id, _): id.name == zone
        // A push about the default zone would be useless: it has no feed of changes to fetch.
        case .database: zone != ZoneID.defaultName
        }
    }

    // MARK: Contents

    private func draft(
        _ entry: SubscriptionEntry, _ terms: Subscription.QueryTerms, _ change: RecordChange
    ) -> PushDraft {
        let record = change.record
        var fields = Fields()
        for name in entry.subscription.info?.additionalFields ?? [] {
            if let field = record.fields[name], let pushed = pushed(field) { fields[name] = pushed }
        }
        let cause = PushNotification.Cause.query(record.stored.id, change.event, fields: fields)
        return PushDraft(
            owner: entry.owner, subscription: entry.number, isLast: terms.firesOnce,
            notification: PushNotification(
                id: PushID.text(database: identity, number: change.sequence),
                subscriptionID: entry.subscription.id, cause: cause,
                presentation: presentation(entry.subscription.info, record.fields), origin: stamp
            )
        )
    }

    private func draft(_ entry: SubscriptionEntry, sequence: Int64) -> PushDraft {
        let cause: PushNotification.Cause =
            if case .zone = entry.subscription.kind { .zone(ZoneID(name: zone)) } else { .database }
        return PushDraft(
            owner: entry.owner, subscription: entry.number, isLast: false,
            notification: PushNotification(
                id: PushID.text(database: identity, number: sequence),
                subscriptionID: entry.subscription.id, cause: cause,
                presentation: presentation(entry.subscription.info, Fields()), origin: stamp
            )
        )
    }

    /// Returns a field as a push carries it: shortened texts, numbers, dates, places and short references;
    /// nil for encrypted fields and other types.
    private func pushed(_ field: Field) -> Field? {
        if field.isEncrypted { return nil }
        switch field.value {
        case .string(let text): return Field(.string(shortened(text)))
        case .reference(let reference):
            // Part of a name would be the name of another record.
            let zone = reference.zone.map { $0.name + ($0.owner ?? "") } ?? ""
            let isShort = max(reference.recordName.utf8.count, zone.utf8.count) <= 2 * limits.nameCharacters
            return isShort ? field : nil
        case .int64, .double, .timestamp, .location: return field
        case .bytes, .asset, .list: return nil
        }
    }

    private func presentation(_ info: NotificationInfo?, _ fields: Fields) -> PushPresentation {
        var presentation = PushPresentation()
        guard let info else {
            presentation.isContentAvailable = true
            return presentation
        }
        var room = limits.pushBytes
        presentation.alert = filledText(info.alert, fields, &room)
        presentation.title = filledText(info.title, fields, &room)
        presentation.subtitle = filledText(info.subtitle, fields, &room)
        presentation.actionKey = info.actionKey
        presentation.launchImage = info.launchImage
        presentation.sound = info.sound
        presentation.category = info.category
        presentation.collapseID = info.collapseKey
        presentation.raisesBadge = info.shouldBadge
        presentation.isContentAvailable = info.shouldSendContentAvailable || !info.isVisible
        presentation.hasMutableContent = info.shouldSendMutableContent
        return presentation
    }

    /// Returns an alert text with the record's values as arguments. Values that do not fit into `room`, in
    /// bytes, become empty.
    private func filledText(
        _ text: NotificationInfo.Text, _ fields: Fields, _ room: inout Int
    ) -> PushPresentation.Text {
        var arguments: [String] = []
        var known: [String: String] = [:]
        for name in text.arguments {
            let value = known[name] ?? fields[name].flatMap(pushed).map { words($0.value) } ?? ""
            known[name] = value
            let fits = value.utf8.count <= room
            if fits { room -= value.utf8.count }
            arguments.append(fits ? value : "")
        }
        return PushPresentation.Text(text.text, key: text.key, arguments: arguments)
    }

    private func words(_ value: FieldValue) -> String {
        switch value {
        case .string(let text): text
        case .int64(let number): String(number)
        case .double(let number): number.description
        case .timestamp(let time):
            Date(timeIntervalSince1970: Double(time.milliseconds) / 1000).formatted(.iso8601)
        case .location(let place): "\(place.latitude),\(place.longitude)"
        case .reference(let reference): reference.recordName
        case .bytes, .asset, .list: ""
        }
    }

    /// Returns as many whole characters as fit into `pushTextCharacters` UTF-16 units. If the first character
    /// alone is longer, the result is its first scalars.
    ///
    /// Reads no more scalars than needed, since a single character can be as long as a record.
    private func shortened(_ text: String) -> String {
        if text.utf8.count <= limits.pushTextCharacters { return text }
        var (short, room) = (String.UnicodeScalarView(), limits.pushTextCharacters)
        var next: Unicode.Scalar?
        for scalar in text.unicodeScalars {
            room -= scalar.utf16.count
            if room < 0 {
                next = scalar
                break
            }
            short.append(scalar)
        }
        guard let next else { return text }
        var longer = short
        longer.append(next)
        let (whole, characters) = (String(short), String(String(longer)).dropLast())
        // If the next scalar belongs to the last character, that character is incomplete.
        return characters.isEmpty || characters.utf8.count == whole.utf8.count ? whole : String(characters)
    }
}
