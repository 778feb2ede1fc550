package import Records

/// The kinds of reference that a store keeps an index of, because they bind the life of records.
package enum BindingKind: UInt8, Hashable, Sendable, CaseIterable {
    case deleteSelf = 1
    case validate = 2
    case parent = 3
    /// A delete-self reference of somebody who may not write the target, or from before the target: it counts
    /// for no limit of the target.
    case looseDeleteSelf = 4
    /// A parent reference of somebody who may not write the parent: queries find it, and it holds nothing.
    case looseParent = 5

    /// The kinds whose target must exist as long as they do.
    package static let holding: [BindingKind] = [.validate, .parent]
}

/// A binding from a record to a target in the same zone.
package struct Binding: Hashable, Sendable {
    package var kind: BindingKind
    package var target: String

    package init(kind: BindingKind, target: String) {
        self.kind = kind
        self.target = target
    }

    /// How it is kept when it binds nobody; nil for not at all.
    package var loose: Binding? {
        switch kind {
        case .deleteSelf, .looseDeleteSelf: Binding(kind: .looseDeleteSelf, target: target)
        case .parent, .looseParent: Binding(kind: .looseParent, target: target)
        case .validate: nil
        }
    }

    /// All forms in which a store may keep it.
    package var forms: [Binding] { loose.map { [self, $0] } ?? [self] }
}

/// A record with its decoded fields, as the rules pass it to a store.
package struct WrittenRecord: Sendable {
    package var stored: StoredRecord
    package var fields: Fields
    /// The sequence number of its creation: its place in the order of creation.
    package var ordinal: Int64
    /// The bindings that this version adds to those of the version before.
    package var bound: [Binding] = []
    /// The bindings of the version before that this one ends, in every form in which they may be kept.
    package var unbound: [Binding] = []

    package init(stored: StoredRecord, fields: Fields, ordinal: Int64) {
        self.stored = stored
        self.fields = fields
        self.ordinal = ordinal
    }

    /// The references that may bind this record to others of its zone, each once, in the order of the fields.
    package var bindings: [Binding] {
        var bindings = BindingList()
        if let parent = stored.parent { bindings.add(Binding(kind: .parent, target: parent)) }
        for field in fields.values where field.value.type.element == .reference {
            for case .reference(let reference) in field.value.elements { bindings.add(reference) }
        }
        return bindings.all
    }
}

/// Bindings in the order in which they came, so that it is always the same one that is refused first.
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
