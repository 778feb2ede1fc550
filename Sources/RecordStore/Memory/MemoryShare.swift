import Records

/// A share with its feed and members.
struct MemoryShare {
    struct Row {
        var sequence: Int64
        /// The number at which the record came under the share, the last time.
        var entered: Int64
        /// nil: the share covers the record.
        var goneAt: Timestamp?

        func named(_ name: String) -> SharedRow {
            SharedRow(name: name, sequence: sequence, entered: entered, isGone: goneAt != nil)
        }
    }

    struct Member {
        var joined: Int64
        var left: Int64?
        var horizon: Int64 = 0
    }

    /// The record name of the share.
    var name: String
    var root: String?
    /// The number and time of its end; nil for a share that has not ended.
    var end: (sequence: Int64, time: Timestamp)?
    /// One row for each record that the share covers or covered, by name. Empty for a share of a zone.
    var rows: [String: Row] = [:]
    var members: [String: Member] = [:]

    /// Puts a record under the share. If it was there before, its row no longer shows the former stay to
    /// people who saw the record then and have left the share since, so their earlier tokens expire.
    mutating func enter(_ name: String, at sequence: Int64) {
        guard let row = rows[name] else {
            rows[name] = Row(sequence: sequence, entered: sequence)
            return
        }
        rows[name] = Row(sequence: sequence, entered: row.goneAt == nil ? row.entered : sequence)
        if row.goneAt == nil { return }
        for (person, member) in members {
            guard let left = member.left, left >= row.entered, member.joined <= row.sequence else { continue }
            members[person]?.horizon = max(member.horizon, left)
        }
    }

    var currentMembers: [String] { members.filter { $0.value.left == nil }.keys.sorted() }

    /// The numbers of the rows of records that left the share; if it has ended, also the number of its end,
    /// for itself and for each membership.
    var leavings: [Int64] {
        let ends = end.map { Array(repeating: $0.sequence, count: 1 + members.count) } ?? []
        return rows.values.filter { $0.goneAt != nil }.map(\.sequence) + ends
    }

    /// The rows with numbers above `number`, in ascending order.
    func rows(after number: Int64) -> [SharedRow] {
        rows.filter { $0.value.sequence > number }.sorted { $0.value.sequence < $1.value.sequence }
            .map { name, row in row.named(name) }
    }
}

extension MemoryZone {
    /// Which shares the zone has.
    var currentShares: ZoneShares {
        var found = ZoneShares.none
        for (id, share) in shares where share.end == nil {
            if share.root == nil { return .zone(id) }
            found = .records
        }
        return found
    }

    /// Whether the record is covered by a share in which the person takes part.
    func shows(_ name: String, to person: String) -> Bool {
        guard let member = covers[name].flatMap({ shares[$0]?.members[person] }) else { return false }
        return member.left == nil
    }

    /// The id of the share of which a record is the root.
    func share(ofRoot name: String) -> Int64? {
        guard case .root(let shareName)? = records[name]?.stored.sharing else { return nil }
        return shares.first { $0.value.end == nil && $0.value.name == shareName }?.key
    }

    /// A record and all records below it by `parent`, down to the roots of shares, which are not part of it.
    func subtree(of top: String) -> [String] {
        var names = [top]
        var seen: Set<String> = [top]
        var next = 0
        while next < names.count {
            let children = sources[Binding(kind: .parent, target: names[next])] ?? [:]
            for child in children.values where share(ofRoot: child) == nil && seen.insert(child).inserted {
                names.append(child)
            }
            next += 1
        }
        return names
    }

    /// The memberships of a person, in the order of the shares.
    func memberships(of person: String) -> [ShareMembership] {
        shares.sorted { $0.key < $1.key }.compactMap { id, share in
            guard let member = share.members[person] else { return nil }
            return ShareMembership(
                zone: name, share: id, name: share.name, isZoneWide: share.root == nil,
                joined: member.joined, left: member.left, horizon: member.horizon,
                lastChange: lastChange(of: share))
        }
    }

    private func lastChange(of share: MemoryShare) -> Int64 {
        if share.root != nil { return share.rows.values.map(\.sequence).max() ?? 0 }
        return changes.map(\.sequence).max() ?? 0
    }

    /// Forgets the rows of records that left a share, and ended shares, by number and time. Raises the
    /// horizons of the people who could have read them, and no others.
    mutating func forgetSharedRows(_ isOld: (Int64, Timestamp) -> Bool) {
        for (id, share) in shares {
            if let end = share.end, isOld(end.sequence, end.time) {
                forgetShare(id, endedAt: end.sequence)
                continue
            }
            let gone = share.rows.filter { row in
                row.value.goneAt.map { isOld(row.value.sequence, $0) } ?? false
            }
            guard let last = gone.values.map(\.sequence).max() else { continue }
            shareHorizon = max(shareHorizon, last)
            for name in gone.keys { shares[id]?.rows[name] = nil }
            for (person, member) in share.members {
                // A share that was forgotten in this loop may have raised it.
                let known = shares[id]?.members[person]?.horizon ?? 0
                shares[id]?.members[person]?.horizon = max(known, min(last, member.left ?? last))
            }
        }
    }

    private mutating func forgetShare(_ id: Int64, endedAt end: Int64) {
        shareHorizon = max(shareHorizon, end)
        let members = shares.removeValue(forKey: id)?.members ?? [:]
        for (person, member) in members {
            for other in shares.keys {
                guard let known = shares[other]?.members[person]?.horizon else { continue }
                shares[other]?.members[person]?.horizon = max(known, member.left ?? end)
            }
        }
    }
}

extension MemoryZone: ShareReader {
    /// The rows of a share after a number, in ascending order.
    func rows(of share: ShareMembership, after number: Int64, limit: Int) -> [SharedRow] {
        if !share.isZoneWide {
            return Array((shares[share.share]?.rows(after: number) ?? []).prefix(limit))
        }
        let all = changes.filter { $0.sequence > number }.sorted { $0.sequence < $1.sequence }
        return all.prefix(limit).map { change in
            switch change {
            case .saved(let record):
                SharedRow(name: record.id.name, sequence: record.sequence, entered: 0, isGone: false)
            case .deleted(let id, _, let sequence):
                SharedRow(name: id.name, sequence: sequence, entered: 0, isGone: true)
            }
        }
    }

    /// The row of a record in a share; nil if it was never under the share.
    func row(of share: ShareMembership, named name: String) -> SharedRow? {
        guard share.isZoneWide else { return shares[share.share]?.rows[name]?.named(name) }
        if let record = records[name]?.stored {
            return SharedRow(name: name, sequence: record.sequence, entered: 0, isGone: false)
        }
        return tombstones[name].map { SharedRow(name: name, sequence: $0.sequence, entered: 0, isGone: true) }
    }

    /// The share of records that covers a record.
    func share(covering name: String) -> (id: Int64, name: String)? {
        guard let id = covers[name], let share = shares[id] else { return nil }
        return (id, share.name)
    }

    /// Whether the zone has a record with this name.
    func hasRecord(_ name: String) -> Bool { records[name] != nil }
}
