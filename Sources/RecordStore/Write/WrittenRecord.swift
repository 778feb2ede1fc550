package import Records

/// The kinds of reference that a store indexes, because they affect whether records can be saved or deleted.
package enum BindingKind: UInt8, Hashable, Sendable, CaseIterable {
    case deleteSelf = 1
    case validate = 2
    case parent = 3
    /// A delete-self reference whose writer may not write the target, or that was saved before its target
    /// existed. It does not count for the limit of the target.
    case looseDeleteSelf = 4
    /// A parent reference whose writer may not write the parent. Queries find it, but it does not prevent the
    /// deletion of the parent.
    case looseParent = 5

    /// The kinds that prevent the deletion of their target.
    package static let holding: [BindingKind] = [.validate, .parent]
}

/// A reference from a record to a target in the same zone, as stores index it.
package struct Binding: Hashable, Sendable {
    package var kind: BindingKind
    package var target: String

    package init(kind: BindingKind, target: String) {
        self.kind = kind
        self.target = target
    }

    /// The form of a reference that binds nobody; nil for none.
    package var loose: Binding? {
        switch kind {
        case .deleteSelf, .looseDeleteSelf: Binding(kind: .looseDeleteSelf, target: target)
        case .parent, .looseParent: Binding(kind: .looseParent, target: target)
        case .validate: nil
        }
    }

    /// All forms in which a store may have stored this reference.
    package var forms: [Binding] { loose.map { [self, $0] } ?? [self] }
}

/// A record with its decoded fields, as `BatchRules` passes it to a store.
package struct WrittenRecord: Sendable {
    package var stored: StoredRecord
    package var fields: Fields
    /// The sequence number of the creation; records sort by it in the order of creation.
    package var ordinal: Int64
    /// The bindings that this version adds to those of the previous version.
    package var bound: [Binding] = []
    /// The bindings of the previous version that this version ends, in every form that may be stored.
    package var unbound: [Binding] = []

    package init(stored: StoredRecord, fields: Fields, ordinal: Int64) {
        self.stored = stored
        self.fields = fields
        self.ordinal = ordinal
    }

    /// The references of this record that may bind it to others in its zone, without duplicates: the parent
    /// first, then in the order of the fields.
    package var bindings: [Binding] {
        var bindings = BindingList()
        if let parent = stored.parent { bindings.add(Binding(kind: .parent, target: parent)) }
        for field in fields.values where field.value.type.element == .reference {
            for case .reference(let reference) in field.value.elements { bindings.add(reference) }
        }
        return bindings.all
    }
}

/// Distinct bindings in the order of insertion, so that a check always fails at the same one first.
private struct BindingList {
    private(set) var all: [Binding] = []
    private var seen: Set<Binding> = []

    mutating func add(_ binding: Binding) {
        if seen.insert(binding).inserted { all.append(binding) }
    }

    mutating func add(_ reference: Reference) {
        switch reference.action {
        case .none: break
        case .deleteSelf: add(Binding(kind: .deleteSelf, target: reference.recordName))
        case .validate: add(Binding(kind: .validate, target: reference.recordName))
        }
    }
}
