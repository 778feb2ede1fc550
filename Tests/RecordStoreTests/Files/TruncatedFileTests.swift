import Foundation
import RecordStore
import Records
import Testing

@testable import TestKit

@Suite("A file that cannot be read")
struct TruncatedFileTests {
    @Test("Reading a page that an open file has lost fails, and does not end the process")
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
}
