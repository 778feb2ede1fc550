import Records

/// The record types of changes.
package enum RecordTypes: Hashable, Sendable {
    case any
    case some(Set<String>)

    func contains(_ type: String) -> Bool {
        switch self {
        case .any: true
        case .some(let types): types.contains(type)
        }
    }

    fileprivate mutating func add(_ other: RecordTypes) {
        switch (self, other) {
        case (.some(let mine), .some(let others)): self = .some(mine.union(others))
        default: self = .any
        }
    }
}

/// Collects the changes in a batch that concern members of shares in its zone.
struct SharedAudience: Sendable {
    /// The names of the records that changed under each share.
    private var names: [Int64: Set<String>] = [:]
    /// The shares that records entered or left together with all records below them.
    private var moved: Set<Int64> = []
    /// The people who joined or left a share.
    private var people: Set<String> = []

    mutating func note(_ name: String, under share: Int64) { names[share, default: []].insert(name) }

    mutating func noteMove(of share: Int64?) {
        if let share { moved.insert(share) }
    }

    mutating func note(_ person: String) { people.insert(person) }

    /// The people in whose shared databases something changed, each with the types of the changed records:
    /// `any` if records moved with their parent, or if a share begins or ends for the person.
    ///
    /// - Parameters:
    ///   - changes: those of the batch.
    ///   - members: returns the members of a share after the batch.
    func people(
        after changes: [RecordChange], members: (_ share: Int64) throws -> [String]
    ) rethrows -> [String: RecordTypes] {
        var types: [String: String] = [:]
        for change in changes { types[change.record.stored.id.name] = change.record.stored.type }
        var found: [String: RecordTypes] = [:]
        for share in moved.union(names.keys) {
            let known = (names[share] ?? []).compactMap { types[$0] }
            let isKnown = !moved.contains(share) && known.count == names[share]?.count
            let touched: RecordTypes = isKnown ? .some(Set(known)) : .any
            for person in try members(share) { found[person, default: .some([])].add(touched) }
        }
        for person in people { found[person] = .any }
        return found
    }
}
