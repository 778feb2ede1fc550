import Foundation
import NIOCore
import Records
import Testing

@testable import AssetStore
@testable import AssetStoreS3
@testable import TestKit

@Suite("Several servers with one bucket")
struct BucketNodesTests {
    private static let abc = AssetStoreTests.abc
    private static let abcMarks = "marks/ba7816bf8f01cfea414140de5dae2223b00361a3"

    @Test("Concurrent saves and deletions by two servers lose no file and leave no file behind")
    func storm() async throws {
        try await withBucketWorld { world in
            let other = world.other()
            await withThrowingTaskGroup(of: Void.self) { group in
                for worker in 0..<8 {
                    let server = worker.isMultiple(of: 2) ? world : other
                    group.addTask {
                        try await liveRandomly(on: server, numbers: SeededNumbers(seed: UInt64(worker)))
                    }
                }
                while let result = await group.nextResult() {
                    #expect(throws: Never.self) { try result.get() }
                }
            }
            for server in [world, other, world] {
                try await server.collect()
                await server.store.discardUploads(receivedBefore: AssetWorld.now.advanced(bySeconds: 1))
            }
            #expect(other.store.isQuiet)
            #expect(try await world.files(in: "content") == [])
            #expect(try await world.files(in: "incoming") == [])
        }
    }

    /// Repeatedly uploads one of two contents, saves or abandons it, reads the owned file, and deletes it.
    private func liveRandomly(on world: AssetWorld, numbers: SeededNumbers) async throws {
        var numbers = numbers
        for _ in 0..<15 {
            let text = "content \(Int.random(in: 0..<2, using: &numbers))"
            let upload = try await world.receive(text)
            try await adoptPatiently(upload, on: world)
            if Int.random(in: 0..<4, using: &numbers) == 0 {
                await world.store.abandon(upload)
            } else {
                world.owners.add(upload.fileChecksum)
                await world.store.commit(upload)
                #expect(try await world.read(upload.fileChecksum) == text)
                world.owners.remove(upload.fileChecksum)
            }
            try await collectUntilDecided(upload.fileChecksum, on: world)
        }
    }

    /// As a client does, tries again if another server examines the file.
    private func adoptPatiently(_ upload: ReceivedUpload, on world: AssetWorld) async throws {
        while true {
            do {
                return try await world.store.adopt(upload)
            } catch let error as RecordError where error.code == .tryAgainLater {
                await Task.yield()
            }
        }
    }

    /// The last server that works with a content finds nobody in its way.
    private func collectUntilDecided(_ checksum: String, on world: AssetWorld) async throws {
        for _ in 0..<3 {
            let undecided = try await world.store.collect([checksum]) { checksum in
                let answer = world.owners.owns(checksum)
                for _ in 0..<3 { await Task.yield() }
                return answer
            }
            if undecided.isEmpty { return }
        }
    }

    @Test("A collection gives way to an adoption by another server, and is repeated")
    func givesWay() async throws {
        try await withBucketWorld { world in
            let other = world.other()
            let upload = try await world.receive("abc")
            try await world.store.adopt(upload)
            #expect(try await other.store.collect([Self.abc]) { _ in false } == [Self.abc])
            #expect(try await world.files(in: "content").count == 1)
            world.owners.add(Self.abc)
            await world.store.commit(upload)
            try await other.collect()
            #expect(try await other.read(Self.abc) == "abc")
            try await world.delete(Self.abc)
            #expect(try await world.files(in: "content") == [])
            #expect(other.store.isQuiet)
        }
    }

    @Test("An adoption waits while another server deletes the content, and then stores it again")
    func waits() async throws {
        try await withBucketWorld { world in
            let other = world.other()
            _ = try await world.save("abc")
            let upload = try await other.receive("abc")
            world.owners.remove(Self.abc)
            let storage = try #require(world.store.storage as? BucketStorage)
            let content = try #require(AssetChecksum(text: Self.abc))
            let collection = try #require(try await storage.beginCollection(of: content))
            let error = await #expect(throws: RecordError.self) { try await other.store.adopt(upload) }
            #expect(error?.code == .tryAgainLater)
            #expect(error?.retryAfter == 5)
            try await storage.delete(collection)
            await storage.end(collection)
            try await other.store.adopt(upload)
            other.owners.add(Self.abc)
            await other.store.commit(upload)
            #expect(try await world.read(Self.abc) == "abc")
            try await other.delete(Self.abc)
        }
    }

    @Test("Two servers that delete the same content do not do it at the same time")
    func oneCollection() async throws {
        try await withBucketWorld { world in
            let other = world.other()
            let checksum = try await world.save("abc")
            world.owners.remove(checksum)
            let storage = try #require(world.store.storage as? BucketStorage)
            let content = try #require(AssetChecksum(text: checksum))
            let collection = try #require(try await storage.beginCollection(of: content))
            #expect(try await other.store.collect([checksum]) { _ in false } == [checksum])
            await storage.end(collection)
            try await other.collect()
            #expect(try await world.files(in: "content") == [])
        }
    }

