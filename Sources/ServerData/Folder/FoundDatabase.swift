import AssetStore
import DirectorySQLite
import Foundation
import RecordStore
import RecordStoreSQLite
import Records
import SQLiteSupport

/// A database file in a data folder.
struct FoundDatabase: Sendable {
    /// What a file holds.
    enum Kind: Sendable {
        /// Records.
        case records
        /// People, tokens, schemas.
        case directory
    }

    let kind: Kind
    let file: URL
    /// Its place below the data folder.
    let path: String

    /// What is wrong with the file, a line each; empty for a sound one.
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
        }
    }

    /// Makes the database of a restored folder, which nobody uses yet, another one to clients: tokens of the
    /// time after the backup are expired, and everybody is signed out.
    func begin(_ epoch: DatabaseEpoch) throws {
        switch kind {
        case .records: try RecordFile.begin(epoch, in: file)
        case .directory: try SQLiteDirectory.endSessions(in: file)
        }
    }

    /// The files of its records.
    var assets: AssetFolder {
        AssetFolder(URL(fileURLWithPath: String(file.path.dropLast(".sqlite".count)) + "-assets"))
    }
}

extension DataFolder {
    /// The databases of a folder: those of records by their paths, then the directory.
    ///
    /// In this order a copy is consistent: the directory knows the types of a record before the record is
    /// there. Only regular files at the places of the layout count: the name of a container may look like
    /// that of a database.
    static func databases(in folder: URL) -> [FoundDatabase] {
        let environments = names(in: folder, "containers").flatMap { container in
            names(in: folder, container)
        }
        let paths = environments.flatMap { environment in
            names(in: folder, environment) + names(in: folder, environment + "/private")
        }
        let records = paths.filter { $0.hasSuffix(".sqlite") }.sorted().compactMap { path -> FoundDatabase? in
            let file = folder.appendingPathComponent(path)
            guard FolderLook.isRegularFile(file) else { return nil }
            return FoundDatabase(kind: .records, file: file, path: path)
        }
        let name = "directory.sqlite"
        return records + [
            FoundDatabase(kind: .directory, file: folder.appendingPathComponent(name), path: name)
        ]
    }

    /// The paths below the data folder of what lies in one of its folders.
    private static func names(in folder: URL, _ path: String) -> [String] {
        let place = folder.appendingPathComponent(path)
        let names = (try? FileManager.default.contentsOfDirectory(atPath: place.path)) ?? []
        return names.map { path + "/" + $0 }
    }
}
