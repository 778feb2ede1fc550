import CloudService
import Foundation
import RecordStore
import Records
import RecordsWire
import SQLiteSupport
import Synchronization
import Testing

@testable import ServerData
@testable import TestKit

@Suite("Record databases in an engine")
struct EngineTests {
    private let alice = DatabaseKey(container: "c", environment: .development, owner: "_alice")
    private let common = DatabaseKey(container: "c", environment: .development, owner: nil)
    private let other = DatabaseKey(container: "c2", environment: .production, owner: "_alice")

    private func withPool(
        _ engine: EngineInMemory = EngineInMemory(), _ body: (DatabasePool, URL) async throws -> Void
    ) async throws {
        try await withFolder { folder in
            let data = try DataFolder(folder)
            defer { data.release() }
            let source = RandomSource(seed: 1)
            let pool = DatabasePool(
                folder: data, engine: engine, durability: .process,
                runtime: ServerRuntime(
                    now: { Timestamp(milliseconds: 0) }, randomBytes: { source.bytes($0) }, pause: { _ in },
                    idle: { _ in }, uptime: { .zero }, report: { _ in }, warn: { _ in }),
                limits: Limits())
            try await body(pool, folder)
            await pool.close()
        }
    }

    @Test("Databases are opened, listed, counted and removed in the engine; their files are in the folder")
    func life() async throws {
        let engine = EngineInMemory()
        try await withPool(engine) { pool, folder in
            #expect(pool.empty(common) != nil)
            for key in [alice, common, other] {
                _ = try await pool.lease(key)
                await pool.giveBack(key)
            }
            #expect(pool.empty(common) == nil)
            #expect(try pool.existing(DatabaseSelection(container: "c")) == [common, alice])
            #expect(try await pool.largest(5, of: ["c", "c2"]) == [alice, other])
            let usage = try await pool.usage(of: "c", in: .development)
            #expect(usage.privateDatabases == 1)
            #expect(usage.bytes == 200)
            try await pool.remove(DatabaseSelection(container: "c"))
            #expect(engine.names(beginningWith: "") == [other.text])
            #expect(!pool.exists(alice))
            pool.allow(DatabaseSelection(container: "c"))
            _ = try await pool.lease(alice)
            await pool.giveBack(alice)
            // Numbers that clients know from the removed database are not used again.
            #expect(engine.firstNumbers.withLock { $0.last ?? 0 } > 0)
            #expect(try folder.files("sqlite") == [])
        }
    }

    @Test("A folder belongs to one engine")
    func binding() async throws {
        try await withFolder { folder in
            let (engine, empty) = (EngineInMemory(), EngineInMemory())
            let data = try DataFolder(folder)
            #expect(try await data.bind(to: nil, as: "x") == false)
            for name in ["one", "later start"] { #expect(try await data.bind(to: engine, as: name)) }
            #expect(
                try await engine.bind(to: nil) == Installation(identifier: "one", hasDirectory: true))
            let unnamed = await #expect(throws: ServerError.self) {
                _ = try await data.bind(to: nil, as: "x")
            }
            #expect(unnamed?.reason.hasSuffix("are in PostgreSQL") == true)
            #expect(unnamed?.nextStep.contains("--database postgresql://") == true)
            let wrong = await #expect(throws: ServerError.self) {
                _ = try await data.bind(to: empty, as: "x")
            }
            #expect(wrong?.reason.contains("does not have the records") == true)
            data.release()
            let copy = folder.appendingPathComponent("copy")
            let backup = #expect(throws: ServerError.self) { try DataBackup.make(of: folder, at: copy) }
            #expect(backup?.nextStep.contains("pg_dump") == true)
        }
    }

    @Test("A new folder becomes that of another node, and stays so")
    func nodes() async throws {
        try await withFolder { first in
            try await withFolder { second in
                let engine = EngineInMemory()
                let (one, two) = (try DataFolder(first), try DataFolder(second))
                #expect(try await one.bind(to: engine, as: "one"))
                #expect(try await two.bind(to: engine, as: "two"))
                two.release()
                let again = try DataFolder(second)
                #expect(try await again.bind(to: engine, as: "later"))
                for folder in [one, again] { folder.release() }
                #expect(DataCheck(of: second).findings.filter(\.isProblem).isEmpty)
            }
        }
    }

    @Test("A folder with accounts of its own is refused as that of a node")
    func accounts() async throws {
        try await withFolder { folder in
            try Data("accounts".utf8).write(to: folder.appendingPathComponent("directory.sqlite"))
            let data = try DataFolder(folder)
            defer { data.release() }
            let refused = await #expect(throws: ServerError.self) {
                _ = try await data.bind(to: EngineInMemory(), as: "one")
            }
            #expect(refused?.reason.hasSuffix("has accounts or records in files") == true)
        }
    }

    @Test("An engine with the records of another folder's people is refused; the new folder stays usable")
    func taken() async throws {
        try await withFolder { folder in
            let engine = EngineInMemory()
            _ = try await engine.bind(to: Installation(identifier: "one", hasDirectory: false))
            let data = try DataFolder(folder)
            defer { data.release() }
            let taken = await #expect(throws: ServerError.self) {
                _ = try await data.bind(to: engine, as: "two")
            }
            #expect(taken?.reason == "the PostgreSQL database has the records of another data folder")
            #expect(try await data.bind(to: nil, as: "two") == false)
        }
    }
}

/// An engine of stores in memory.
private final class EngineInMemory: RecordStoreEngine {
    private let stores = Mutex<[String: MemoryStore]>([:])
    private let installation = Mutex<Installation?>(nil)
    let firstNumbers = Mutex<[Int64]>([])

    func store(
        named name: String, newIdentity: Int64, firstNumber: Int64, codec: any FieldCodec,
        notificationLimits: NotificationLimits, uptime: @escaping @Sendable () -> Duration
    ) async throws -> any RecordStore {
        firstNumbers.withLock { $0.append(firstNumber) }
        let new = MemoryStore(codec: codec)
        return stores.withLock { stores in
            let store = stores[name] ?? new
            stores[name] = store
            return store
        }
    }

    func exists(_ name: String) -> Bool { stores.withLock { $0[name] != nil } }

    func names(beginningWith prefix: String) -> [String] {
        stores.withLock { $0.keys.filter { $0.hasPrefix(prefix) } }.sorted()
    }

    func bytes(of name: String) async throws -> Int64 { exists(name) ? 100 : 0 }

    func remove(_ name: String) async throws { stores.withLock { $0[name] = nil } }

    func bind(to wanted: Installation?) async throws -> Installation? {
        installation.withLock { installation in
            if installation == nil { installation = wanted }
            return installation
        }
    }

    let obstacle: RecordError? = nil

    var changes: AsyncStream<EngineChange> { AsyncStream { $0.finish() } }

    func tellOfNotifications(after number: Int64, upTo last: Int64, in name: String) async throws {}

    func tell(_ messages: [String]) async throws {}

    func close() async {}
}
