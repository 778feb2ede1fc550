import RecordStore
import Records

/// The kinds of changes of shared trees that a random step can cause.
enum SharedChange: String, CaseIterable {
    case sharedRecord, sharedZone, ended
    case invited, joined, left, removed, permission, publicPermission
    case movedIn, movedOut, movedBetween, movedSubtree
    case added, addedByGuest, changedByGuest, deleted, cascaded
    case refusedGuest, expired
}

/// Counts the random steps by the kinds of changes that they caused.
struct SharedTally: CustomStringConvertible {
    private(set) var steps = 0
    /// The steps that named a record which a share covered before or afterwards, other than a share.
    private(set) var covered = 0
    private(set) var changes: [SharedChange: Int] = [:]

    mutating func note(_ change: SharedChange) { changes[change, default: 0] += 1 }

    mutating func add(_ other: SharedTally) {
        steps += other.steps
        covered += other.covered
        changes.merge(other.changes) { $0 + $1 }
    }

    /// The share of the steps in percent that concerned a covered record.
    var coveredPercent: Int { steps == 0 ? 0 : 100 * covered / steps }

    /// The changes that happened less often than `fewest` times.
    func rare(below fewest: Int) -> [SharedChange] {
        SharedChange.allCases.filter { changes[$0, default: 0] < fewest }
    }

    var description: String {
        let counts = SharedChange.allCases.map { "\($0.rawValue) \(changes[$0, default: 0])" }
        return "\(steps) steps, \(coveredPercent) % with a covered record: " + counts.joined(separator: ", ")
    }

    // MARK: Steps

    /// Counts a batch, given the models from before and after it.
    mutating func add(
        _ batch: WriteBatch, _ results: [ItemResult], _ before: SharingModel, _ after: SharingModel
    ) {
        steps += 1
        let names = batch.operations.compactMap(\.recordName)
        let isCovered = names.contains { name in
            before.shares[name] == nil && after.shares[name] == nil
                && (before.cover[name] ?? after.cover[name]) != nil
        }
        if isCovered { covered += 1 }
        var found = Self.changesOfShares(batch, before, after)
        found.formUnion(Self.moves(before, after))
        found.formUnion(Self.changesOfRecords(batch, results, before, after))
        for change in found { note(change) }
    }

    private static func changesOfShares(
        _ batch: WriteBatch, _ before: SharingModel, _ after: SharingModel
    ) -> Set<SharedChange> {
        var found: Set<SharedChange> = []
        for (name, terms) in after.shares where before.shares[name] == nil {
            found.insert(terms.root == nil ? .sharedZone : .sharedRecord)
        }
        for (name, old) in before.shares {
            guard let new = after.shares[name] else {
                found.insert(.ended)
                continue
            }
            if old.publicPermission != new.publicPermission { found.insert(.publicPermission) }
            for person in RandomWorld.participants {
                switch (old.participant(person), new.participant(person)) {
                case (nil, nil): break
                case (nil, let guest?): found.insert(guest.acceptance == .accepted ? .joined : .invited)
                case (.some, nil): found.insert(batch.participant == person ? .left : .removed)
                case (let earlier?, let later?):
                    if earlier.acceptance != later.acceptance { found.insert(.joined) }
                    if earlier.permission != later.permission { found.insert(.permission) }
                }
            }
        }
        return found
    }

    /// How records moved into and out of shares that exist before and afterwards.
    private static func moves(_ before: SharingModel, _ after: SharingModel) -> Set<SharedChange> {
        var found: Set<SharedChange> = []
        var count = 0
        for name in before.trees where after.records[name] != nil {
            let (old, new) = (before.cover[name], after.cover[name])
            let isOpening = new.map { before.shares[$0] == nil } ?? false
            let isEnding = old.map { after.shares[$0] == nil } ?? false
            if old == new || isOpening || isEnding { continue }
            count += 1
            found.insert(old == nil ? .movedIn : new == nil ? .movedOut : .movedBetween)
        }
        if count > 1 { found.insert(.movedSubtree) }
        return found
    }

    private static func changesOfRecords(
        _ batch: WriteBatch, _ results: [ItemResult], _ before: SharingModel, _ after: SharingModel
    ) -> Set<SharedChange> {
        var found: Set<SharedChange> = []
        let isGuest = batch.participant != nil
        for name in after.trees where after.cover[name] != nil {
            guard let old = before.records[name] else {
                found.insert(isGuest ? .addedByGuest : .added)
                continue
            }
            let isNamed = batch.operations.contains { $0.recordName == name }
            if isGuest, isNamed, old.sequence != after.records[name]?.sequence {
                found.insert(.changedByGuest)
            }
        }
        let gone = before.trees.filter { after.records[$0] == nil && before.cover[$0] != nil }
        if !gone.isEmpty { found.insert(.deleted) }
        let named = gone.filter { name in batch.operations.contains { $0.recordName == name } }
        if !named.isEmpty, gone.count > named.count { found.insert(.cascaded) }
        if isGuest, results.contains(where: \.isRefusal) { found.insert(.refusedGuest) }
        return found
    }
}

extension ItemResult {
    /// Whether the person may not do it, or may not see the record.
    var isRefusal: Bool { error?.code == .accessDenied || error?.code == .notFound }
}
