// Owns the small set of reads and writes that the rules need from a store.

package import Records

/// The kinds of reference that a store keeps an index of, because they bind the life of records.
package enum BindingKind: UInt8, Hashable, Sendable, CaseIterable {
    case deleteSelf = 1
    case validate = 2
    case parent = 3
}

/// A binding from a record to a target in the same zone.
package struct Binding: Hashable, Sendable {
    package var kind: BindingKind
    package var target: String

    package init(kind: BindingKind, target: String) {
        self.kind = kind
        self.target = target
    }
}

/// A record with its decoded fields, as the rules pass it to a store.
package struct WrittenRecord: Sendable {
    package var stored: StoredRecord
    package var fields: Fields
    /// The sequence number of its creation: its place in the order of creation.
    package var ordinal: Int64

    package init(stored: StoredRecord, fields: Fields, ordinal: Int64) {
        self.stored = stored
        self.fields = fields
        self.ordinal = ordinal
    }

    /// The references that bind this record to others of its zone.
    package var bindings: Set<Binding> {
        var bindings: Set<Binding> = []
        if let parent = stored.parent { bindings.insert(Binding(kind: .parent, target: parent)) }
        for field in fields.values {
            switch field.value {
            case .reference(let reference):
                bindings.insertBinding(of: reference)
            case .list(.reference, let elements):
                for case .reference(let reference) in elements { bindings.insertBinding(of: reference) }
            default: break
            }
        }
        return bindings
    }
}

extension Set<Binding> {
    fileprivate mutating func insertBinding(of reference: Reference) {
        switch reference.action {
        case .none: break
        case .deleteSelf: insert(Binding(kind: .deleteSelf, target: reference.recordName))
        case .validate: insert(Binding(kind: .validate, target: reference.recordName))
        }
    }
}

/// One zone of one database inside a transaction. The rules of `BatchRules` are written over it once;
/// stores implement it and nothing more of the rules.
package protocol ZoneTransaction {
    /// The live record of that name, with the ordinal of its creation.
    func record(named name: String) throws -> (stored: StoredRecord, ordinal: Int64)?

    /// Takes the next number of the database's sequence.
    mutating func nextSequence() -> Int64

    mutating func insert(_ record: WrittenRecord) throws
    mutating func update(_ old: WrittenRecord, to new: WrittenRecord) throws
    /// Turns the record into a tombstone with that sequence number.
    mutating func delete(_ old: WrittenRecord, sequence: Int64) throws

    /// Names of records bound to a target, at most `limit`, in the order of their creation.
    func sources(of target: String, kind: BindingKind, limit: Int) throws -> [String]
}