    @Test("A server that ended during an adoption examines the content when it starts again")
    func ended() async throws {
        try await withBucketWorld { world in
            let upload = try await world.receive("abc")
            try await world.store.adopt(upload)
            let other = world.other()
            let collected = try await other.store.collect([Self.abc]) { _ in false }
            #expect(collected == [Self.abc])
            let restarted = world.restarted()
            try await restarted.store.recover { _ in false }
            #expect(try await world.files(in: "content") == [])
            #expect(try await world.files(in: "marks") == [])
            await world.store.commit(upload)
        }
    }

    @Test("An upload can be saved at any server after the one that received it has ended and started again")
    func endedBeforeTheSave() async throws {
        try await withBucketWorld { world in
            let uploads = [try await world.receive("abc"), try await world.receive("def")]
            let restarted = world.restarted()
            try await restarted.store.recover { _ in false }
            for (server, upload) in zip([restarted, world.other()], uploads) {
                try await server.store.adopt(upload)
                world.owners.add(upload.fileChecksum)
                await server.store.commit(upload)
                #expect(try await restarted.read(upload.fileChecksum).count == 3)
            }
            #expect(try await world.files(in: "incoming") == [])
        }
    }

    @Test("The uploads and marks of a server that is gone count no more after their lifetime")
    func gone() async throws {
        let bucket = MemoryBucket(seed: 2)
        let world = AssetWorld(.bucket(bucket, name: "x"))
        let other = world.other()
        let upload = try await world.receive("abc")
        try await world.store.adopt(upload)
        bucket.advance(hours: 23)
        try await other.store.recover { _ in false }
        #expect(try await other.files(in: "incoming").count == 1)
        #expect(try await other.files(in: "marks").count == 1)
        #expect(try await other.files(in: "content").count == 1)
        bucket.advance(hours: 2)
        try await other.store.recover { _ in false }
        for name in ["incoming", "marks", "content"] { #expect(try await other.files(in: name) == []) }
    }

    @Test("The lock of a server that ended during a deletion holds for an hour")
    func lockLifetime() async throws {
        let bucket = MemoryBucket(seed: 3)
        let world = AssetWorld(.bucket(bucket, name: "x"))
        let upload = try await world.receive("abc")
        _ = try await bucket.put(ByteBuffer(), as: "x/\(Self.abcMarks)/lock.gone.1")
        bucket.advance(hours: 0.9)
        await #expect(throws: RecordError.self) { try await world.store.adopt(upload) }
        bucket.advance(hours: 0.2)
        try await world.store.adopt(upload)
        await world.store.abandon(upload)
        try await world.collect()
        #expect(try await world.files(in: "marks") == [])
    }

    @Test("A deletion is not requested under an old lock")
    func oldLock() async throws {
        let bucket = MemoryBucket(seed: 4)
        let world = AssetWorld(.bucket(bucket, name: "x"))
        let checksum = try await world.save("abc")
        let error = await #expect(throws: RecordError.self) {
            try await world.store.collect([checksum]) { _ in
                bucket.advance(hours: 0.2)
                return false
            }
        }
        #expect(error?.code == .tryAgainLater)
        #expect(try await world.files(in: "content").count == 1)
        #expect(try await world.files(in: "marks") == [])
        world.owners.remove(checksum)
        try await world.collect()
        #expect(try await world.files(in: "content") == [])
    }

    @Test("A deletion without an answer keeps its lock, so that it cannot delete what is saved afterwards")
    func lateDeletion() async throws {
        let bucket = MemoryBucket(seed: 6)
        let world = AssetWorld(.bucket(bucket, name: "x"))
        let other = world.other()
        let checksum = try await world.save("abc")
        world.owners.remove(checksum)
        bucket.delayDeletions(true)
        await #expect(throws: RecordError.self) { try await world.collect([checksum]) }
        let upload = try await other.receive("abc")
        for node in [world, other] {
            let error = await #expect(throws: RecordError.self) { try await node.store.adopt(upload) }
            #expect(error?.code == .tryAgainLater)
        }
        bucket.advance(hours: 0.9)
        await #expect(throws: RecordError.self) { try await other.store.adopt(upload) }
        bucket.delayDeletions(false)
        bucket.advance(hours: 0.2)
        try await other.store.adopt(upload)
        other.owners.add(checksum)
        await other.store.commit(upload)
        #expect(try await world.read(checksum) == "abc")
        other.owners.remove(checksum)
        for node in [world, other] { try await node.collect([checksum]) }
        for name in ["incoming", "marks", "content"] { #expect(try await world.files(in: name) == []) }
    }

    @Test("What could not be deleted is deleted later, and blocks nothing")
    func leftovers() async throws {
        let bucket = MemoryBucket(seed: 5)
        let world = AssetWorld(.bucket(bucket, name: "x"))
        let upload = try await world.receive("abc")
        try await world.store.adopt(upload)
        world.owners.add(Self.abc)
        bucket.fail(with: RecordError(.tryAgainLater, "the store of files does not answer"))
        await world.store.commit(upload)
        bucket.fail(with: nil)
        #expect(try await world.files(in: "marks").count == 1)
        try await world.delete(Self.abc)
        for name in ["incoming", "marks", "content"] { #expect(try await world.files(in: name) == []) }
    }
}
