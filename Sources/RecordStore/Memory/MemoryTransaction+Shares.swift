import Records

extension MemoryTransaction {
    var shares: ZoneShares { zone.shares.isEmpty ? .none : zone.currentShares }

    func share(covering name: String) throws -> (id: Int64, name: String)? {
        zone.share(covering: name)
    }

    func isBelow(_ name: String, _ top: String, levels: Int) throws -> Bool? {
        var seen: Set<String> = []
        var next: String? = name
        while let current = next, seen.insert(current).inserted {
            if current == top { return true }
            if seen.count == levels { return nil }
            next = zone.share(ofRoot: current) == nil ? zone.records[current]?.stored.parent : nil
        }
        return false
    }

    func root(below name: String, except share: Int64?) throws -> String? {
        var found: [(ordinal: Int64, name: String)] = []
        for top in zone.subtree(of: name) {
            for (ordinal, child) in zone.sources[Binding(kind: .parent, target: top)] ?? [:] {
                guard child != name, let other = zone.share(ofRoot: child), other != share else { continue }
                found.append((ordinal, child))
            }
        }
        return found.min { $0.ordinal < $1.ordinal }?.name
    }

    func subtreeCount(of name: String) throws -> Int { zone.subtree(of: name).count }

    func count(coveredBy share: Int64) throws -> Int {
        (zone.shares[share]?.rows ?? [:]).count { $0.value.goneAt == nil }
    }

    mutating func open(_ share: Int64, named name: String, root: String?) throws {
        zone.shares[share] = MemoryShare(name: name, root: root)
    }

    mutating func close(_ share: Int64) throws {
        let live = (zone.shares[share]?.rows ?? [:]).filter { $0.value.goneAt == nil }
            .sorted { $0.value.sequence < $1.value.sequence }
        for (name, _) in live { try uncover(name, sequence: nextSequence()) }
        for person in (zone.shares[share]?.members ?? [:]).keys {
            try leave(person, share, sequence: state.sequence)
        }
        state.leavings += 1 + (zone.shares[share]?.members.count ?? 0)
        zone.shares[share]?.end = (state.sequence, state.lastTime)
        zone.sequence = state.sequence
    }

    mutating func cover(_ name: String, by share: Int64, sequence: Int64) throws {
        zone.shares[share]?.enter(name, at: sequence)
        zone.covers[name] = share
    }

    mutating func renew(_ name: String, sequence: Int64) throws {
        guard let share = zone.covers[name] else { return }
        zone.shares[share]?.rows[name]?.sequence = sequence
    }

    mutating func uncover(_ name: String, sequence: Int64) throws {
        guard let share = zone.covers.removeValue(forKey: name) else { return }
        state.leavings += 1
        zone.shares[share]?.rows[name]?.sequence = sequence
        zone.shares[share]?.rows[name]?.goneAt = state.lastTime
    }

    mutating func moveSubtree(of name: String, from old: Int64?, to new: Int64?) throws {
        let names = zone.subtree(of: name).sorted {
            zone.records[$0]?.ordinal ?? 0 < zone.records[$1]?.ordinal ?? 0
        }
        if old != nil {
            for name in names { try uncover(name, sequence: nextSequence()) }
        }
        if let new {
            for name in names { try cover(name, by: new, sequence: nextSequence()) }
        }
        zone.sequence = state.sequence
    }

    mutating func join(_ person: String, _ share: Int64, sequence: Int64) throws {
        let earlier = zone.shares[share]?.members[person]?.left ?? 0
        let isMember = zone.shares.values.contains { share in
            share.members[person].map { $0.left == nil } ?? false
        }
        zone.shares[share]?.members[person] = MemoryShare.Member(
            joined: sequence, horizon: max(earlier, isMember ? 0 : zone.shareHorizon))
    }

    mutating func leave(_ person: String, _ share: Int64, sequence: Int64) throws {
        guard let member = zone.shares[share]?.members[person], member.left == nil else { return }
        zone.shares[share]?.members[person]?.left = sequence
    }

    func members(of share: Int64) throws -> [String] { zone.shares[share]?.currentMembers ?? [] }

    mutating func rewrite(_ head: StoredRecord, _ ordinal: Int64) throws {
        zone.records[head.id.name]?.stored.sharing = head.sharing
        zone.records[head.id.name]?.stored.shortGUID = head.shortGUID
    }

    func shortGUID(of name: String) throws -> String? { zone.shortGUIDs[name] }

    mutating func setShortGUID(_ guid: String?, of name: String) throws { zone.shortGUIDs[name] = guid }
}
