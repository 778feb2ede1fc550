package import AssetStore
package import CloudService
package import DataRows
import Directory
import DirectorySQLite
package import Foundation
import RecordStoreSQLite
package import Records
import RecordsWire
import SQLiteSupport

/// A data folder as a place that is copied.
package final class FolderPlace: DataPlace {
    private let folder: DataFolder
    /// The object store with the files of a source; nil if the folder keeps them.
    private let assetEngine: (any AssetEngine)?

    /// Opens the folder of a server that was stopped.
    ///
    /// - Parameter assetEngine: the object store that keeps the folder's files; nil if the folder does.
    package init(from url: URL, assetEngine: (any AssetEngine)?) throws {
        guard DataFolder.hasDirectory(url) || DataFolder.mark(of: url) != nil else {
            throw ServerError(
                .folderUnusable, "there is no server's data in \(url.path)",
                nextStep: "name the folder that the server used with --from")
        }
        if DataFolder.keepsRecordsInEngine(url) {
            throw ServerError(
                .folderUnusable, "the records of \(url.path) are in PostgreSQL",
                nextStep: "name their database with --from")
        }
        if DataFolder.keepsAssetsInObjectStore(url), assetEngine == nil {
            throw ServerError(
                .folderUnusable, "the files of \(url.path) are in an object store",
                nextStep: "name their bucket with --assets; the files stay there")
        }
        folder = try Self.opened(url) { try DataFolder(movingFrom: url) }
        self.assetEngine = DataFolder.keepsAssetsInObjectStore(url) ? assetEngine : nil
    }

    /// Opens a folder to copy to, or creates it.
    package init(to url: URL) throws {
        folder = try Self.opened(url) { try DataFolder(copyingTo: url) }
        assetEngine = nil
    }

    private static func opened(_ url: URL, _ open: () throws -> DataFolder) throws -> DataFolder {
        do {
            return try open()
        } catch let error as ServerError where error.code == .folderInUse {
            throw ServerError(
                .folderInUse, error.reason,
                nextStep: "stop it; the data of a running server cannot be moved")
        }
    }

    package var name: String { folder.url.path }

    package var address: String { folder.url.path }

    package var moved: MovedData? { get throws { try DataFolder.movedData(in: folder.url) } }

    package func mark(_ moved: MovedData) throws { try folder.mark(moved) }

    package func close() async {
        await assetEngine?.close()
        folder.release()
    }

    package func state() async throws -> DataPlaceState {
        if let copy = DataFolder.unfinishedCopy(in: folder.url) { return .unfinished(copy) }
        if DataFolder.mark(of: folder.url) != nil { return .other }
        if DataFolder.hasDirectory(folder.url) { return .complete }
        // A server would look in the object store for the files of a copy.
        if DataFolder.keepsAssetsInObjectStore(folder.url) { return .other }
        return DataFolder.databases(in: folder.url).contains { $0.kind == .records } ? .other : .empty
    }

    package var objectStoreOwner: String? {
        get async throws {
            guard let assetEngine else { return nil }
            let file = folder.url.appendingPathComponent(DataFolder.assetMark)
            let own = try OwnedFile.text(of: file).trimmingCharacters(in: .whitespacesAndNewlines)
            if try await assetEngine.bind(to: nil) == own { return own }
            throw ServerError(
                .folderUnusable,
                "\(assetEngine.place) does not have the files of the data folder \(folder.url.path)",
                nextStep: "name the bucket and prefix that this folder was first used with")
        }
    }

    package func begin(_ copy: UnfinishedCopy) async throws { try folder.mark(copy) }

    package func finish(_ copy: UnfinishedCopy) async throws {
        // Clients may hold change tokens of databases that the source has removed.
        try DataFolder.beginLaterEpoch(in: folder.url)
        // The earlier data of the folder were moved, and then deleted. The mark of the copy is removed last,
        // so that the same call completes a copy that stops here.
        try folder.removeMovedMark()
        try folder.mark(nil)
    }

    package var directory: any DirectoryContent {
        get throws { try SQLiteDirectoryRows(folder.directoryFile) }
    }

    package func types(of container: String, in environment: CloudEnvironment) async throws -> [TypeSchema] {
        let directory = try SQLiteDirectory(file: folder.directoryFile)
        let schema = try await directory.schema(of: container, in: environment)
        try await directory.close()
        return schema.types.values.sorted { $0.name < $1.name }
    }

    package func databases() async throws -> [DatabaseKey] {
        try DataFolder.databases(in: folder.url)
            .filter { database in
                guard database.kind == .records else { return false }
                // A copy may have been killed while it filled the database.
                try SQLiteFile.undoUnfinishedTransaction(of: database.file)
                return try !database.isUnused()
            }
            .compactMap { DataFolder.key(ofDatabase: $0.path) }
            .sorted { $0.text < $1.text }
    }

    package func content(of key: DatabaseKey, types: [TypeSchema]) async throws -> any RowDatabase {
        let file = file(of: key)
        try DurableFiles.makeFolder(file.deletingLastPathComponent(), isFlushed: false)
        try DurableFiles.flush(file.deletingLastPathComponent(), upTo: folder.url)
        return try SQLiteRecordRows(file, types: types, codec: FieldJSON())
    }

    package func remove(_ key: DatabaseKey, withFiles: Bool) async throws {
        let manager = FileManager.default
        let path = folder.url.appendingPathComponent(DataFolder.path(of: key)).path
        // The database exists as long as the last of these does.
        let endings = [".sqlite-journal", ".sqlite-wal", ".sqlite-shm", ".sqlite"]
        for ending in (withFiles ? ["-assets"] : []) + endings
        where manager.fileExists(atPath: path + ending) {
            try manager.removeItem(atPath: path + ending)
        }
    }

    package func files(of key: DatabaseKey) -> AssetStore? {
        let random = RandomSource(seed: nil)
        let path = DataFolder.path(of: key) + "-assets"
        let storage: any AssetStorage =
            assetEngine?.storage(named: path, node: "c" + random.bytes(8).hexadecimal)
            ?? DiskStorage(folder: folder.url.appendingPathComponent(path).path)
        return AssetStore(storage) { random.bytes(16).hexadecimal }
    }

    private func file(of key: DatabaseKey) -> URL {
        folder.url.appendingPathComponent(DataFolder.path(of: key) + ".sqlite")
    }
}

extension DataFolder {
    /// The path of a database in a data folder, without the ending of its files.
    static func path(of key: DatabaseKey) -> String {
        let place = "containers/\(fileName(for: key.container))/\(key.environment.rawValue)/"
        return place + (key.owner.map { "private/" + fileName(for: $0) } ?? "public")
    }

    /// The database with a path; nil if the path is not that of a database.
    static func key(ofDatabase path: String) -> DatabaseKey? {
        let parts = path.split(separator: "/").map(String.init)
        guard (4...5).contains(parts.count), let environment = CloudEnvironment(rawValue: parts[2]),
            let container = name(ofDatabase: parts[1] + ".sqlite"),
            let owner = name(ofDatabase: parts[parts.count - 1])
        else { return nil }
        return DatabaseKey(
            container: container, environment: environment, owner: parts.count == 5 ? owner : nil)
    }
}
