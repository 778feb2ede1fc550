import RecordStore
import Records

/// Computes the coverage and the permissions of a zone's shares from the records alone: for each record, it
/// follows the parents to the root of a share. It uses no rule of the stores.
struct SharingModel {
    let records: [String: StoredRecord]
    /// The terms of the shares, by record name.
    let shares: [String: Share]
    /// The record name of the share that covers each record. Two shares of one record are joined by "+",
    /// which no store answers.
    let cover: [String: String]

    init(_ found: [StoredRecord?]) {
        var records: [String: StoredRecord] = [:]
        for case let record? in found { records[record.id.name] = record }
        let shares = records.compactMapValues { $0.sharing?.terms }
        (self.records, self.shares) = (records, shares)
        let byRoot = Self.sharesByRoot(shares)
        let wide = shares.first { $0.value.root == nil }?.key
        var cover: [String: String] = [:]
        for name in records.keys {
            let own = shares[name] == nil ? Self.share(above: name, records, byRoot) : name
            let all = wide == own ? [wide] : [wide, own]
            let text = all.compactMap(\.self).joined(separator: "+")
            cover[name] = text.isEmpty ? nil : text
        }
        self.cover = cover
    }

    private static func sharesByRoot(_ shares: [String: Share]) -> [String: String] {
        var byRoot: [String: String] = [:]
        for (share, terms) in shares.sorted(by: { $0.key < $1.key }) {
            guard let root = terms.root else { continue }
            byRoot[root] = byRoot[root].map { $0 + "+" + share } ?? share
        }
        return byRoot
    }

    /// The share of the first root among a record and its ancestors; nil without one, and for a cycle of
    /// parents.
    private static func share(
        above name: String, _ records: [String: StoredRecord], _ byRoot: [String: String]
    ) -> String? {
        var seen: Set<String> = []
        var next: String? = name
        while let current = next, seen.insert(current).inserted {
            if let share = byRoot[current] { return share }
            next = records[current]?.parent
        }
        return nil
    }

    // MARK: People

    /// The permission of a person in a share.
    func permission(of person: String, in share: String) -> Participant.Permission {
        guard let terms = shares[share],
            let own = terms.participants.first(where: { $0.person == person }), own.acceptance == .accepted
        else { return .none }
        if own.role == .owner { return .readWrite }
        if own.role == .publicUser, own.permission != .none { return terms.publicPermission }
        return own.permission
    }

    /// The permission of a person for each record that shares let the person read.
    func rights(of person: String) -> [String: Participant.Permission] {
        cover.compactMapValues { share in
            let permission = permission(of: person, in: share)
            return permission == .none ? nil : permission
        }
    }

    /// The record names of the shares in which a person takes part.
    func memberships(of person: String) -> Set<String> {
        Set(shares.keys.filter { permission(of: person, in: $0) != .none })
    }

    /// The records that a person may see, with the numbers of their last changes; nil if the person is a
    /// member of no share.
    func visible(to person: String) -> [String: Int64]? {
        if memberships(of: person).isEmpty { return nil }
        let rights = rights(of: person)
        return records.filter { rights[$0.key] != nil }.mapValues(\.sequence)
    }

    /// Whether a participant may apply an operation of the kinds `create`, `forceUpdate` and `forceDelete`,
    /// as the only one of its batch.
    func permits(_ operation: RecordOperation, by person: String) -> Bool {
        let name = operation.recordName ?? ""
        let isWide = shares[Share.zoneWideName] != nil
        let rights = rights(of: person)
        guard let record = records[name] else {
            if operation.kind.isDelete || operation.recordType == Share.recordType { return false }
            if isWide { return permission(of: person, in: Share.zoneWideName) == .readWrite }
            guard case .set(let parent) = operation.parent else { return false }
            return rights[parent] == .readWrite
        }
        guard let right = rights[name] else { return false }
        if let terms = shares[name] {
            if operation.kind.isDelete { return true }
            let own = terms.participants.first { $0.person == person }
            guard let own, own.role == .administrator else { return false }
            return !grantsMore(operation, than: own, in: terms)
        }
        if right != .readWrite { return false }
        let isRoot = shares.values.contains { $0.root == name }
        if operation.kind.isDelete { return !isRoot }
        if isWide { return true }
        let parent: String? =
            switch operation.parent {
            case .keep: record.parent
            case .set(let name): name
            case .remove: nil
            }
        // A participant does not see the parent of a root, and cannot change it.
        if isRoot { return operation.parent == .keep || operation.parent == .remove }
        guard let parent else { return false }
        return rights[parent] == .readWrite && cover[parent] == cover[name]
    }

    /// Whether an administrator's list of participants gives somebody more than the administrator has, or
    /// changes the administrator's own permission.
    private func grantsMore(
        _ operation: RecordOperation, than own: Participant, in terms: Share
    ) -> Bool {
        let ranks: [Participant.Permission] = [.none, .readOnly, .readWrite]
        func rank(_ permission: Participant.Permission) -> Int { ranks.firstIndex(of: permission) ?? 0 }
        guard case .save(let draft)? = operation.share else { return false }
        return (draft.participants ?? []).contains { wish in
            if wish.role == .owner { return false }
            if wish.person == own.person { return wish.permission != own.permission }
            let old = terms.participants.first { $0.person == wish.person }
            let isPublic = old?.role == .publicUser && terms.publicPermission != .none
            func counted(_ permission: Participant.Permission) -> Int {
                isPublic && permission != .none ? rank(terms.publicPermission) : rank(permission)
            }
            let new = counted(wish.permission)
            return new > rank(own.permission) && new > (old.map { counted($0.permission) } ?? 0)
        }
    }

    // MARK: Trees

    /// The records with these names and all records below them.
    func subtrees(of names: Set<String>) -> Set<String> {
        var found = names
        var count = -1
        while found.count != count {
            count = found.count
            for (name, record) in records where record.parent.map(found.contains) ?? false {
                found.insert(name)
            }
        }
        return found
    }

    /// The names of all records but shares, sorted.
    var trees: [String] { records.keys.filter { shares[$0] == nil }.sorted() }

    /// Those of `trees` that a share covers.
    var coveredTrees: [String] { trees.filter { cover[$0] != nil } }

    /// Those of `trees` that no share covers.
    var otherTrees: [String] { trees.filter { cover[$0] == nil } }

    /// Those of `trees` that no record has for its parent.
    var leaves: [String] {
        let parents = Set(records.values.compactMap(\.parent))
        return trees.filter { !parents.contains($0) }
    }

    /// The roots whose share member differs from the share that names them.
    var strayRoots: [String] {
        let byRoot = Self.sharesByRoot(shares)
        return trees.filter { records[$0]?.sharing?.shareName != byRoot[$0] }
    }
}
