// Owns the proof that the engine answers from its indexes: no question on a declared index scans a type (law 4).

import Foundation
import RecordStore
import RecordStoreSQLite
import Records
import RecordsWire
import Testing

@Suite("Query plans")
struct QueryPlanTests {
    private static let here = Location(latitude: 37.78, longitude: -122.4)

    private static let questions: [(String, Query)] = [
        ("equality", Query(recordType: "A", filters: [Filter(.field("s"), .equals, .string("a"))])),
        ("a range", Query(recordType: "A", filters: [Filter(.field("i"), .greaterThan, .int64(1))])),
        ("a prefix", Query(recordType: "A", filters: [Filter(.field("s"), .beginsWith, .string("a"))])),
        (
            "membership",
            Query(
                recordType: "A",
                filters: [Filter(.field("i"), .isIn, .list(.int64, [.int64(1), .int64(2)]))]
            )
        ),
        (
            "a reference, newest first",
            Query(
                recordType: "A",
                filters: [Filter(.field("r"), .equals, .reference(Reference(recordName: "p")))],
                sorts: [Sort(.system(.createdTimestamp), ascending: false)]
            )
        ),
        (
            "near a place",
            Query(
                recordType: "A", filters: [Filter(.field("l"), .near, .location(here), distance: 5000)],
                sorts: [Sort(.field("l"), relativeTo: here)]
            )
        ),
        ("nearest first", Query(recordType: "A", sorts: [Sort(.field("l"), relativeTo: here)])),
        ("words", Query(recordType: "A", filters: [Filter(nil, .containsAllTokens, .string("beta zeta"))])),
        (
            "an element of a list",
            Query(recordType: "A", filters: [Filter(.field("ls"), .listContains, .string("a"))])
        ),
        ("everything, in order of creation", Query(recordType: "A")),
        ("everything by a field", Query(recordType: "A", sorts: [Sort(.field("t"))])),
        (
            "what changed last",
            Query(recordType: "A", sorts: [Sort(.system(.modifiedTimestamp), ascending: false)])
        ),
        (
            "somebody's own",
            Query(
                recordType: "A",
                filters: [
                    Filter(.system(.createdUserRecordName), .equals, .reference(Reference(recordName: "_me")))
                ]
            )
        ),
    ]

    @Test("A question on a declared index is answered by it", arguments: questions.map(\.0))
    func usesIndex(name: String) async throws {
        let query = try #require(Self.questions.first { $0.0 == name }).1
        let steps = try await explained(query)
        let scans = steps.filter { $0.hasPrefix("SCAN t") || $0.hasPrefix("SCAN r") }
        #expect(scans == [], "\(steps)")
        #expect(steps.contains { $0.contains("SEARCH") || $0.contains("VIRTUAL TABLE") }, "\(steps)")
    }

    @Test(
        "An order that an index already has is not sorted again",
        arguments: ["a reference, newest first", "everything, in order of creation", "what changed last"]
    )
    func sortsNothing(name: String) async throws {
        let steps = try await explained(try #require(Self.questions.first { $0.0 == name }).1)
        #expect(!steps.contains { $0.contains("TEMP B-TREE") }, "\(steps)")
    }

    private func explained(_ query: Query) async throws -> [String] {
        var steps: [String] = []
        try await withFolder { folder in
            let store = try SQLiteStore(
                file: folder.appendingPathComponent("plans.sqlite"), durability: .none, newIdentity: 1,
                codec: FieldJSON()
            )
            var random = RandomWorld(seed: 1)
            for step in 0..<20 {
                _ = try await store.commit(random.batch(at: Int64(step)) { _, _ in nil }.inDefaultZone)
            }
            let plan = try QueryRules().plan(
                query, zone: ZoneID.defaultName, limit: 20, in: RandomWorld.schema
            )
            steps = try await store.explain(plan)
            try await store.close()
        }
        return steps
    }
}

extension WriteBatch {
    fileprivate var inDefaultZone: WriteBatch {
        var batch = self
        batch.zone = ZoneID.defaultName
        return batch
    }
}
