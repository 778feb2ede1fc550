import AssetStore
public import Foundation
import RecordStore
import RecordStoreSQLite
import Records
import RecordsWire
import SQLiteSupport

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Makes backups of a server's data and restores them.
///
/// ```swift
/// try DataBackup.make(of: dataFolder, at: backupFolder)
/// try DataBackup.restore(backupFolder, to: newDataFolder)
/// ```
///
/// A backup has the layout of a data folder. It contains each database in its state at one moment, with every
/// file to which its records refer. A backup is as confidential as the data.
public struct DataBackup: Hashable, Sendable {
    /// The number of copied databases.
    public private(set) var databases = 0
    /// The number of copied asset files.
    public private(set) var files = 0
    /// The number of copied bytes.
    public private(set) var bytes: Int64 = 0
    /// Files to which records refer, but which do not exist.
    public private(set) var missing: [String] = []

    /// Databases that were already damaged before the copy, each with its damage.
    public private(set) var damaged: [String] = []

    /// Copies the data of a server, which may be running, into a new folder.
    ///
    /// The new folder gets its name only when the copy is complete.
    ///
    /// - Throws: `ServerError` when the folder contains no data, the new folder exists already, or a copy
    ///   fails.
    @discardableResult
    public static func make(of data: URL, at destination: URL) throws -> DataBackup {
        try copy(data, to: destination, isRunning: true)
    }

    /// Copies a backup into a new data folder, and checks the copy before the folder gets its name.
    ///
    /// The copy begins a new epoch, because clients have seen changes that were made after the backup: their
    /// change tokens expire, so that they fetch everything again, and no change tag that they hold is
    /// assigned a second time. All people are signed out, because some sessions may have been ended after the
    /// backup.
    ///
    /// - Throws: The errors of `make`, and `ServerError` for a backup that is damaged or was written by a
    ///   newer version.
    @discardableResult
    public static func restore(_ backup: URL, to data: URL) throws -> DataBackup {
        try DataFolder.checkReadable(backup)
        return try copy(backup, to: data, isRunning: false) { partial in
            let problems = DataCheck(of: partial, readsFiles: true).findings.filter { $0.isProblem }
            guard let first = problems.first else { return try beginEpoch(in: partial) }
            throw ServerError(
                .databaseUnusable,
                "the backup \(backup.path) is damaged (\(problems.count) findings): "
                    + "\(first.subject): \(first.text)",
                nextStep: "use another backup; find out more with: cloudlet doctor --data \(backup.path)"
            )
        }
    }

    private static func beginEpoch(in folder: URL) throws {
        let random = RandomSource(seed: nil)
        try DataFolder.beginLaterEpoch(in: folder)
        for database in DataFolder.databases(in: folder) {
            try database.begin(DatabaseEpoch { random.bytes($0) })
        }
    }

    private static func copy(
        _ source: URL, to destination: URL, isRunning: Bool, check: (URL) throws -> Void = { _ in }
    ) throws -> DataBackup {
        guard FileManager.default.fileExists(atPath: source.appendingPathComponent("directory.sqlite").path)
        else {
            throw ServerError(
                .folderUnusable, "there is no server's data in \(source.path)",
                nextStep: "name the folder that the server uses with --data"
            )
        }
        try FolderLook.checkLinks(source)
        if let link = FolderLook.links(in: source).first { throw FolderLook.linked(link, in: source) }
        try checkNew(destination)
        let partial = try makePartial(besides: destination)
        do {
            var report = DataBackup()
            for database in DataFolder.databases(in: source) {
                try report.copy(database, to: partial, isRunning: isRunning)
            }
            try Data("\(DataFolder.format)\n".utf8).write(to: partial.appendingPathComponent("format"))
            try check(partial)
            if isRunning { report.lookForDamage(in: partial) }
            sync()
            // Removes an empty folder of that name. A folder that was filled meanwhile stays.
            _ = rmdir(destination.path)
            try FileManager.default.moveItem(at: partial, to: destination)
            try DurableFiles.flush(destination.standardizedFileURL.deletingLastPathComponent())
            return report
        } catch {
            try? FileManager.default.removeItem(at: partial)
            if let error = error as? ServerError { throw error }
            throw failure(error, destination)
        }
    }

