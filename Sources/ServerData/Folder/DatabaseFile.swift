import AssetStore
import DirectorySQLite
import Foundation
import RecordStore
import RecordStoreSQLite
import Records
import SQLiteSupport

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A database file in a data folder.
struct DatabaseFile: Sendable {
    enum Kind: Sendable {
        case records
        /// Accounts, tokens and schemas.
        case directory
        /// Counts of requests. It can be missing or damaged without harm to the data.
        case telemetry
    }

    let kind: Kind
    let file: URL
    /// The path relative to the data folder.
    let path: String

    /// The faults of the file, one line for each; empty for an intact file.
    func faults(codec: any FieldCodec) throws -> [String] {
        switch kind {
        case .records:
            let file = try RecordFile(file)
            defer { try? file.close() }
            return try file.faults(codec: codec)
        case .directory:
            let file = try SQLiteFile(file)
            defer { try? file.close() }
            return try SQLiteDirectory.faults(of: file)
        case .telemetry:
            let file = try SQLiteFile(file)
            defer { try? file.close() }
            return try SQLiteTelemetryStore.faults(of: file)
        }
    }

    /// Whether the database was created but never used, and has no asset files. The next server that opens it
    /// initializes it, as if the file were missing.
    func isUnused() throws -> Bool {
        guard kind == .records, assets.files().isEmpty else { return false }
        let file = try RecordFile(file)
        defer { try? file.close() }
        return try file.isUnused()
    }

    /// Begins a new epoch in a restored database that is not in use: in a database of records, change tokens
    /// from after the backup expire; in the directory, all sessions end.
    func begin(_ epoch: DatabaseEpoch) throws {
        switch kind {
        case .records: try RecordFile.begin(epoch, in: file)
        case .directory: try SQLiteDirectory.endSessions(in: file)
        case .telemetry: break
        }
    }

    /// Whether an error shows that the database is damaged. Otherwise the disk is full, another process keeps
    /// the database busy, or this user may not use it.
    func isDamage(_ error: any Error) -> Bool {
        guard (error as? RecordError)?.code == .internalError else { return false }
        return access(file.path, R_OK | W_OK) == 0
    }

    /// The folder with the asset files of the database.
    var assets: AssetFolder {
        AssetFolder(URL(fileURLWithPath: String(file.path.dropLast(".sqlite".count)) + "-assets"))
    }
}

extension DataFolder {
    /// The databases of a folder that exist: first those with records, sorted by path, then the directory,
    /// which the folder of a node lacks, and the file with the counts of requests.
    ///
    /// A copy in this order is consistent, because the directory contains the type of a record before the
    /// record is stored. Only regular files at their places in the layout count, because a container may be
    /// named like a database.
    static func databases(in folder: URL) -> [DatabaseFile] {
        let records = files(in: folder, ".sqlite").map { path in
            DatabaseFile(kind: .records, file: folder.appendingPathComponent(path), path: path)
        }
        let name = "directory.sqlite"
        let directory = DatabaseFile(
            kind: .directory, file: folder.appendingPathComponent(name), path: name)
        let counts = DatabaseFile(
            kind: .telemetry, file: folder.appendingPathComponent(telemetryName), path: telemetryName)
        let others = mark(of: folder) == nodeMark ? [counts] : [directory, counts]
        return records + others.filter { DataFolderCheck.isRegularFile($0.file) }
    }

    /// The ending of the files of databases that a backup could not read and copied byte for byte. No server
    /// opens them.
    static let unreadableEnding = ".sqlite.damaged"

    /// The name of the file with the bytes of a directory that a backup could not read.
    static let unreadableDirectory = "directory" + unreadableEnding

    /// The paths of the files of databases that a backup could not read, relative to the folder.
    static func unreadableDatabases(in folder: URL) -> [String] {
        let hasDirectory = DataFolderCheck.isRegularFile(folder.appendingPathComponent(unreadableDirectory))
        return files(in: folder, unreadableEnding) + (hasDirectory ? [unreadableDirectory] : [])
    }

    /// The sorted paths of the regular files with an ending at the places of databases of records.
    private static func files(in folder: URL, _ ending: String) -> [String] {
        let environments = names(in: folder, "containers").flatMap { container in
            names(in: folder, container)
        }
        let paths = environments.flatMap { environment in
            names(in: folder, environment) + names(in: folder, environment + "/private")
        }
        return paths.filter { $0.hasSuffix(ending) }.sorted().filter {
            DataFolderCheck.isRegularFile(folder.appendingPathComponent($0))
        }
    }

    /// Throws if a folder of databases cannot be read. `databases` does not report that, and returns none of
    /// the folder's databases.
    static func checkReadableFolders(in folder: URL) throws(ServerError) {
        let containers = names(in: folder, "containers")
        let environments = containers.flatMap { names(in: folder, $0) }
        let places = ["containers"] + containers + environments + environments.map { $0 + "/private" }
        for path in places {
            let place = folder.appendingPathComponent(path)
            guard DataFolderCheck.isFolder(place), access(place.path, R_OK | X_OK) != 0 else { continue }
            throw ServerError(
                .folderUnusable, "\(path) in the data folder \(folder.path) cannot be read",
                nextStep: "run as the user whose data it is")
        }
    }

    /// The paths of the entries of a subfolder, relative to the data folder.
    private static func names(in folder: URL, _ path: String) -> [String] {
        let place = folder.appendingPathComponent(path)
        let names = (try? FileManager.default.contentsOfDirectory(atPath: place.path)) ?? []
        return names.map { path + "/" + $0 }
    }
}
