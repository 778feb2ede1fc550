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
            let role = terms.participants.first { $0.person == person }?.role
            return operation.kind.isDelete || role == .administrator
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
        if isRoot { return parent == record.parent }
        guard let parent else { return false }
        return rights[parent] == .readWrite && cover[parent] == cover[name]
    }

    // MARK: Trees

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
