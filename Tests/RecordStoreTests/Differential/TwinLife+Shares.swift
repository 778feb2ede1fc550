import RecordStore
import Records
import Testing

@testable import TestKit

extension TwinLife {
    /// Applies a batch that concerns shares. Then compares coverage, and from time to time the devices of
    /// people, with a model that computes them from scratch.
    mutating func share() async throws {
        let zone = random.numbers.pick(RandomWorld.zones)
        let batch = random.sharingBatch(in: zone, at: Int64(step / 100))
        try await compare(.commit(batch)) { try await $0.commit(batch) }
        guard let found = try? await memory.records(named: RandomWorld.allNames, in: zone) else { return }
        let model = SharingModel(found)
        let cover = try await compare(.other("coverage in \(zone)")) {
            try await $0.shares(covering: RandomWorld.allNames, in: zone)
        }
        let known = model.cover
        let expected = RandomWorld.allNames.map { known[$0] }
        #expect(cover == expected, "seed \(seed), step \(step): \(batch.operations)")
        if cover != expected { throw Unexpected(text: "the coverage is wrong") }
        for person in RandomWorld.participants {
            try await compare(.other("memberships of \(person)")) { try await $0.memberships(of: person) }
            try await compare(.other("shares of \(person)")) { try await $0.shares(of: person, in: zone) }
            if random.numbers.chance(40) { try await sync(person, zone, model) }
        }
    }

    /// Brings a person's device up to date, and compares it with what the person may see.
    mutating func sync(
        _ person: String, _ zone: String, _ model: SharingModel, isLazy: Bool = false
    ) async throws {
        let place = devices.firstIndex { $0.person == person && $0.zone == zone && $0.isLazy == isLazy }
        var device =
            place.map { devices.remove(at: $0) } ?? SharedDevice(person: person, zone: zone, isLazy: isLazy)
        let isOwner = person == RandomWorld.people[0]
        let visible = isOwner ? model.records.mapValues(\.sequence) : model.visible(to: person)
        let expected = visible ?? [:]
        for _ in 0..<100 {
            let bytes = random.numbers.chance(20) ? 50 : Int.max
            let request = ChangesRequest(
                zone: zone, since: device.token, limit: Int.random(in: 1...9, using: &random.numbers),
                bytes: bytes)
            let page = try await compare(.changes(request)) {
                isOwner ? try await $0.changes(request) : try await $0.sharedChanges(request, for: person)
            }
            guard let page else {
                // The person has no share in the zone, or the token is expired.
                let isExpired = visible != nil && device.token != nil
                device.startOver()
                if !isExpired { break }
                tally.note(.expired)
                continue
            }
            device.apply(page)
            if !page.moreComing { break }
        }
        let faults = device.faults(seen: isOwner ? nil : seen[zone]?[person, default: []])
        device.endReading()
        devices.append(device)
        #expect(faults == [], "seed \(seed), step \(step): \(person) in \(zone)")
        if faults != [] { throw Unexpected(text: "a feed tells too much") }
        #expect(device.records == expected, "seed \(seed), step \(step): \(person) in \(zone)")
        if device.records != expected { throw Unexpected(text: "a device shows other records") }
    }
}
