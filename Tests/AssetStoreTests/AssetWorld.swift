import AssetStoreS3
import Foundation
import NIOCore
import Records
import Synchronization
import Testing

@testable import AssetStore
@testable import TestKit

/// A store with a fake of its record store and helpers to inspect its files.
struct AssetWorld: Sendable {
    let place: AssetPlace
    let store: AssetStore
    var owners = AssetOwners()
    let isDurable: Bool
    /// Identifies the server in a bucket.
    let node: String

    static let now = Timestamp(milliseconds: 1_700_000_000_000)

    init(_ place: AssetPlace, isDurable: Bool = false, node: String = "a1") {
        self.place = place
        self.isDurable = isDurable
        self.node = node
        let names = Mutex(0)
        store = AssetStore(place.storage(isDurable: isDurable, node: node)) {
            names.withLock { name in
                name += 1
                return "upload-\(name)"
            }
        }
    }

    /// The folder of the files; nil for a bucket.
    var folder: URL? { if case .folder(let folder) = place { folder } else { nil } }

    var uploadPrefix: String { store.storage.uploadPrefix }

    /// The same files after the process has ended and started again.
    func restarted() -> AssetWorld { AssetWorld(place, isDurable: isDurable, node: node) }

    /// Another server that uses the same files and records.
    func other() -> AssetWorld {
        var other = AssetWorld(place, node: "b2")
        other.owners = owners
        return other
    }

    func receive(_ text: String) async throws -> ReceivedUpload {
        try await receive([text])
    }

    func receive(
        _ pieces: [String],
        expectedSize: Int64? = nil,
        limit: Int64 = 1000,
        now: Timestamp = AssetWorld.now
    ) async throws -> ReceivedUpload {
        let body = AsyncStream { continuation in
            for piece in pieces { continuation.yield(ByteBuffer(string: piece)) }
            continuation.finish()
        }
        return try await store.receive(body: body, expectedSize: expectedSize, limit: limit, now: now)
    }

    /// Uploads a file and saves a record that owns it.
    func save(_ text: String) async throws -> String {
        let upload = try await receive(text)
        try await store.adopt(upload)
        owners.add(upload.fileChecksum)
        await store.commit(upload)
        return upload.fileChecksum
    }

    /// Deletes a record that owns the file.
    func delete(_ fileChecksum: String) async throws {
        owners.remove(fileChecksum)
        try await collect([fileChecksum])
    }

    func collect(_ checksums: [String] = []) async throws {
        try await store.collect(checksums) { owners.owns($0) }
    }

    func read(
        _ fileChecksum: String,
        expectedSize: Int64? = nil,
        in range: Range<Int64>? = nil
    ) async throws -> String {
        let file = try await store.open(fileChecksum, expectedSize: expectedSize)
        var bytes = ByteBuffer()
        for try await chunk in try file.chunks(in: range) { bytes.writeImmutableBuffer(chunk) }
        return String(buffer: bytes)
    }

    /// Removes the received file of an upload, as its commit does.
    func removeReceived(_ upload: ReceivedUpload, _ content: AssetChecksum) throws {
        let folder = try #require(folder)
        try FileManager.default.removeItem(
            at: folder.appending(path: "incoming/\(upload.uploadID).\(content.hexadecimal)"))
    }

    /// The names of all files below a folder of the store, in order.
    func files(in name: String) async throws -> [String] { try await place.files(in: name) }

    /// Overwrites a stored file directly, without the store.
    func tamper(_ name: String, in folder: String = "content", with text: String) async throws {
        try await place.write(text, to: "\(folder)/\(name)")
    }
}

/// The number of records that own each file, in place of a record store.
final class AssetOwners: Sendable {
    private let counts = Mutex<[String: Int]>([:])

    func add(_ fileChecksum: String) {
        counts.withLock { $0[fileChecksum, default: 0] += 1 }
    }

    func remove(_ fileChecksum: String) {
        counts.withLock { $0[fileChecksum, default: 0] -= 1 }
    }

    func owns(_ fileChecksum: String) -> Bool {
        counts.withLock { $0[fileChecksum, default: 0] > 0 }
    }
}

/// Runs the test in a new folder, in a bucket in memory, and, if `Tests/objectstorage` runs it, in a bucket
/// of an object store. Checks that no adoption or collection is pending, and that no mark remains.
func withAssetWorld(isDurable: Bool = false, _ test: (AssetWorld) async throws -> Void) async throws {
    try await withFolderWorld(isDurable: isDurable) { world, _ in try await test(world) }
    try await withBucketWorld(test)
}

/// Runs the test in a new folder.
func withFolderWorld(
    isDurable: Bool = false, _ test: (AssetWorld, _ folder: URL) async throws -> Void
) async throws {
    let folder = URL.unused()
    defer { folder.remove() }
    let world = AssetWorld(.folder(folder), isDurable: isDurable)
    try await test(world, folder)
    #expect(world.store.isQuiet)
}

/// Runs the test in a bucket in memory, and, if `Tests/objectstorage` runs it, in one of an object store.
func withBucketWorld(_ test: (AssetWorld) async throws -> Void) async throws {
    try await withWorld(in: MemoryBucket(seed: 1), named: "containers/x/public-assets", test)
    guard let engine = try ObjectStoreForTests.engine() else { return }
    do {
        let name = "tests/\(UUID())"
        try await withWorld(in: engine.bucket, named: name, test)
        try await engine.remove(below: name)
    } catch {
        await engine.close()
        throw error
    }
    await engine.close()
}

private func withWorld(
    in bucket: any ObjectBucket, named name: String, _ test: (AssetWorld) async throws -> Void
) async throws {
    let world = AssetWorld(.bucket(bucket, name: name))
    try await test(world)
    #expect(world.store.isQuiet)
    #expect(try await world.files(in: "marks") == [])
}
