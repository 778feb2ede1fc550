import Foundation
import SQLiteSupport
import Synchronization
import Testing

@testable import CloudletServer
@testable import ServerData
@testable import ServerKit
@testable import TestKit

@Suite("The disk space reserved for deletions", .timeLimit(.minutes(30)))
struct ReserveTests {
    @Test("The reserve is removed only on a full disk, and created again when there is space")
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

    @Test("A deletion by an operator gives up the reserve before the audit log is written")
    func operatorDeletion() async throws {
        try await withFolder { place in
            let world = try await ServerWorld.start(.loopback) { $0.storage = .folder(place) }
            let folder = world.server.composition.folder
            try #require(folder.reserve.exists, "the disk of the temporary files is nearly full")
            folder.roomMeter.withLock { $0 = { _ in DiskRoom(freeBytes: 100_000, totalBytes: 1 << 30) } }
            // Both calls are refused, because there is no such person, but only after the entry was written.
            for (call, hasReserve) in [("sign-out", true), ("delete", false)] {
                let refusal = try await world.operate("POST", "people/nobody/\(call)", [:])
                #expect(refusal.status == 404)
                #expect(folder.reserve.exists == hasReserve)
            }
            await world.stop()
        }
    }

    @Test("A deletion creates a missing reserve again, and temporary folders have none")
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
