import RecordStore
import Records
import Testing

@testable import TestKit

extension TwinLife {
    /// Runs a random step of an owner or one of three participants on shared trees, on both stores. Then
    /// compares what each of the four sees with a model that computes it from scratch.
    mutating func liveOnTrees(_ step: Int) async throws {
        self.step = step
        random.hasLateIndexes = true
        if step == 0 {
            for zone in RandomWorld.sharedZones { try await openZone(zone) }
        }
        let zone = random.numbers.pick(RandomWorld.sharedZones)
        switch random.numbers.below(1000) {
        case ..<3:
            try await compare(.other("deleteZone \(zone)")) { [now] store -> Bool in
                try await store.deleteZone(named: zone, reason: .deleted, at: now)
                return true
            }
            seen[zone] = [:]
            try await openZone(zone)
            _ = try await checkedModel(of: zone)
        case ..<15:
            let time = Timestamp(milliseconds: now.milliseconds - 3)
            try await compare(.other("forgetDeletions before \(time.milliseconds)")) { store -> Bool in
                try await store.forgetDeletions(before: time)
                return true
            }
            _ = try await checkedModel(of: zone)
        default: try await writeOnTrees(zone)
        }
    }

    private var now: Timestamp { Timestamp(milliseconds: Int64(step / 10)) }

    private mutating func openZone(_ zone: String) async throws {
        try await compare(.other("createZone \(zone)")) { try await $0.createZone(named: zone) }
        for batch in random.firstBatches(in: zone, at: now.milliseconds) {
            try await compare(.commit(batch)) { try await $0.commit(batch) }
        }
    }

    private mutating func writeOnTrees(_ zone: String) async throws {
        let before = try await model(of: zone)
        noteVisible(before, in: zone)
        let batch = random.treeBatch(in: zone, at: now.milliseconds, before)
        let results = try await compare(.commit(batch)) { try await $0.commit(batch) } ?? []
        try checkVerdict(batch, results, before)
        var passing: Set<String> = []
        if batch.operations.count > 1 {
            // Between two operations of a batch, a record may be under a share that it has left at the end.
            let names = Set(batch.operations.compactMap(\.recordName))
            passing = before.subtrees(of: names).union(try await model(of: zone).subtrees(of: names))
        }
        tally.add(batch, results, before, try await checkedModel(of: zone, passing: passing))
    }

    /// The model of a zone, from records that are equal in both stores.
    private mutating func model(of zone: String) async throws -> SharingModel {
        let names = RandomWorld.allNames
        let found = try await compare(.other("records in \(zone)")) {
            try await $0.records(named: names, in: zone)
        }
        return SharingModel(found ?? [])
    }

    /// A single operation of a participant is refused exactly if the model does not permit it.
    private func checkVerdict(
        _ batch: WriteBatch, _ results: [ItemResult], _ before: SharingModel
    ) throws {
        guard let guest = batch.participant, batch.operations.count == 1, let result = results.first
        else { return }
        let isPermitted = before.permits(batch.operations[0], by: guest)
        #expect(isPermitted != result.isRefusal, "seed \(seed), step \(step): \(DiaryEntry.commit(batch))")
        if isPermitted == result.isRefusal { throw Unexpected(text: "the permission is wrong") }
    }

    // MARK: What people see

    /// Compares coverage, permissions, memberships, feeds and queries of a zone with a new model.
    ///
    /// - Parameter passing: records that people may have been able to see within the last batch.
    private mutating func checkedModel(
        of zone: String, passing: Set<String> = []
    ) async throws -> SharingModel {
        let model = try await model(of: zone)
        noteVisible(model, in: zone, passing)
        let names = RandomWorld.allNames
        let cover = try await compare(.other("coverage in \(zone)")) {
            try await $0.shares(covering: names, in: zone)
        }
        try expect(cover, equals: names.map { model.cover[$0] }, "the coverage of \(zone)")
        try expect(model.strayRoots, equals: [], "the roots of \(zone)")
        for person in RandomWorld.people.prefix(1) + RandomWorld.participants {
            var rights: [String: Participant.Permission] = [:]
            for (name, share) in zip(names, cover ?? []) {
                let terms = share.flatMap { model.records[$0]?.sharing?.terms }
                let permission = terms?.permission(of: person) ?? .none
                if permission != .none { rights[name] = permission }
            }
            try expect(rights, equals: model.rights(of: person), "the permissions of \(person)")
            try await sync(person, zone, model)
            if random.numbers.chance(15) { try await sync(person, zone, model, isLazy: true) }
        }
        for guest in RandomWorld.participants { try await checkMemberships(of: guest, zone, model) }
        if random.numbers.chance(25) {
            try await checkQuery(by: random.numbers.pick(RandomWorld.participants), zone, model)
        }
        return model
    }

    private mutating func noteVisible(
        _ model: SharingModel, in zone: String, _ passing: Set<String> = []
    ) {
        for guest in RandomWorld.participants {
            let visible = model.visible(to: guest).map { passing.union($0.keys) } ?? []
            seen[zone, default: [:]][guest, default: []].formUnion(visible)
        }
    }

    private mutating func checkMemberships(
        of guest: String, _ zone: String, _ model: SharingModel
    ) async throws {
        let memberships = try await compare(.other("memberships of \(guest)")) {
            try await $0.memberships(of: guest)
        }
        let open = (memberships ?? []).filter { $0.zone == zone && $0.left == nil }.map(\.name)
        try expect(open.sorted(), equals: model.memberships(of: guest).sorted(), "the shares of \(guest)")
    }

    /// A query of a participant finds the records that the participant may see.
    private mutating func checkQuery(by guest: String, _ zone: String, _ model: SharingModel) async throws {
        // A member of a share of the whole zone queries without the restriction.
        if model.shares[Share.zoneWideName] != nil { return }
        var plan = QueryPlan(recordType: "A", zone: zone, limit: 100)
        plan.participant = guest
        let asked = plan
        let page = try await compare(.query(asked)) { try await $0.query(asked) }
        let rights = model.rights(of: guest)
        try expect(
            page?.records.map(\.id.name).sorted(), equals: model.trees.filter { rights[$0] != nil },
            "the query of \(guest)")
    }

    private func expect<Value: Equatable>(
        _ found: Value, equals expected: Value, _ what: String
    ) throws {
        #expect(found == expected, "seed \(seed), step \(step): \(what)")
        if found != expected { throw Unexpected(text: "\(what) differ from the model") }
    }
}
