package import Records

/// A change of one record in a batch.
package struct RecordChange: Sendable {
    package var event: Subscription.Event
    /// The record before a deletion, or after a save. For a touched record, the fields are filled in only if
    /// a query subscription may need them.
    package var record: WrittenRecord
    /// The sequence number of the change.
    package var sequence: Int64

    package init(event: Subscription.Event, record: WrittenRecord, sequence: Int64) {
        self.event = event
        self.record = record
        self.sequence = sequence
    }
}

/// A transaction that records the changes of records, for pushes. Only used if the database has
/// subscriptions.
package struct WatchedTransaction<Base: ZoneTransaction>: ZoneTransaction {
    package private(set) var base: Base
    /// The changes so far, in order.
    package private(set) var changes: [RecordChange] = []

    private let codec: any FieldCodec
    private let asksForUpdates: (_ recordType: String) -> Bool
    /// Collects the people to notify about shares; nil if no member of a share has a subscription.
    private var audience: SharedAudience?

    /// - Parameters:
    ///   - watchesShares: whether somebody has a subscription to the shared database.
    ///   - asksForUpdates: returns whether a query subscription may concern updates of records of a type.
    ///     Records of other types are touched without reading their fields.
    package init(
        _ base: Base, codec: any FieldCodec, watchesShares: Bool = false,
        asksForUpdates: @escaping (_ recordType: String) -> Bool
    ) {
        self.base = base
        self.codec = codec
        self.asksForUpdates = asksForUpdates
        audience = watchesShares ? SharedAudience() : nil
    }

    /// The people in whose shared databases the batch changed something, with the types of the changed
    /// records. Empty unless shares are watched.
    package func peopleOfShares() throws -> [String: RecordTypes] {
        guard var audience else { return [:] }
        if case .zone(let share) = base.shares {
            for change in changes { audience.note(change.record.stored.id.name, under: share) }
        }
        return try audience.people(after: changes) { try base.members(of: $0) }
    }

    private mutating func noteChange(of name: String) throws {
        if audience == nil { return }
        if let share = try base.share(covering: name)?.id { audience?.note(name, under: share) }
    }

    package func record(named name: String) throws -> (stored: StoredRecord, ordinal: Int64)? {
        try base.record(named: name)
    }

    package func head(named name: String) throws -> (stored: StoredRecord, ordinal: Int64)? {
        try base.head(named: name)
    }

    package func fieldBytes(of ordinal: Int64, named name: String) throws -> Int {
        try base.fieldBytes(of: ordinal, named: name)
    }

    package func exists(named name: String) throws -> Bool { try base.exists(named: name) }

    package mutating func nextSequence() -> Int64 { base.nextSequence() }

    package var usage: StoreUsage { base.usage }

    package func usage(of person: String) throws -> StoreUsage { try base.usage(of: person) }

    package mutating func count(_ change: StoreUsage, by creator: String) {
        base.count(change, by: creator)
    }

    package mutating func insert(_ record: WrittenRecord) throws {
        try base.insert(record)
        changes.append(RecordChange(event: .create, record: record, sequence: record.stored.sequence))
    }

    package mutating func update(_ old: WrittenRecord, to new: WrittenRecord) throws {
        try base.update(old, to: new)
        changes.append(RecordChange(event: .update, record: new, sequence: new.stored.sequence))
    }

    package mutating func touch(
        _ head: StoredRecord, _ ordinal: Int64, modified: Stamp, sequence: Int64
    ) throws {
        var (stored, fields) = (head, Fields())
        if asksForUpdates(head.type), let found = try base.record(named: head.id.name) {
            stored = found.stored
            fields = try codec.decode(stored.fields)
        }
        try base.touch(head, ordinal, modified: modified, sequence: sequence)
        stored.modified = modified
        stored.sequence = sequence
        let record = WrittenRecord(stored: stored, fields: fields, ordinal: ordinal)
        changes.append(RecordChange(event: .update, record: record, sequence: sequence))
    }

    package mutating func delete(_ old: WrittenRecord, sequence: Int64) throws {
        try base.delete(old, sequence: sequence)
        changes.append(RecordChange(event: .delete, record: old, sequence: sequence))
    }

    package mutating func rebind(
        _ source: Int64, _ name: String, from old: Binding, to new: Binding?
    ) throws {
        try base.rebind(source, name, from: old, to: new)
    }

    package func sources(
        of target: String, kind: BindingKind, after ordinal: Int64, limit: Int
    ) throws -> [String] {
        try base.sources(of: target, kind: kind, after: ordinal, limit: limit)
    }

    package func hasSources(of target: String) throws -> Bool { try base.hasSources(of: target) }

    package func sourceCount(of target: String, kind: BindingKind, upTo limit: Int) throws -> Int {
        try base.sourceCount(of: target, kind: kind, upTo: limit)
    }

    package var shares: ZoneShares { base.shares }

    package func share(covering name: String) throws -> (id: Int64, name: String)? {
        try base.share(covering: name)
    }

    package func isBelow(_ name: String, _ top: String, levels: Int) throws -> Bool? {
        try base.isBelow(name, top, levels: levels)
    }

    package func root(below name: String, except share: Int64?) throws -> String? {
        try base.root(below: name, except: share)
    }

    package func subtreeCount(of name: String) throws -> Int { try base.subtreeCount(of: name) }

    package func count(coveredBy share: Int64) throws -> Int { try base.count(coveredBy: share) }

    package mutating func open(_ share: Int64, named name: String, root: String?) throws {
        try base.open(share, named: name, root: root)
    }

    package func members(of share: Int64) throws -> [String] { try base.members(of: share) }

    package mutating func close(_ share: Int64) throws {
        if audience != nil {
            for person in try base.members(of: share) { audience?.note(person) }
        }
        try base.close(share)
    }

    package mutating func cover(_ name: String, by share: Int64, sequence: Int64) throws {
        audience?.note(name, under: share)
        try base.cover(name, by: share, sequence: sequence)
    }

    package mutating func renew(_ name: String, sequence: Int64) throws {
        try noteChange(of: name)
        try base.renew(name, sequence: sequence)
    }

    package mutating func uncover(_ name: String, sequence: Int64) throws {
        try noteChange(of: name)
        try base.uncover(name, sequence: sequence)
    }

    package mutating func moveSubtree(of name: String, from old: Int64?, to new: Int64?) throws {
        audience?.noteMove(of: old)
        audience?.noteMove(of: new)
        try base.moveSubtree(of: name, from: old, to: new)
    }

    package mutating func join(_ person: String, _ share: Int64, sequence: Int64) throws {
        audience?.note(person)
        try base.join(person, share, sequence: sequence)
    }

    package mutating func leave(_ person: String, _ share: Int64, sequence: Int64) throws {
        audience?.note(person)
        try base.leave(person, share, sequence: sequence)
    }

    package mutating func rewrite(_ head: StoredRecord, _ ordinal: Int64) throws {
        try base.rewrite(head, ordinal)
    }

    package func shortGUID(of name: String) throws -> String? { try base.shortGUID(of: name) }

    package mutating func setShortGUID(_ guid: String?, of name: String) throws {
        try base.setShortGUID(guid, of: name)
    }
}
