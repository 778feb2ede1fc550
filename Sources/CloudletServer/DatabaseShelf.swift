// Owns the opening of databases, each once, with SQLite and files.

import AssetStore
import CloudService
import Foundation
import RecordStore
import RecordStoreSQLite
import Records
import RecordsWire
import Synchronization

/// Opens databases on first use and keeps them open until the server stops.
actor DatabaseShelf: DatabaseProvider {
    private let folder: DataFolder
    private let durability: SQLiteStore.Durability
    private let seams: Seams
    /// What is open; read without waiting for the actor, because every request needs it.
    private let open = Mutex<[DatabaseKey: OpenDatabase]>([:])
    private var opening: [DatabaseKey: Task<OpenDatabase, any Error>] = [:]

    init(folder: DataFolder, durability: SQLiteStore.Durability, seams: Seams) {
        self.folder = folder
        self.durability = durability
        self.seams = seams
    }

    nonisolated func database(_ key: DatabaseKey) async throws -> OpenDatabase {
        if let database = open.withLock({ $0[key] }) { return database }
        return try await opened(key)
    }

    private func opened(_ key: DatabaseKey) async throws -> OpenDatabase {
        if let database = open.withLock({ $0[key] }) { return database }
        if let task = opening[key] { return try await task.value }
        // Owned by `opening` until it ends; whoever asks meanwhile waits for the same one.
        let task = Task { try await make(key) }
        opening[key] = task
        defer { opening[key] = nil }
        let database = try await task.value
        open.withLock { $0[key] = database }
        return database
    }

    private func make(_ key: DatabaseKey) async throws -> OpenDatabase {
        var place = folder.place(container: key.container, environment: key.environment.rawValue)
        if key.owner != nil { place.appendPathComponent("private") }
        let name = key.owner.map(DataFolder.fileName) ?? "public"
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
        let identity = seams.randomBytes(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        let records = try SQLiteStore(
            file: place.appendingPathComponent(name + ".sqlite"), durability: durability,
            newIdentity: Int64(bitPattern: identity), codec: FieldJSON()
        )
        let seams = seams
        let assets = AssetStore(
            folder: place.appendingPathComponent(name + "-assets").path, isDurable: durability == .full
        ) { seams.randomHex(bytes: 16) }
        try await assets.recover { try await records.usesAsset($0) }
        return OpenDatabase(key: key, records: records, assets: assets)
    }

    func close() async {
        for database in open.withLock({ $0.values.map { $0 } }) { try? await database.records.close() }
        open.withLock { $0.removeAll() }
    }
}
