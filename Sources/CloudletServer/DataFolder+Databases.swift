import AssetStore
import Foundation
import RecordStoreSQLite

/// A database file in a data folder.
struct FoundDatabase: Sendable {
    let kind: SQLiteFile.Kind
    let file: URL
    /// Its place below the data folder.
    let path: String

    /// The files of its records.
    var assets: AssetFolder {
        AssetFolder(URL(fileURLWithPath: String(file.path.dropLast(".sqlite".count)) + "-assets"))
    }
}

extension DataFolder {
    /// The databases of a folder: those of records by their paths, then the directory.
    ///
    /// In this order a copy is consistent: the directory knows the types of a record before the record is
    /// there.
    static func databases(in folder: URL) -> [FoundDatabase] {
        let containers = folder.appendingPathComponent("containers")
        let paths =
            FileManager.default.enumerator(atPath: containers.path)?.compactMap { $0 as? String } ?? []
        let records = paths.filter { $0.hasSuffix(".sqlite") }.sorted().map {
            FoundDatabase(
                kind: .records, file: containers.appendingPathComponent($0), path: "containers/" + $0)
        }
        let name = "directory.sqlite"
        return records + [
            FoundDatabase(kind: .directory, file: folder.appendingPathComponent(name), path: name)
        ]
    }
}
