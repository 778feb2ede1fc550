import RecordStore
import Records

@testable import TestKit

extension RandomWorld {
    static let sharedZones = ["Z1", "Z2", "Z3"]

    /// A random batch of the owner or of a participant on the trees of a zone, which are usually shared.
    mutating func treeBatch(in zone: String, at time: Int64, _ model: SharingModel) -> WriteBatch {
        var person: String?
        var author = Self.people[0]
        let operations: [RecordOperation]
        switch numbers.below(100) {
        case ..<13: operations = grow(model, below: parent(model))
        case ..<20: operations = edit(tree(model, covered: 70))
        case ..<43: operations = move(model, times: numbers.pick([1, 1, 1, 2, 3]))
        case ..<49: operations = edit(tree(model, covered: 90), parent: .remove)
        case ..<57: operations = newShare(in: zone, model)
        case ..<63: operations = newTerms(model)
        case ..<66: operations = newPublicPermission(model)
        case ..<73: (author, operations) = acceptance(model)
        case ..<75: operations = model.shares.isEmpty ? [] : [ending(model)]
        case ..<80: operations = deletion(model)
        default:
            let guest = numbers.pick(Self.participants)
            (person, author) = (guest, guest)
            operations = guestOperations(guest, model)
        }
        var batch = batch(operations, in: zone, by: author, at: time)
        batch.isAtomic = numbers.chance(30)
        batch.participant = person
        return batch
    }

    private func batch(
        _ operations: [RecordOperation], in zone: String, by author: String, at time: Int64
    ) -> WriteBatch {
        var batch = WriteBatch(
            zone: zone, operations: operations, isAtomic: true,
            stamp: Stamp(at: Timestamp(milliseconds: time), by: author), schema: schema)
        batch.owner = Self.people[0]
        return batch
    }

    /// Creates the first trees of a zone, and a share of one of them or of the whole zone, in which all
    /// people take part.
    mutating func firstBatches(in zone: String, at time: Int64) -> [WriteBatch] {
        let names = Array(Self.recordNames.prefix(12))
        let trees = names.enumerated().map { index, name in
            var operation = RecordOperation(.create, recordName: name, recordType: "A")
            operation.fields["s"] = Field(value(.string))
            if index > 0, numbers.chance(70) {
                place(&operation, below: numbers.pick(Array(names.prefix(index))))
            }
            return operation
        }
        let isWide = zone == Self.sharedZones.last && numbers.chance(50)
        let name = isWide ? Share.zoneWideName : Self.shareNames[0]
        let people = Self.participants.map { Participant(id: $0, person: $0, permission: permission()) }
        let draft = ShareDraft(root: isWide ? nil : names[0], participants: people)
        let opening = trees + [share(name, draft)]
        return [batch(opening, in: zone, by: Self.people[0], at: time)]
            + Self.participants.map { batch([acceptance(of: name, by: $0)], in: zone, by: $0, at: time) }
    }

    // MARK: Trees

    /// A random record, with this probability one that a share covers; nil if there is no record.
    private mutating func tree(_ model: SharingModel, covered percent: Int) -> String? {
        let wanted = numbers.chance(percent) ? model.coveredTrees : model.otherTrees
        let choices = wanted.isEmpty ? model.trees : wanted
        return choices.isEmpty ? nil : numbers.pick(choices)
    }

    /// The parent of a new record of the owner; nil for a new tree.
    private mutating func parent(_ model: SharingModel) -> String? {
        numbers.chance(85) ? tree(model, covered: 75) : nil
    }

    private mutating func grow(_ model: SharingModel, below parent: String?) -> [RecordOperation] {
        let free = Self.recordNames.filter { model.records[$0] == nil }
        if free.isEmpty { return deletion(model) }
        var operation = RecordOperation(.create, recordName: numbers.pick(free), recordType: "A")
        operation.fields["s"] = Field(value(.string))
        if let parent { place(&operation, below: parent) }
        return [operation]
    }

    /// Gives a new record a parent, and usually a delete-self reference to it.
    private mutating func place(_ operation: inout RecordOperation, below parent: String) {
        operation.parent = .set(parent)
        if numbers.chance(20) { return }
        let link = Reference(recordName: parent, action: .deleteSelf)
        operation.fields["r"] = Field(.reference(link))
    }

    private mutating func edit(
        _ name: String?, parent: RecordOperation.ParentChange = .keep
    ) -> [RecordOperation] {
        guard let name else { return [] }
        var operation = RecordOperation(.forceUpdate, recordName: name, recordType: "A")
        operation.fields["s"] = Field(value(.string))
        operation.parent = parent
        return [operation]
    }

    /// Moves records, with all records below them, into shares and out of them.
    private mutating func move(_ model: SharingModel, times: Int) -> [RecordOperation] {
        var operations: [RecordOperation] = []
        for _ in 0..<times {
            guard let name = tree(model, covered: 60), let parent = tree(model, covered: 60) else { break }
            if operations.contains(where: { $0.recordName == name }) { continue }
            operations += edit(name, parent: .set(parent))
        }
        return operations
    }

    private mutating func deletion(_ model: SharingModel) -> [RecordOperation] {
        let choices = numbers.chance(30) ? model.leaves : model.trees
        return choices.isEmpty ? [] : [RecordOperation(.forceDelete, recordName: numbers.pick(choices))]
    }

