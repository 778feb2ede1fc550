import Foundation
import RecordStore
import Records
import RecordsWire
import Synchronization
import Testing

@testable import TestKit

@Suite("Concurrency")
struct ConcurrencyTests {
    @Test(
        "32 writers and their readers of changes see the same data, in one zone and in 32",
        arguments: 1...20)
    func followersSeeWhatWritersDid(seed: UInt64) async throws {
        for zones in [1, 32] {
            try await withFolder { folder in
                let store = try StoreKind.lasting[0].open(in: folder, identity: Int64(seed))
                let crowd = Crowd(store: store, seed: seed, zones: zones)
                try await crowd.run()
                try await store.close()
            }
        }
    }
}

/// Concurrent writers and readers, and checks of the data that the readers saw.
private struct Crowd {
    let store: any RecordStore
    let seed: UInt64
    let zoneNames: [String]
    private let writers = 32
    private let batches = 12

    init(store: any RecordStore, seed: UInt64, zones: Int) {
        self.store = store
        self.seed = seed
        zoneNames = (0..<zones).map { "zone-\($0)" }
    }

    func run() async throws {
        for name in zoneNames { _ = try await store.createZone(named: name) }
        let finished = Finished()
        let (acknowledged, followed) = try await withThrowingTaskGroup(of: [Acknowledged].self) { group in
            for writer in 0..<writers {
                group.addTask { try await write(as: writer) }
            }
            async let followed = follow(until: finished)
            var acknowledged: [Acknowledged] = []
            for try await part in group { acknowledged += part }
            finished.set()
            return (acknowledged, try await followed)
        }
        for zone in zoneNames {
            let changes = followed.filter { $0.zone == zone }
            try await check(zone, acknowledged.filter { $0.zone == zone }, changes)
        }
    }

    /// The results that a writer received.
    struct Acknowledged: Sendable {
        var zone: String
        var name: String
        var sequence: Int64
    }

    /// Writes batches that set both records of a pair to the same new value in one transaction.
    private func write(as writer: Int) async throws -> [Acknowledged] {
        var random = SeededNumbers(seed: seed &* 1000 &+ UInt64(writer))
        let zone = zoneNames[writer % zoneNames.count]
        var acknowledged: [Acknowledged] = []
        for turn in 0..<batches {
            // The writers of a zone share pairs, so that they contend.
            let pair = random.below(8)
            let value = Int64(writer * 1000 + turn)
            let operations = ["a\(pair)", "b\(pair)"].map { name in
                RecordOperation(
                    .forceUpdate, recordName: name, recordType: "Pair",
                    fields: ["value": Field(.int64(value))]
                )
            }
            let results = try await store.commit(
                WriteBatch(
                    zone: zone, operations: operations, isAtomic: true,
                    stamp: Stamp(at: Timestamp(milliseconds: Int64(turn)), by: "_writer"), schema: Self.schema
                )
            )
            for case .record(let record) in results {
                acknowledged.append(
                    Acknowledged(zone: zone, name: record.id.name, sequence: record.sequence)
                )
            }
            let both = try await store.records(named: ["a\(pair)", "b\(pair)"], in: zone)
            #expect(both[0]?.fields == both[1]?.fields, "seed \(seed): a pair was read torn")
        }
        return acknowledged
    }

    private static let schema = Schema(types: [
        "Pair": TypeSchema(
            name: "Pair",
            fields: ["value": FieldSchema(type: .scalar(.int64), indexes: [.queryable, .sortable])]
        )
    ])

    /// Fetches the changes of every zone until the writers are done and no more changes come.
    private func follow(until finished: Finished) async throws -> [(zone: String, change: Change)] {
        var seen: [(zone: String, change: Change)] = []
        var tokens: [String: ChangeToken] = [:]
        while true {
            let wasFinished = finished.isSet
            var found = false
            for zone in zoneNames {
                let page = try await store.changes(
                    ChangesRequest(zone: zone, since: tokens[zone], limit: 3)
                )
                tokens[zone] = page.token
                found = found || page.moreComing || !page.changes.isEmpty
                seen += page.changes.map { (zone, $0) }
            }
            if wasFinished, !found { return seen }
            await Task.yield()
        }
    }

    private func check(
        _ zone: String, _ acknowledged: [Acknowledged], _ followed: [(zone: String, change: Change)]
    ) async throws {
        let numbers = followed.map(\.change.sequence)
        #expect(
            zip(numbers, numbers.dropFirst()).allSatisfy { $0 < $1 }, "seed \(seed): reordered or doubled")
        var last: [String: StoredRecord] = [:]
        for case .saved(let record) in followed.map(\.change) { last[record.id.name] = record }
        var newest: [String: Int64] = [:]
        for write in acknowledged { newest[write.name] = max(newest[write.name] ?? 0, write.sequence) }
        #expect(last.mapValues(\.sequence) == newest, "seed \(seed): lost in \(zone)")
        let names = newest.keys.sorted()
        let stored = try await store.records(named: names, in: zone)
        #expect(stored == names.map { last[$0] }, "seed \(seed): the union of the changes is not the state")
        #expect(Set(acknowledged.map(\.sequence)).count == acknowledged.count, "seed \(seed): a number twice")
    }
}

/// Whether the writers are done.
private final class Finished: Sendable {
    private let flag = Mutex(false)

    var isSet: Bool { flag.withLock { $0 } }

    func set() { flag.withLock { $0 = true } }
}
