import AssetStore
import Foundation
import NIOCore
import Records
import Synchronization
import Testing

@testable import TestKit

/// A store with a fake of its record store and helpers to inspect its files.
struct AssetWorld: Sendable {
    let folder: URL
    let store: AssetStore
    let owners = AssetOwners()

    static let now = Timestamp(milliseconds: 1_700_000_000_000)

    init(folder: URL, isDurable: Bool) {
        self.folder = folder
        let names = Mutex(0)
        store = AssetStore(folder: folder.path, isDurable: isDurable) {
            names.withLock { name in
                name += 1
                return "upload-\(name)"
            }
        }
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
        store.commit(upload)
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

    /// The paths of all files below a folder of the store, in order.
    func files(in name: String) -> [String] {
        let paths = FileManager.default.enumerator(atPath: folder.appendingPathComponent(name).path)
        return (paths?.allObjects ?? []).compactMap { $0 as? String }.filter { path in
            var isFolder: ObjCBool = false
            let full = folder.appendingPathComponent(name).appendingPathComponent(path).path
            return FileManager.default.fileExists(atPath: full, isDirectory: &isFolder) && !isFolder.boolValue
        }.sorted()
    }

    /// Overwrites a stored file directly, without the store.
    func tamper(_ path: String, in name: String = "content", with text: String) throws {
        let url = folder.appendingPathComponent(name).appendingPathComponent(path)
        try Data(text.utf8).write(to: url)
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

/// Creates a world, runs the test, checks that no adoption or collection is pending, and removes the folder.
func withAssetWorld(isDurable: Bool = false, _ test: (AssetWorld) async throws -> Void) async throws {
    let folder = URL.unused()
    defer { folder.remove() }
    let world = AssetWorld(folder: folder, isDurable: isDurable)
    try await test(world)
    #expect(world.store.isQuiet)
}
