import CloudletTesting
import Foundation
import LocalReplica
import MirroredStore
import Testing

@testable import TestKit

@Suite("Errors of a mirrored store's file")
struct StorageErrorTests {
    private static func open(_ folder: URL) throws -> MirroredStore {
        let settings = MirroredStore.Settings(now: { WorldClock.beginning }, pause: { _ in })
        return try MirroredStore(
            folder: folder, layout: try Posts.layout(), container: nil, settings: settings)
    }

    @Test("A file of a newer version, a damaged file, and one that cannot be opened have different codes")
    func opening() async throws {
        try await withFolder { folder in
            let newer = folder.appendingPathComponent("newer")
            try Self.open(newer).close()
            try ReleasedSchema.markAsNewer(newer.appendingPathComponent("replica.sqlite"))

            let damaged = folder.appendingPathComponent("damaged")
            try FileManager.default.createDirectory(at: damaged, withIntermediateDirectories: true)
            try Data(repeating: 1, count: 4096).write(to: damaged.appendingPathComponent("replica.sqlite"))

            let file = folder.appendingPathComponent("file")
            try Data().write(to: file)

            let codes: [(URL, MirroredStoreError.Code)] = [
                (newer, .newerVersion), (damaged, .damaged), (file, .storage),
            ]
            for (place, code) in codes {
                let error = #expect(throws: MirroredStoreError.self) { try Self.open(place) }
                #expect(error?.code == code)
                #expect(error?.nextStep.isEmpty == false)
            }
        }
    }

    @Test("A record that cannot be read is damaged data, and the error names it")
    func reading() async throws {
        try await withFolder { folder in
            let store = try Self.open(folder)
            let error = await #expect(throws: MirroredStoreError.self) {
                try await store.read { _ in _ = try FieldCoding.fields(Data([1]), of: "broken") }
            }
            #expect(error?.code == .damaged)
            #expect(error?.culprit == "broken")
            try store.close()
        }
    }
}
