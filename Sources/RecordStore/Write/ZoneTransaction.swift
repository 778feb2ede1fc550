package import Records

/// A transaction on one zone of a database. Stores implement these operations; `BatchRules` contains the
/// rules for all of them.
package protocol ZoneTransaction {
    /// Returns the record with this name and its ordinal; nil if it is missing or deleted.
    func record(named name: String) throws -> (stored: StoredRecord, ordinal: Int64)?

    /// Like `record(named:)`, but the record's fields are empty: they are not read, so the cost does not
    /// depend on the size of the record.
    func head(named name: String) throws -> (stored: StoredRecord, ordinal: Int64)?

    /// The number of bytes of the fields of the record with that ordinal, which are not read.
    func fieldBytes(of ordinal: Int64, named name: String) throws -> Int

    /// Whether there is a record with this name that is not deleted.
    func exists(named name: String) throws -> Bool

    /// Returns the next number of the database's sequence. Call it only if a change with that number follows.
    mutating func nextSequence() -> Int64

    /// The bytes of the records and files of the whole database, including the changes of this transaction.
    var usage: StoreUsage { get }

    /// The bytes of the records that a person created, and of their files, in the whole database, including
    /// the changes of this transaction.
    func usage(of person: String) throws -> StoreUsage

    /// Adds a change to the usage of the zone, the database, and the person who created the record.
    mutating func count(_ change: StoreUsage, by creator: String)

    /// Stores a new record and adds its `bound` bindings.
    mutating func insert(_ record: WrittenRecord) throws
    /// Replaces a record, removes the `unbound` bindings of `new`, and adds its `bound` ones.
    mutating func update(_ old: WrittenRecord, to new: WrittenRecord) throws
    /// Writes a new version of a record with the same fields, which are neither read nor written.
    mutating func touch(
        _ head: StoredRecord, _ ordinal: Int64, modified: Stamp, sequence: Int64
    ) throws
    /// Turns a record into a tombstone with this sequence number, and removes its bindings in all forms.
    mutating func delete(_ old: WrittenRecord, sequence: Int64) throws

    /// Replaces a binding of the record with this ordinal and name; nil removes it.
    mutating func rebind(
        _ source: Int64, _ name: String, from old: Binding, to new: Binding?
    ) throws

    /// Returns the names of at most `limit` records bound to a target, in the order of their creation, from
    /// the first one whose ordinal is greater than `ordinal`.
    func sources(
        of target: String, kind: BindingKind, after ordinal: Int64, limit: Int
    ) throws -> [String]

    /// Whether any record is bound to a target, with any kind of binding.
    func hasSources(of target: String) throws -> Bool

    /// The number of records that have a binding of this kind to a target, counted up to `limit`. The time is
    /// proportional to the result.
    func sourceCount(of target: String, kind: BindingKind, upTo limit: Int) throws -> Int

    // MARK: Shares

    /// Which shares the zone has. This is cached, because every write asks.
    var shares: ZoneShares { get }

    /// The id and the record name of the share of records that covers a record; nil if there is none. The id
    /// is the ordinal of the share's record.
    func share(covering name: String) throws -> (id: Int64, name: String)?

    /// Whether `top` is the record itself or lies above it, along parents up to the root of a share; nil if
    /// that is not known after `levels` records.
    func isBelow(_ name: String, _ top: String, levels: Int) throws -> Bool?

    /// The root of a share that lies below a record, the record itself excluded; nil if there is none. Roots
    /// below that root, and the root of the share `except`, do not count.
    func root(below name: String, except share: Int64?) throws -> String?

    /// The number of records that `moveSubtree` moves for a record. Counting takes less time than moving.
    func subtreeCount(of name: String) throws -> Int

    /// The number of records that a share covers.
    func count(coveredBy share: Int64) throws -> Int

    /// Adds a share, without any records.
    mutating func open(_ share: Int64, named name: String, root: String?) throws

    /// Ends a share: each record that it covers leaves it, with the next number of the sequence for each, in
    /// the order of their last changes, and then all members leave.
    mutating func close(_ share: Int64) throws

    /// Puts a record under a share, or notes its change if it is there.
    mutating func cover(_ name: String, by share: Int64, sequence: Int64) throws

    /// Adds the change of a record that a share covers to the share's feed; does nothing for other records.
    mutating func renew(_ name: String, sequence: Int64) throws

    /// Adds the deletion of a record that a share covers to the share's feed; does nothing for other records.
    mutating func uncover(_ name: String, sequence: Int64) throws

    /// Takes a record and all records below it, down to the roots of shares, out of one share and puts them
    /// under another. Each takes the next number of the sequence for leaving, then each for entering, in the
    /// order of their creation.
    mutating func moveSubtree(of name: String, from old: Int64?, to new: Int64?) throws

    /// Stores that a person became a member of a share, or stopped being one.
    mutating func join(_ person: String, _ share: Int64, sequence: Int64) throws
    mutating func leave(_ person: String, _ share: Int64, sequence: Int64) throws

    /// The people who are members of a share.
    func members(of share: Int64) throws -> [String]

    /// Writes the metadata of a record in place, without a new sequence number.
    mutating func rewrite(_ head: StoredRecord, _ ordinal: Int64) throws

    /// The short GUID of a root, or of the zone under the name `Share.zoneWideName`; nil if it has none.
    func shortGUID(of name: String) throws -> String?

    /// Sets the short GUID of a root or of the zone, or removes it.
    mutating func setShortGUID(_ guid: String?, of name: String) throws
}

/// Which shares a zone has.
package enum ZoneShares: Hashable, Sendable {
    case none
    /// At least one share of a root and the records below it.
    case records
    /// One share of the whole zone, with this id.
    case zone(Int64)
}

extension ZoneTransaction {
    /// Returns the names of the first records bound to a target, at most `limit`, in the order of their
    /// creation.
    func sources(of target: String, kind: BindingKind, limit: Int) throws -> [String] {
        try sources(of: target, kind: kind, after: 0, limit: limit)
    }
}
