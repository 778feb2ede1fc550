import Foundation
import NIOCore
import Records
import Testing

@testable import AssetStore
@testable import AssetStoreS3
@testable import TestKit

@Suite("Files in a bucket")
struct BucketStorageTests {
    private static let partBytes = Int64(IncomingObject.partBytes)

    @Test(
        "A file of any size around that of a part is stored and read",
        arguments: [partBytes - 1, partBytes, partBytes + 1, 2 * partBytes, 2 * partBytes + 12_345])
    func parts(size: Int64) async throws {
        try await withBucketWorld { world in
            let piece = ByteBuffer(bytes: (0..<65_521).map { UInt8(truncatingIfNeeded: $0 &* 31) })
            let checksum = try await save(size, of: piece, in: world)
            let file = try await world.store.open(checksum, expectedSize: size)
            var count: Int64 = 0
            for try await chunk in try file.chunks() {
                count += Int64(chunk.readableBytes)
            }
            #expect(count == size)
            try await world.store.verify(checksum, expectedSize: size)
            let last = try file.chunks(in: (size - 3)..<size)
            for try await chunk in last { #expect(chunk.readableBytes == 3) }
            #expect(try await world.files(in: "incoming") == [])
            #expect(try await world.files(in: "content").count == 1)
        }
    }

    private func save(_ size: Int64, of piece: ByteBuffer, in world: AssetWorld) async throws -> String {
        let upload = try await world.store.receive(
            body: Pieces(size: size, piece: piece), expectedSize: size, limit: 100_000_000,
            now: AssetWorld.now)
        try await world.store.adopt(upload)
        world.owners.add(upload.fileChecksum)
        await world.store.commit(upload)
        return upload.fileChecksum
    }

    @Test("A large upload that ends early leaves no parts behind")
    func brokenParts() async throws {
        struct Broken: Error {}
        try await withBucketWorld { world in
            let piece = ByteBuffer(repeating: 7, count: 1_000_000)
            await #expect(throws: Broken.self) {
                try await world.store.receive(
                    body: Pieces(size: 12_000_000, piece: piece, failsAfter: 9_000_000, error: Broken()),
                    limit: 100_000_000, now: AssetWorld.now)
            }
            let names = try await world.files(in: "incoming")
            #expect(names == [])
            guard case .bucket(let bucket, let name) = world.place else { return }
            #expect(try await bucket.partedUploads(name) == [])
        }
    }

    @Test("The parts of an upload whose task was cancelled are removed when the next upload begins")
    func cancelledParts() async throws {
        try await withBucketWorld { world in
            await #expect(throws: (any Error).self) { try await receiveCancelled(in: world) }
            await world.store.discard(try await world.receive("abc"))
            #expect(try await world.files(in: "incoming") == [])
            guard case .bucket(let bucket, let name) = world.place else { return }
            #expect(try await bucket.partedUploads(name) == [])
        }
    }

    /// Begins a large upload in a task that is cancelled before its end.
    private func receiveCancelled(in world: AssetWorld) async throws {
        let piece = ByteBuffer(repeating: 7, count: 1_000_000)
        let body = Pieces(size: 12_000_000, piece: piece, cancelsAfter: 9_000_000)
        let upload = Task {
            try await world.store.receive(body: body, limit: 100_000_000, now: AssetWorld.now)
        }
        _ = try await upload.value
    }

    @Test("An upload that was stored, but whose answer was lost, leaves nothing behind")
    func lostAnswer() async throws {
        let bucket = MemoryBucket(seed: 1)
        let world = AssetWorld(.bucket(bucket, name: "x"))
        bucket.loseAnswers(with: RecordError(.tryAgainLater, "the store of files does not answer"))
        await #expect(throws: RecordError.self) { try await world.receive("abc") }
        bucket.loseAnswers(with: nil)
        #expect(try await world.files(in: "incoming") == [])
    }

    @Test("A start aborts the uploads in parts of an earlier process")
    func abandonedParts() async throws {
        try await withBucketWorld { world in
            guard case .bucket(let bucket, let name) = world.place else { return }
            _ = try await bucket.beginParts(of: "\(name)/incoming/\(world.uploadPrefix)upload-1")
            try await world.restarted().store.recover { _ in false }
            #expect(try await bucket.partedUploads(name) == [])
        }
    }

