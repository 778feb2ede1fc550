import Foundation
import RecordStore
import RecordStoreSQLite
import Records
import RecordsWire
import Testing

@testable import TestKit

@Suite("A damaged file")
struct DamagedFileTests {
    @Test("Reading a missing page of an open file fails, and does not crash the process")
    func lostPages() async throws {
        try await withFolder { folder in
            let first = World(store: try StoreKind.sqlite.open(in: folder))
            let long = (0..<300).map { "word\($0)" }.joined(separator: " ")
            for index in 0..<200 { try await first.create("r\(index)", ["title": text(long)]) }
            try await first.finish()
            let store = try StoreKind.sqlite.open(in: folder)
            #expect(try await store.records(named: ["r0"], in: ZoneID.defaultName).count == 1)
            let file = folder.appendingPathComponent("test.sqlite")
            let size = try #require(
                try FileManager.default.attributesOfItem(atPath: file.path)[.size] as? Int)
            let handle = try FileHandle(forWritingTo: file)
            try handle.truncate(atOffset: UInt64(size / 2 / 4096 * 4096))
            try handle.close()
            await #expect(throws: RecordError.self) {
                for index in 0..<200 {
                    _ = try await store.records(named: ["r\(index)"], in: ZoneID.defaultName)
                }
            }
            try? await store.close()
        }
    }

    @Test(
        "Counters at their maximum are reported as damage", arguments: ["sequence", "last_notification"])
    func numbers(column: String) async throws {
        try await withFolder { folder in
            let world = World(store: try StoreKind.sqlite.open(in: folder))
            try await world.create("a")
            try await world.finish()
            let file = folder.appendingPathComponent("test.sqlite")
            try execute("UPDATE store SET \(column) = \(Int64.max)", in: file)
            #expect(throws: RecordError.self) { try StoreKind.sqlite.open(in: folder) }
            let checked = try RecordFile(file)
            let fault = "1 numbers of changes or notifications that are too great"
            #expect(try checked.faults(codec: FieldJSON()) == [fault])
            try checked.close()
        }
    }
}