    // MARK: Shares

    /// A share of a record, in the last zone usually of the whole zone.
    private mutating func newShare(in zone: String, _ model: SharingModel) -> [RecordOperation] {
        if numbers.chance(zone == Self.sharedZones.last ? 60 : 5) {
            return [share(Share.zoneWideName, ShareDraft(participants: invited()))]
        }
        let free = Self.shareNames.filter { model.shares[$0] == nil }
        guard let name = free.first, let root = tree(model, covered: 15) else { return [] }
        if numbers.chance(20) {
            let tag = model.records[root]?.changeTag
            return [share(name, ShareDraft(root: root, rootTag: tag, participants: invited()))]
        }
        return edit(root) + [share(name, ShareDraft(root: root, participants: invited()))]
    }

    private mutating func share(
        _ name: String, _ draft: ShareDraft, kind: RecordOperation.Kind = .create
    ) -> RecordOperation {
        RecordOperation(
            kind, recordName: name, recordType: Share.recordType, share: .save(draft),
            shortGUID: "guid\(numbers.next())")
    }

    /// One of the shares, with its terms; nil if there is none.
    private mutating func known(_ model: SharingModel) -> (name: String, terms: Share)? {
        let names = model.shares.keys.sorted()
        if names.isEmpty { return nil }
        let name = numbers.pick(names)
        return model.shares[name].map { (name, $0) }
    }

    /// Invites people, removes some and changes the permissions of others.
    private mutating func newTerms(_ model: SharingModel) -> [RecordOperation] {
        guard let (name, terms) = known(model) else { return [] }
        var people: [Participant] = []
        for person in Self.participants {
            if var guest = terms.participant(person) {
                if numbers.chance(15) { continue }
                if numbers.chance(40) { guest.permission = permission() }
                people.append(guest)
            } else if terms.publicPermission == .none, numbers.chance(50) {
                let role: Participant.Role = numbers.chance(20) ? .administrator : .privateUser
                people.append(
                    Participant(id: person, person: person, role: role, permission: permission()))
            }
        }
        return [share(name, ShareDraft(participants: people), kind: .forceUpdate)]
    }

    private mutating func permission() -> Participant.Permission {
        numbers.pick([.readWrite, .readWrite, .readWrite, .readOnly, .none])
    }

    private mutating func newPublicPermission(_ model: SharingModel) -> [RecordOperation] {
        guard let (name, terms) = known(model) else { return [] }
        let others = Participant.Permission.allCases.filter { $0 != terms.publicPermission }
        return [share(name, ShareDraft(publicPermission: numbers.pick(others)), kind: .forceUpdate)]
    }

    /// Somebody accepts a share, usually with an invitation.
    private mutating func acceptance(_ model: SharingModel) -> (String, [RecordOperation]) {
        var person = numbers.pick(Self.participants)
        guard let (name, terms) = known(model) else { return (person, []) }
        let invited = terms.participants.filter { $0.acceptance == .invited }.compactMap(\.person)
        if !invited.isEmpty, numbers.chance(80) { person = numbers.pick(invited) }
        return (person, [acceptance(of: name, by: person)])
    }

    private func acceptance(of share: String, by person: String) -> RecordOperation {
        RecordOperation(
            .forceUpdate, recordName: share, recordType: Share.recordType,
            share: .accept(person: person, addresses: [], id: person))
    }

    private mutating func ending(_ model: SharingModel) -> RecordOperation {
        RecordOperation(.forceDelete, recordName: numbers.pick(model.shares.keys.sorted()))
    }

    // MARK: Participants

    private mutating func guestOperations(_ guest: String, _ model: SharingModel) -> [RecordOperation] {
        let rights = model.rights(of: guest)
        let readable = model.trees.filter { rights[$0] != nil }
        if readable.isEmpty || numbers.chance(10) { return stray(model) }
        let (name, other) = (numbers.pick(readable), numbers.pick(readable))
        switch numbers.below(100) {
        case ..<35: return edit(name)
        case ..<60: return grow(model, below: name)
        case ..<75: return edit(name, parent: .set(other))
        case ..<80: return edit(name, parent: .remove)
        case ..<87: return [RecordOperation(.forceDelete, recordName: name)]
        case ..<92: return newTerms(model)
        case ..<96:
            let own = model.memberships(of: guest).sorted()
            return own.isEmpty ? [] : [RecordOperation(.forceDelete, recordName: numbers.pick(own))]
        default: return edit(name) + (other == name ? [] : edit(other, parent: .set(name)))
        }
    }

    /// An operation that the participant probably may not apply: a change of a record outside of the shares,
    /// a new record below such a record, or a new record without a parent.
    private mutating func stray(_ model: SharingModel) -> [RecordOperation] {
        guard let name = tree(model, covered: 30), let parent = tree(model, covered: 30) else { return [] }
        switch numbers.below(4) {
        case 0: return edit(name)
        case 1: return edit(name, parent: .set(parent))
        case 2: return grow(model, below: numbers.chance(50) ? parent : nil)
        default: return [RecordOperation(.forceDelete, recordName: name)]
        }
    }
}
