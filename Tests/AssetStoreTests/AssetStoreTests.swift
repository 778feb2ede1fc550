import AssetStore
import Foundation
import NIOCore
import Records
import Synchronization
import Testing

@Suite("Asset store")
struct AssetStoreTests {
    /// SHA-256("abc") begins ba7816bf 8f01cfea 414140de 5dae2223 b00361a3.
    static let abc = "Abp4Fr+PAc/qQUFA3l2uIiOwA2Gj"

    @Test(
        "A received file is named by its content, regardless of its pieces",
        arguments: [
            ["abc"], ["a", "b", "c"], ["", "ab", "", "c"],
        ])
    func naming(_ pieces: [String]) async throws {
        try await withAssetWorld { world in
            let upload = try await world.receive(pieces, expectedSize: 3)
            let name = world.uploadPrefix + "upload-1"
            #expect(upload == ReceivedUpload(uploadID: name, fileChecksum: Self.abc, size: 3))
            #expect(
                try await world.files(in: "incoming") == ["\(name).ba7816bf8f01cfea414140de5dae2223b00361a3"])
            #expect(try await world.files(in: "content") == [])
        }
    }

    @Test("An empty file is stored")
    func empty() async throws {
        try await withAssetWorld { world in
            let checksum = try await world.save("")
            #expect(try await world.read(checksum, expectedSize: 0) == "")
        }
    }

    @Test("A file at the limit is stored; one byte more is refused and leaves nothing behind")
    func limit() async throws {
        try await withAssetWorld { world in
            let upload = try await world.receive(["abcde", "fghij"], limit: 10)
            #expect(upload.size == 10)
            await #expect(throws: RecordError.self) {
                try await world.receive(["abcde", "fghijk"], limit: 10)
            }
            await #expect(throws: RecordError.self) {
                try await world.receive(["abc"], expectedSize: 11, limit: 10)
            }
            #expect(try await world.files(in: "incoming").count == 1)
        }
    }

    @Test("A body of another length than declared is refused and leaves nothing behind", arguments: [2, 4])
    func declaredLength(_ size: Int) async throws {
        try await withAssetWorld { world in
            let error = await #expect(throws: RecordError.self) {
                try await world.receive(["abc"], expectedSize: Int64(size))
            }
            #expect(error?.code == .badRequest)
            let names = try await world.files(in: "incoming")
            #expect(names == [])
        }
    }

    @Test("An incomplete body leaves nothing behind")
    func brokenBody() async throws {
        struct Broken: Error {}
        try await withAssetWorld { world in
            let body = AsyncThrowingStream<ByteBuffer, any Error> { continuation in
                continuation.yield(ByteBuffer(string: "abc"))
                continuation.finish(throwing: Broken())
            }
            await #expect(throws: Broken.self) {
                try await world.store.receive(body: body, limit: 1000, now: AssetWorld.now)
            }
            let names = try await world.files(in: "incoming")
            #expect(names == [])
        }
    }

    @Test("A cancelled upload leaves nothing behind")
    func cancelledUpload() async throws {
        try await withAssetWorld { world in
            let (body, continuation) = AsyncStream.makeStream(of: ByteBuffer.self)
            await withTaskGroup(of: Void.self) { group in
                group.addTask {
                    _ = try? await world.store.receive(body: body, limit: 1000, now: AssetWorld.now)
                }
                continuation.yield(ByteBuffer(string: "abc"))
                group.cancelAll()
            }
            let names = try await world.files(in: "incoming")
            #expect(names == [])
        }
    }

    @Test("A committed upload can be read, and its incoming file is deleted", arguments: [true, false])
    func adoption(isDurable: Bool) async throws {
        try await withAssetWorld(isDurable: isDurable) { world in
            let checksum = try await world.save("abc")
            #expect(try await world.files(in: "incoming") == [])
            #expect(try await world.files(in: "content") == ["ba/7816bf8f01cfea414140de5dae2223b00361a3"])
            #expect(try await world.read(checksum, expectedSize: 3) == "abc")
            try await world.store.verify(checksum, expectedSize: 3)
        }
    }

    @Test("Equal content is stored once, and deleted with its last owner")
    func storedOnce() async throws {
        try await withAssetWorld { world in
            let first = try await world.save("abc")
            let second = try await world.save("abc")
            #expect(first == second)
            #expect(try await world.files(in: "content").count == 1)
            try await world.delete(first)
            #expect(try await world.files(in: "content").count == 1)
            try await world.delete(second)
            #expect(try await world.files(in: "content") == [])
        }
    }

    @Test("An abandoned adoption is collected, and the upload can be adopted again")
    func abandoned() async throws {
        try await withAssetWorld { world in
            let upload = try await world.receive("abc")
            try await world.store.adopt(upload)
            await world.store.abandon(upload)
            #expect(world.store.isCollectionDue)
            try await world.collect()
            #expect(try await world.files(in: "content") == [])
            try await world.store.adopt(upload)
            world.owners.add(upload.fileChecksum)
            await world.store.commit(upload)
            #expect(try await world.read(upload.fileChecksum) == "abc")
        }
    }

    @Test("Pinned content is not collected until it is no longer pinned")
    func pinned() async throws {
        try await withAssetWorld { world in
            let upload = try await world.receive("abc")
            try await world.store.adopt(upload)
            try await world.collect([upload.fileChecksum])
            #expect(try await world.files(in: "content").count == 1)
            await world.store.commit(upload)
            #expect(world.store.isCollectionDue)
            try await world.collect()
            #expect(try await world.files(in: "content") == [])
        }
    }

    @Test("Content for which the look-up of owners failed is collected by the next collection")
    func unanswered() async throws {
        struct Unanswered: Error {}
        try await withAssetWorld { world in
            let checksum = try await world.save("abc")
            world.owners.remove(checksum)
            await #expect(throws: Unanswered.self) {
                try await world.store.collect([checksum]) { _ in throw Unanswered() }
            }
            #expect(try await world.files(in: "content").count == 1)
            try await world.collect()
            #expect(try await world.files(in: "content") == [])
        }
    }

    @Test(
        "A path as a checksum is refused by all calls",
        arguments: [
            "..", ".", "", "/", "../content", "\(abc)/..", "../\(abc)", "AeOwxEKY/../BwUmvv0yJlvuSQnr",
        ])
    func pathChecksums(checksum: String) async throws {
        try await withAssetWorld { world in
            var upload = try await world.receive("abc")
            let incoming = try await world.files(in: "incoming")
            upload.fileChecksum = checksum
            let adopting = await #expect(throws: RecordError.self) { try await world.store.adopt(upload) }
            #expect(adopting?.code == .assetRejected)
            let opening = await #expect(throws: RecordError.self) { _ = try await world.store.open(checksum) }
            #expect(opening?.code == .badRequest)
            #expect(try await world.store.offer(checksum, size: 3, now: AssetWorld.now) == nil)
            #expect(try await world.store.sizes(of: [checksum]) == [:])
            if let folder = world.folder { #expect(AssetFolder(folder).place(of: checksum) == nil) }
            await world.store.commit(upload)
            await world.store.abandon(upload)
            await world.store.discard(upload)
            #expect(try await world.files(in: "incoming") == incoming)
        }
    }

    @Test("An unknown or altered upload is refused, and nothing is pinned")
    func strangeUploads() async throws {
        try await withAssetWorld { world in
            let upload = try await world.receive("abc")
            var strangers = [upload, upload, upload, upload]
            strangers[0].uploadID = world.uploadPrefix + "upload-9"
            strangers[1].size = 4
            strangers[2].uploadID = "../incoming/upload-1"
            strangers[3].fileChecksum = "AeOwxEKY/BwUmvv0yJlvuSQnrkHk"
            let codes: [RecordError.Code] = [.uploadExpired, .assetRejected, .assetRejected, .uploadExpired]
            for (stranger, code) in zip(strangers, codes) {
                let error = await #expect(throws: RecordError.self) { try await world.store.adopt(stranger) }
                #expect(error?.code == code)
            }
            try await world.collect()
            #expect(try await world.files(in: "content") == [])
        }
    }

    @Test("A committed upload can be adopted again while its content exists")
    func adoptedAgain() async throws {
        try await withAssetWorld { world in
            let upload = try await world.receive("abc")
            for _ in 1...2 {
                try await world.store.adopt(upload)
                world.owners.add(upload.fileChecksum)
                await world.store.commit(upload)
            }
            #expect(try await world.read(upload.fileChecksum) == "abc")
        }
    }

    @Test("Expired uploads are discarded, unless they are adopted")
    func discarded() async throws {
        try await withAssetWorld { world in
            let old = try await world.receive("old")
            _ = try await world.receive(["older"])
            _ = try await world.receive(["new"], now: AssetWorld.now.advanced(bySeconds: 10))
            try await world.store.adopt(old)
            await world.store.discardUploads(receivedBefore: AssetWorld.now.advanced(bySeconds: 1))
            let names = try await world.files(in: "incoming").map { $0.prefix { $0 != "." } }
            let expected = ["upload-1", "upload-3"].map { world.uploadPrefix + $0 }
            #expect(names.map(String.init) == expected)
            world.owners.add(old.fileChecksum)
            await world.store.commit(old)
        }
    }

    @Test("The time until an upload is discarded begins when its last byte has arrived")
    func slowUpload() async throws {
        try await withAssetWorld { world in
            let time = Mutex(AssetWorld.now)
            let pieces = Mutex(["a", "b", "c"])
            let body = AsyncStream {
                time.withLock { $0 = $0.advanced(bySeconds: 3600) }
                return pieces.withLock { $0.isEmpty ? nil : ByteBuffer(string: $0.removeFirst()) }
            }
            let upload = try await world.store.receive(body: body, limit: 1000, now: time.withLock { $0 })
            // The stream has advanced the clock for each piece and for its end.
            let end = AssetWorld.now.advanced(bySeconds: 4 * 3600)
            await world.store.discardUploads(receivedBefore: end)
            try await world.store.adopt(upload)
            #expect(try await world.read(upload.fileChecksum) == "abc")
            await world.store.abandon(upload)
            try await world.collect()
            await world.store.discardUploads(receivedBefore: end.advanced(bySeconds: 1))
            #expect(try await world.files(in: "incoming") == [])
        }
    }

    @Test("An offered upload keeps its bytes when the content is collected, until the upload is discarded")
    func offered() async throws {
        try await withAssetWorld { world in
            let checksum = try await world.save("abc")
            let now = AssetWorld.now
            #expect(try await world.store.offer(checksum, size: 4, now: now) == nil)
            #expect(try await world.store.offer("AQ==", size: 3, now: now) == nil)
            let upload = try #require(try await world.store.offer(checksum, size: 3, now: now))
            try await world.delete(checksum)
            #expect(try await world.files(in: "content") == [])
            #expect(try await world.store.offer(checksum, size: 3, now: now) == nil)
            try await world.store.adopt(upload)
            world.owners.add(checksum)
            await world.store.commit(upload)
            #expect(try await world.read(checksum) == "abc")
            #expect(try await world.files(in: "incoming") == [])
            _ = try await world.store.offer(checksum, size: 3, now: now)
            await world.store.discardUploads(receivedBefore: now.advanced(bySeconds: 1))
            #expect(try await world.files(in: "incoming") == [])
            #expect(try await world.store.sizes(of: [checksum]) == [checksum: 3])
        }
    }
}
