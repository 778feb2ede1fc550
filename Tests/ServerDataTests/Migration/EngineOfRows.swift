import AssetStore
import CloudService
import DataRows
import Directory
import Foundation
import RecordStore
import Records
import Synchronization

@testable import ServerData
@testable import TestKit

/// An engine of databases that are nothing but rows.
final class EngineOfRows: CopyableEngine {
    private let databases = Mutex<[String: MemoryRows]>([:])
    private let installation = Mutex<Installation?>(nil)
    let directoryRows = MemoryRows(RowTable.ofDirectory)
    let accounts = MemoryDirectory()

    /// A place with this engine.
    func place(assets: FilesInFolders? = nil) -> EnginePlace {
        EnginePlace(
            named: "the engine", at: "postgresql://cloudlet@db/cloudlet", self, directory: accounts,
            directoryRows, assetEngine: assets)
    }

    func content(of name: String, types: [TypeSchema], codec: any FieldCodec) async throws -> any RowDatabase
    {
        databases.withLock { databases in
            let database = databases[name] ?? MemoryRows(RowTable.ofRecords)
            databases[name] = database
            return database
        }
    }

    func rebind(to wanted: Installation) async throws { installation.withLock { $0 = wanted } }

    func bind(to wanted: Installation?) async throws -> Installation? {
        installation.withLock { installation in
            if installation == nil { installation = wanted }
            return installation
        }
    }

    func exists(_ name: String) -> Bool { databases.withLock { $0[name] != nil } }

    func names(beginningWith prefix: String) -> [String] {
        databases.withLock { $0.keys.filter { $0.hasPrefix(prefix) } }.sorted()
    }

    func bytes(of name: String) async throws -> Int64 { 0 }

    func remove(_ name: String) async throws { databases.withLock { $0[name] = nil } }

    func store(
        named name: String, newIdentity: Int64, firstNumber: Int64, codec: any FieldCodec,
        notificationLimits: NotificationLimits, uptime: @escaping @Sendable () -> Duration
    ) async throws -> any RecordStore { MemoryStore(codec: codec) }

    let obstacle: RecordError? = nil

    var changes: AsyncStream<EngineChange> { AsyncStream { $0.finish() } }

    func tellOfNotifications(after number: Int64, upTo last: Int64, in name: String) async throws {}

    func tell(_ messages: [String]) async throws {}

    func close() async {}
}

/// An object store that is a folder.
final class FilesInFolders: AssetEngine {
    let folder: URL
    private let owner = Mutex<String?>(nil)

    init(_ folder: URL) { self.folder = folder }

    let place = "the object store"
    let uploadBuffer = 1 << 20

    func storage(named name: String, node: String) -> any AssetStorage {
        let place = folder.appendingPathComponent(name)
        try? FileManager.default.createDirectory(
            at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
        return DiskStorage(folder: place.path)
    }

    func address(of fileChecksum: String, named name: String, seconds: Int) -> String? { nil }

    func remove(below path: String) async throws {
        try? FileManager.default.removeItem(at: folder.appendingPathComponent(path))
    }

    func usage(below path: String) async throws -> (files: Int64, bytes: Int64) { (0, 0) }

    func bind(to wanted: String?) async throws -> String? {
        owner.withLock { owner in
            if owner == nil { owner = wanted }
            return owner
        }
    }

    func close() async {}
}

/// A place that fails when a certain database is read, or when the copy is finished.
final class StumblingPlace: DataPlace {
    private let place: any DataPlace
    private let obstacle: DatabaseKey?

    /// - Parameter obstacle: the database; nil for the end of the copy.
    init(_ place: any DataPlace, at obstacle: DatabaseKey?) {
        self.place = place
        self.obstacle = obstacle
    }

    var name: String { place.name }
    var address: String { place.address }
    var moved: MovedData? { get throws { try place.moved } }
    var objectStoreOwner: String? { get async throws { try await place.objectStoreOwner } }
    var directory: any DirectoryContent { get throws { try place.directory } }

    func state() async throws -> DataPlaceState { try await place.state() }
    func begin(_ copy: UnfinishedCopy) async throws { try await place.begin(copy) }
    func finish(_ copy: UnfinishedCopy) async throws {
        if obstacle == nil { throw CancellationError() }
        try await place.finish(copy)
    }
    func mark(_ moved: MovedData) throws { try place.mark(moved) }
    func types(of container: String, in environment: CloudEnvironment) async throws -> [TypeSchema] {
        try await place.types(of: container, in: environment)
    }
    func databases() async throws -> [DatabaseKey] { try await place.databases() }
    func content(of key: DatabaseKey, types: [TypeSchema]) async throws -> any RowDatabase {
        if key == obstacle { throw CancellationError() }
        return try await place.content(of: key, types: types)
    }
    func remove(_ key: DatabaseKey, withFiles: Bool) async throws {
        try await place.remove(key, withFiles: withFiles)
    }
    func files(of key: DatabaseKey) -> AssetStore? { place.files(of: key) }
    func close() async { await place.close() }
}

extension DataMigration {
    /// Moves data at the beginning of 2026.
    static func run(
        from source: any DataPlace, to target: any DataPlace,
        onStep: @escaping @Sendable (Step) -> Void = { _ in }
    ) async throws -> DataMigration {
        let time = Timestamp(milliseconds: 1_767_225_600_000)
        return try await run(from: source, to: target, at: time, onStep: onStep)
    }
}
