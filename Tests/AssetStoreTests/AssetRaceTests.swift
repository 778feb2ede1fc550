import Foundation
import Records
import Testing

@testable import AssetStore
@testable import TestKit

@Suite("Asset store races")
struct AssetRaceTests {
    @Test("Concurrent saves and deletions of the same contents lose no file and leave no file behind")
    func storm() async throws {
        try await withAssetWorld { world in
            await withThrowingTaskGroup(of: Void.self) { group in
                for worker in 0..<12 {
                    group.addTask {
                        try await runRandomLifecycles(in: world, numbers: SeededNumbers(seed: UInt64(worker)))
                    }
                }
                while let result = await group.nextResult() {
                    #expect(throws: Never.self) { try result.get() }
                }
            }
            try await world.collect()
            await world.store.discardUploads(receivedBefore: AssetWorld.now.advanced(bySeconds: 1))
            #expect(try await world.files(in: "content") == [])
            #expect(try await world.files(in: "incoming") == [])
        }
    }

    @Test("A save whose upload another save commits meanwhile succeeds; without the content it is refused")
    func committedMeanwhile() async throws {
        try await withFolderWorld { world, _ in
            let upload = try await world.receive("a receipt in two saves")
            let content = try #require(AssetChecksum(text: upload.fileChecksum))
            try await world.store.adopt(upload)
            // The storage asks this after it has opened the file.
            _ = try await world.store.storage.adopt(upload, content) { _ in
                try? world.removeReceived(upload, content)
                return true
            }
            await world.store.commit(upload)
            #expect(try await world.read(upload.fileChecksum) == "a receipt in two saves")
            let lost = try await world.receive("lost")
            let lostContent = try #require(AssetChecksum(text: lost.fileChecksum))
            await #expect(throws: RecordError.expiredReceipt) {
                _ = try await world.store.storage.adopt(lost, lostContent) { _ in
                    try? world.removeReceived(lost, lostContent)
                    return true
                }
            }
            await world.store.discard(lost)
        }
    }

    @Test("An owned file survives many concurrent collections of the same content")
    func ownedFileSurvives() async throws {
        try await withAssetWorld { world in
            let owned = try await world.save("content 0")
            await withThrowingTaskGroup(of: Void.self) { group in
                for worker in 0..<8 {
                    group.addTask {
                        try await runRandomLifecycles(in: world, numbers: SeededNumbers(seed: UInt64(worker)))
                    }
                }
                while let result = await group.nextResult() {
                    #expect(throws: Never.self) { try result.get() }
                }
            }
            try await world.collect()
            #expect(try await world.read(owned) == "content 0")
            #expect(try await world.files(in: "content").count == 1)
        }
    }

    /// Repeatedly uploads one of three contents, saves or abandons it, reads the owned files, and deletes
    /// them.
    private func runRandomLifecycles(in world: AssetWorld, numbers: SeededNumbers) async throws {
        var numbers = numbers
        for _ in 0..<30 {
            let text = "content \(Int.random(in: 0..<3, using: &numbers))"
            let upload = try await world.receive(text)
            try await world.store.adopt(upload)
            if Int.random(in: 0..<4, using: &numbers) == 0 {
                await world.store.abandon(upload)
                try await collectSlowly(in: world)
                continue
            }
            world.owners.add(upload.fileChecksum)
            await world.store.commit(upload)
            #expect(try await world.read(upload.fileChecksum) == text)
            world.owners.remove(upload.fileChecksum)
            try await collectSlowly([upload.fileChecksum], in: world)
        }
    }

    /// Lets other tasks run between the answer about owners and its use, when a race could lose files.
    private func collectSlowly(_ checksums: [String] = [], in world: AssetWorld) async throws {
        try await world.store.collect(checksums) { checksum in
            let answer = world.owners.owns(checksum)
            for _ in 0..<3 { await Task.yield() }
            return answer
        }
    }
}
