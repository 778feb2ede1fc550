package import Records

/// One zone of one database inside a transaction. The rules of `BatchRules` are written over it once;
/// stores implement it and nothing more of the rules.
package protocol ZoneTransaction {
    /// The live record of that name, with the ordinal of its creation.
    func record(named name: String) throws -> (stored: StoredRecord, ordinal: Int64)?

    /// The live record of that name as `record(named:)` gives it, but without the bytes of its fields, which
    /// are not read: however large the record is, this costs the same.
    func head(named name: String) throws -> (stored: StoredRecord, ordinal: Int64)?

    /// The number of bytes of the fields of the record with that ordinal, which are not read.
    func fieldBytes(of ordinal: Int64, named name: String) throws -> Int

    /// Whether there is a live record of that name.
    func exists(named name: String) throws -> Bool

    /// Takes the next number of the database's sequence. Taken only when a change with that number follows.
    mutating func nextSequence() -> Int64

    /// What the records of the whole database take up, this transaction included.
    var usage: StoreUsage { get }

    /// Notes that the records of the zone take up so much more.
    mutating func count(_ change: StoreUsage)

    /// Stores a record, and what it has `bound`.
    mutating func insert(_ record: WrittenRecord) throws
    /// Replaces a record; ends what the new one has `unbound`, and stores what it has `bound`.
    mutating func update(_ old: WrittenRecord, to new: WrittenRecord) throws
    /// Gives a record, of which the head is known, a new version with the same fields. Those are not written.
    mutating func touch(
        _ head: StoredRecord, _ ordinal: Int64, modified: Stamp, sequence: Int64
    ) throws
    /// Turns the record into a tombstone with that sequence number; ends its bindings in all their forms.
    mutating func delete(_ old: WrittenRecord, sequence: Int64) throws

    /// Changes the form in which a binding of the record with that ordinal and name is kept; nil ends it.
    mutating func rebind(
        _ source: Int64, _ name: String, from old: Binding, to new: Binding?
    ) throws

    /// Names of records bound to a target that were created after the one with that ordinal, at most `limit`,
    /// in the order of their creation.
    func sources(
        of target: String, kind: BindingKind, after ordinal: Int64, limit: Int
    ) throws -> [String]

    /// Whether any record is bound to a target.
    func hasSources(of target: String) throws -> Bool

    /// Whether at least `count` records are bound to a target; `count` is 1 or more.
    func hasSources(of target: String, kind: BindingKind, count: Int) throws -> Bool
}

extension ZoneTransaction {
    /// Names of the first records bound to a target, at most `limit`, in the order of their creation.
    func sources(of target: String, kind: BindingKind, limit: Int) throws -> [String] {
        try sources(of: target, kind: kind, after: 0, limit: limit)
    }
}
