import CloudletServer
import Foundation
import SQLiteSupport
import Testing

@testable import ServerData
@testable import ServerKit
@testable import TestKit

@Suite("The room that is kept for deletions", .timeLimit(.minutes(1)))
struct ReserveTests {
    @Test("It is given up on a full disk only, and kept again when there is room")
    func reserve() async throws {
        try await withFolder { place in
            let folder = try DataFolder(place.appendingPathComponent("data"))
            defer { folder.release() }
            try #require(folder.reserve.exists, "the disk of the temporary files is nearly full")
            #expect(try Data(contentsOf: folder.reserve).count == Int(DataFolder.reserveBytes))
            folder.giveUpReserve(DiskRoom(freeBytes: DataFolder.reserveBytes, totalBytes: 1 << 30))
            folder.giveUpReserve(nil)
            #expect(folder.reserve.exists)
            folder.giveUpReserve(DiskRoom(freeBytes: DataFolder.reserveBytes - 1, totalBytes: 1 << 30))
            #expect(!folder.reserve.exists)
            folder.keepReserve()
            #expect(folder.reserve.exists)
        }
    }

    @Test("It comes back with the next deletion, and no temporary folder has it")
    func deletion() async throws {
        try await withFolder { place in
            let world = try await ServerWorld.start(.loopback) { $0.storage = .folder(place) }
            _ = try await world.signIn("alice")
            let reserve = world.server.dataFolder.appendingPathComponent("reserve")
            try #require(reserve.exists, "the disk of the temporary files is nearly full")
            reserve.remove()
            try await world.server.people.remove("alice")
            #expect(reserve.exists)
            await world.stop()
        }
        let temporary = try await ServerWorld.start(.loopback)
        #expect(!temporary.server.dataFolder.appendingPathComponent("reserve").exists)
        await temporary.stop()
    }
}
