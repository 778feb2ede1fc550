import Foundation
import RecordStore
import Records
import Testing

@testable import TestKit

@Suite("Contract: times")
struct TimeTests {
    /// The records that a condition must find, computed record by record in memory.
    private struct Known {
        var name: String
        var created: Int64
        var modified: Int64
    }

    private static let comparators: [Records.Comparator] = [
        .equals, .notEquals, .lessThan, .lessThanOrEquals, .greaterThan, .greaterThanOrEquals,
    ]

    private static func holds(_ time: Int64, _ comparator: Records.Comparator, _ moment: Int64) -> Bool {
        switch comparator {
        case .equals: time == moment
        case .notEquals: time != moment
        case .lessThan: time < moment
        case .lessThanOrEquals: time <= moment
        case .greaterThan: time > moment
        default: time >= moment
        }
    }

    /// Creates two zones with many more changes than between two marks. Many have the same time, and some are
    /// of records that were created long before.
    func fill(_ world: World) async throws {
        _ = try await world.store.createZone(named: "Z")
        func zone(_ round: Int) -> String { round % 3 == 0 ? "Z" : ZoneID.defaultName }
        for round in 0..<8 {
            let made = (0..<25).map { RecordStoreTests.create("r\(round)-\($0)") }
            try await world.commit(made, zone: zone(round), at: Int64(round / 2 * 1000))
        }
        for change in 0..<24 {
            let round = change % 6
            let names = (0..<25).map { "r\(round)-\($0)" }
            let found = try await world.store.records(named: names, in: zone(round)).compactMap { $0 }
            try await world.commit(
                found.map { update($0, ["n": number(Int64(change))]) }, zone: zone(round),
                at: Int64(10_000 + change / 3 * 1000))
        }
    }

    func check(_ world: World) async throws {
        for zone in [ZoneID.defaultName, "Z", nil] {
            var known: [Known] = []
            for name in zone.map({ [$0] }) ?? [ZoneID.defaultName, "Z"] {
                for case .saved(let record) in try await world.changes(in: name, page: 500) {
                    known.append(
                        Known(
                            name: record.id.name, created: record.created.at.milliseconds,
                            modified: record.modified.at.milliseconds))
                }
            }
            let times = Set(known.flatMap { [$0.created, $0.modified] })
            for moment in Set(times.flatMap { [$0 - 1, $0, $0 + 1] } + [Int64.min, Int64.max]).sorted() {
                for comparator in Self.comparators {
                    let made = try await world.find(
                        system(.createdTimestamp, comparator, time(moment)), zone: zone, page: 200)
                    let expected = known.filter { Self.holds($0.created, comparator, moment) }.map(\.name)
                    #expect(
                        Set(made) == Set(expected) && made.count == expected.count, "\(comparator) \(moment)")
                    let changed = try await world.find(
                        system(.modifiedTimestamp, comparator, time(moment)), zone: zone, page: 200)
                    let later = known.filter { Self.holds($0.modified, comparator, moment) }.map(\.name)
                    #expect(
                        Set(changed) == Set(later) && changed.count == later.count, "\(comparator) \(moment)")
                }
            }
        }
    }

    @Test(
        "Conditions on times are exact, among thousands of changes and in any zone",
        arguments: StoreKind.allCases)
    func exact(kind: StoreKind) async throws {
        try await withWorld(kind) { world in
            try await fill(world)
            try await check(world)
        }
    }

    @Test("A condition may list thousands of times", arguments: StoreKind.allCases)
    func many(kind: StoreKind) async throws {
        try await withWorld(kind) { world in
            for (index, name) in ["a", "b", "c", "d"].enumerated() {
                try await world.create(name, at: Int64(index * 2))
            }
            var limits = Limits()
            limits.timesPerQuery = 10_000
            let odd = (0..<9998).map { FieldValue.timestamp(Timestamp(milliseconds: $0 * 2 + 1)) }
            let some = Field(
                .list(.timestamp, odd + [2, 6].map { .timestamp(Timestamp(milliseconds: $0)) }))
            #expect(
                try await world.find(system(.createdTimestamp, .isIn, some), limits: limits) == ["b", "d"])
            #expect(
                try await world.find(system(.modifiedTimestamp, .notIn, some), limits: limits) == ["a", "c"])
        }
    }
}
