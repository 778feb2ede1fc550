import RecordStore
import Records
import Testing

@testable import TestKit

@Suite("Continuation markers")
struct MarkerTests {
    private let plan = QueryPlan(
        recordType: "Party", filters: [Filter(.field("s"), .equals, .string("x"))],
        order: [.init(.field("a"), ascending: true), .init(.ordinal, ascending: true)], limit: 5
    )

    @Test(
        "A cursor is decoded unchanged",
        arguments: [
            SortValue.missing, .integer(.min), .integer(.max), .real(-0.1), .real(.infinity), .text(""),
            .text("Zoë 🎈"),
            .bytes([]), .bytes([0, 255]),
        ])
    func roundTrip(value: SortValue) throws {
        let cursor = QueryCursor(values: [value, .integer(7)])
        #expect(try QueryCursor(marker: cursor.marker(for: plan), for: plan) == cursor)
    }

    @Test("A marker does not depend on the page size, and is the same in every process")
    func stable() {
        let cursor = QueryCursor(values: [.integer(1), .integer(2)])
        var larger = plan
        larger.limit = 99
        #expect(cursor.marker(for: plan) == cursor.marker(for: larger))
        let bytes = cursor.marker(for: plan).prefix(9).map { String($0, radix: 16) }.joined(separator: " ")
        #expect(bytes == "1 5e 31 89 49 ff 23 4e 2")
    }

    @Test("A marker of another query is refused")
    func foreign() throws {
        let marker = QueryCursor(values: [.integer(1), .integer(2)]).marker(for: plan)
        let changes: [(inout QueryPlan) -> Void] = [
            { $0.recordType = "Clown" }, { $0.zone = "Z" }, { $0.zone = nil }, { $0.filters = [] },
            { $0.filters[0].value = .string("y") }, { $0.filters[0].value = .bytes(Array("x".utf8)) },
            { $0.filters[0].comparator = .notEquals }, { $0.filters[0].key = .field("t") },
            { $0.filters[0].key = .system(.recordName) }, { $0.filters[0].distance = 5 },
            { $0.order[0].ascending = false }, { $0.order[0].key = .field("b") },
            { $0.order[0].key = .distance(field: "a", from: Location(latitude: 1, longitude: 2)) },
        ]
        for change in changes {
            var other = plan
            change(&other)
            let error = #expect(throws: RecordError.self) { try QueryCursor(marker: marker, for: other) }
            #expect(error?.code == .badRequest)
            #expect(error?.reason == "the continuation marker belongs to another query")
        }
    }

    @Test("Truncated markers and other bytes are refused")
    func broken() throws {
        let marker = QueryCursor(values: [.text("some text"), .integer(2)]).marker(for: plan)
        for length in 0..<marker.count {
            let error = #expect(throws: RecordError.self) {
                try QueryCursor(marker: Array(marker.prefix(length)), for: plan)
            }
            #expect(error?.code == .badRequest)
        }
        #expect(throws: RecordError.self) { try QueryCursor(marker: marker + [0], for: plan) }
        var numbers = SeededNumbers(seed: 1)
        for _ in 0..<2000 {
            var bytes = marker
            for _ in 0..<3 {
                bytes[Int.random(in: 0..<bytes.count, using: &numbers)] = UInt8.random(
                    in: 0...255, using: &numbers)
            }
            _ = try? QueryCursor(marker: bytes, for: plan)
            _ = try? QueryCursor(marker: bytes.shuffled(using: &numbers), for: plan)
        }
        let error = #expect(throws: RecordError.self) {
            try QueryCursor(marker: Array("garbage".utf8), for: plan)
        }
        #expect(error?.reason == "Unknown sync continuation type")
    }
}