    /// Creates the folder that contains the copy until it is complete. Its name is new, so that no existing
    /// file is overwritten or removed.
    private static func makePartial(besides destination: URL) throws(ServerError) -> URL {
        let end = RandomSource(seed: nil).bytes(8).hexadecimal
        let place = destination.standardizedFileURL
        let partial = URL(fileURLWithPath: "\(place.path).partial-\(end)")
        do {
            try makeFolder(place.deletingLastPathComponent())
            if mkdir(partial.path, 0o700) != 0 { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
            return partial
        } catch {
            throw failure(error, destination)
        }
    }

    private static func failure(_ error: any Error, _ destination: URL) -> ServerError {
        ServerError(
            .folderUnusable, "the data could not be copied to \(destination.path): \(error)",
            nextStep: "check that the disk has space and that the folder is writable")
    }

    private static func checkNew(_ folder: URL) throws {
        let names = try? FileManager.default.contentsOfDirectory(atPath: folder.path)
        guard names?.isEmpty == false || (names == nil && FileManager.default.fileExists(atPath: folder.path))
        else { return }
        throw ServerError(
            .folderUnusable, "the folder \(folder.path) is there already",
            nextStep: "name a folder that does not exist yet")
    }

    private static func makeFolder(_ folder: URL) throws {
        try DurableFiles.makeFolder(folder, isFlushed: false)
    }

    /// Copies a database, then the files to which the copy refers.
    ///
    /// A running server may delete a file between the two. Its record is then gone too, so the database is
    /// copied again, at most five times in all. A file that is still missing then was missing before.
    private mutating func copy(_ database: FoundDatabase, to folder: URL, isRunning: Bool) throws {
        let target = FoundDatabase(
            kind: database.kind, file: folder.appendingPathComponent(database.path), path: database.path)
        try Self.makeFolder(target.file.deletingLastPathComponent())
        var lost: [String] = []
        for _ in 1...(isRunning ? 5 : 1) {
            try? FileManager.default.removeItem(at: target.file)
            // The container or person may have been deleted since the databases were listed.
            guard FileManager.default.fileExists(atPath: database.file.path) else { return }
            do {
                let source = try SQLiteFile(database.file)
                try source.copy(to: target.file)
                try source.close()
                lost = try database.kind == .records ? copyFiles(from: database, to: target) : []
            } catch {
                throw ServerError(
                    .databaseUnusable,
                    "\(database.path) cannot be copied: \((error as? RecordError)?.reason ?? "\(error)")",
                    nextStep: "find out more with: cloudlet doctor")
            }
            if lost.isEmpty { break }
        }
        databases += 1
        bytes += Self.size(of: target.file)
        for file in target.assets.files().values {
            files += 1
            bytes += Self.size(of: file)
        }
        missing += lost.map { "\(database.path): \($0)" }
    }

    private mutating func lookForDamage(in folder: URL) {
        let findings = DataCheck(of: folder).findings
        // Missing files are listed in `missing`.
        damaged = findings.filter { $0.isProblem && $0.subject.hasSuffix(".sqlite") }
            .map { "\($0.subject): \($0.text)" }
    }

    /// Copies the files of a database. Returns the checksums of missing files.
    private func copyFiles(from database: FoundDatabase, to target: FoundDatabase) throws -> [String] {
        let copy = try RecordFile(target.file)
        let owned = try copy.ownedAssets()
        try copy.close()
        var lost: [String] = []
        for checksum in owned.sorted() {
            guard let from = database.assets.place(of: checksum), let to = target.assets.place(of: checksum),
                FileManager.default.fileExists(atPath: from.path)
            else {
                lost.append(checksum)
                continue
            }
            if FileManager.default.fileExists(atPath: to.path) { continue }
            try Self.makeFolder(to.deletingLastPathComponent())
            do {
                try FileManager.default.copyItem(at: from, to: to)
            } catch CocoaError.fileReadNoSuchFile, CocoaError.fileNoSuchFile {
                lost.append(checksum)
            }
        }
        return lost
    }

    private static func size(of file: URL) -> Int64 {
        let size = try? FileManager.default.attributesOfItem(atPath: file.path)[.size] as? NSNumber
        return size?.int64Value ?? 0
    }
}