    @Test("The address of a file in the object store is valid for everybody, until it expires")
    func address() async throws {
        let text = "s3://files/a?region=eu-west-1"
        let direct = BucketEngine(
            try BucketAddress(text + "&downloads=direct"), BucketCredentials(keyID: "K", secret: "S"),
            makeNumber: { "1" }, now: { Date(timeIntervalSince1970: 1_369_353_600) }, pause: { _ in })
        let address = direct.address(of: AssetStoreTests.abc, named: "containers/x", seconds: 60)
        let key = "a/containers/x/content/ba/7816bf8f01cfea414140de5dae2223b00361a3"
        #expect(
            address?.hasPrefix("https://files.s3.eu-west-1.amazonaws.com/\(key)?X-Amz-Algorithm=") == true)
        #expect(address?.contains("&X-Amz-Expires=60&") == true)
        // The object store does not let a browser run the file as a page.
        #expect(address?.contains("&response-content-type=application%2Foctet-stream&") == true)
        let long = direct.address(of: AssetStoreTests.abc, named: "containers/x", seconds: 10_000_000)
        #expect(long?.contains("&X-Amz-Expires=604800&") == true)
        #expect(direct.address(of: "../x", named: "containers/x", seconds: 60) == nil)
        await direct.close()
        let through = BucketEngine(
            try BucketAddress(text), BucketCredentials(keyID: "K", secret: "S"), makeNumber: { "1" },
            now: { Date() }, pause: { _ in })
        #expect(through.address(of: AssetStoreTests.abc, named: "containers/x", seconds: 60) == nil)
        await through.close()
    }

    @Test("A list of several pages is read completely")
    func pages() async throws {
        let bucket = MemoryBucket(seed: 1)
        bucket.limitPages(to: 2)
        let world = AssetWorld(.bucket(bucket, name: "x"))
        for number in 0..<7 { _ = try await world.receive("text \(number)") }
        bucket.advance(hours: 25)
        try await world.restarted().store.recover { _ in false }
        #expect(try await world.files(in: "incoming") == [])
    }

    @Test("All requests to an object store that does not answer end with the error")
    func unanswered() async throws {
        let bucket = MemoryBucket(seed: 1)
        let world = AssetWorld(.bucket(bucket, name: "x"))
        let checksum = try await world.save("abc")
        let upload = try await world.receive("abc")
        bucket.fail(with: RecordError(.tryAgainLater, "the store of files does not answer"))
        let calls: [(AssetWorld) async throws -> Void] = [
            { _ = try await $0.receive("def") }, { try await $0.store.adopt(upload) },
            { _ = try await $0.store.open(checksum) }, { _ = try await $0.store.sizes(of: [checksum]) },
            { _ = try await $0.store.offer(checksum, size: 3, now: AssetWorld.now) },
            { try await $0.store.collect([checksum]) { _ in false } },
            { try await $0.store.recover { _ in false } },
        ]
        for call in calls {
            let error = await #expect(throws: RecordError.self) { try await call(world) }
            #expect(error?.code == .tryAgainLater)
        }
        bucket.fail(with: nil)
        #expect(try await world.read(checksum) == "abc")
        try await world.delete(checksum)
        await world.store.discard(upload)
        #expect(world.store.isQuiet)
        for name in ["incoming", "marks", "content"] { #expect(try await world.files(in: name) == []) }
    }
}

/// A body of a given size, in pieces, which may fail.
private struct Pieces: AsyncSequence, Sendable {
    var size: Int64
    var piece: ByteBuffer
    var failsAfter = Int64.max
    var cancelsAfter = Int64.max
    var error: (any Error)?

    func makeAsyncIterator() -> Iterator { Iterator(rest: size, pieces: self) }

    struct Iterator: AsyncIteratorProtocol {
        var rest: Int64
        let pieces: Pieces

        mutating func next() async throws -> ByteBuffer? {
            if let error = pieces.error, pieces.size - rest >= pieces.failsAfter { throw error }
            if pieces.size - rest >= pieces.cancelsAfter { withUnsafeCurrentTask { $0?.cancel() } }
            guard rest > 0 else { return nil }
            let count = Swift.min(rest, Int64(pieces.piece.readableBytes))
            rest -= count
            return pieces.piece.getSlice(at: pieces.piece.readerIndex, length: Int(count))
        }
    }
}
