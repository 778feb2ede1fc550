import RecordStore
import Records

/// Decides which operations of a guest's batch the commit would refuse because the guest lacks a permission.
/// The decision uses the state before the batch. A record that the batch creates has the terms of its parent.
struct GuestRules {
    let person: String
    /// The operations of the batch, by record name.
    let operations: [String: RecordOperation]
    /// The records that the operations and their parents name, by name, without their fields.
    let heads: [String: StoredRecord]
    /// The terms that cover these records, by record name.
    let terms: [String: Share]
    /// The terms of a share of the whole zone; nil if there is none.
    let zoneTerms: Share?

    /// The names of the records whose heads the rules need: those of the operations and of the new parents.
    static func names(in operations: [RecordOperation]) -> Set<String> {
        var names: Set<String> = []
        for operation in operations {
            if let name = operation.recordName { names.insert(name) }
            if case .set(let parent) = operation.parent { names.insert(parent) }
        }
        return names
    }

    /// The errors of the operations that are refused, by record name.
    func refusals() -> [(name: String, error: RecordError)] {
        operations.compactMap { name, operation in
            let parent = operation.parent(after: heads[name], byParticipant: true)
            do throws(RecordError) {
                try ShareAccess(person: person).check(
                    operation, on: heads[name], under: zoneTerms ?? terms[name], parent: parent,
                    under: parent.flatMap { terms(coveringParent: $0) })
                return nil
            } catch {
                return (name, error)
            }
        }
    }

    /// The terms of the share that covers a parent after the batch. A guest can move records only within
    /// their share, so the terms of an existing record do not change.
    private func terms(coveringParent name: String) -> Share? {
        if let zoneTerms { return zoneTerms }
        var (next, seen) = (name, Set<String>())
        while heads[next] == nil, seen.insert(next).inserted,
            case .set(let above)? = operations[next]?.parent
        {
            next = above
        }
        return terms[next]
    }
}

extension RecordService {
    /// The errors of the operations that the commit would refuse to a guest, by record name.
    func refusals(
        of operations: [RecordOperation], to guest: Guest, in zone: String, of database: OpenDatabase
    ) async throws -> [(name: String, error: RecordError)] {
        var names = GuestRules.names(in: operations)
        var heads = try await self.heads(of: names, in: zone, of: database)
        let above = Set(heads.values.compactMap(\.parent)).subtracting(names)
        heads.merge(try await self.heads(of: above, in: zone, of: database)) { old, _ in old }
        names.formUnion(above)
        let known = Array(names)
        let covers = try await database.records.shares(covering: known, in: zone)
        var shares = Set(covers.compactMap(\.self))
        if guest.seesWholeZone { shares.insert(Share.zoneWideName) }
        let found = try await self.heads(of: shares, in: zone, of: database)
        var terms: [String: Share] = [:]
        for (name, share) in zip(known, covers) {
            terms[name] = share.flatMap { found[$0]?.sharing?.terms }
        }
        let named = operations.compactMap { operation in operation.recordName.map { ($0, operation) } }
        return GuestRules(
            person: guest.person, operations: Dictionary(named) { first, _ in first }, heads: heads,
            terms: terms,
            zoneTerms: guest.seesWholeZone ? found[Share.zoneWideName]?.sharing?.terms : nil
        ).refusals()
    }

    private func heads(
        of names: Set<String>, in zone: String, of database: OpenDatabase
    ) async throws -> [String: StoredRecord] {
        var heads: [String: StoredRecord] = [:]
        if names.isEmpty { return heads }
        for case let head? in try await database.records.heads(named: Array(names), in: zone) {
            heads[head.id.name] = head
        }
        return heads
    }
}
