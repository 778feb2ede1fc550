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
/// A backup has the layout of a data folder, but servers refuse to use it. It contains each database as it
/// was at one moment, with every file to which its records refer. A backup is as confidential as the data.
///
/// If a database cannot be read, the others are copied nevertheless, and the backup contains the database's
/// bytes in a file that ends with `.sqlite.damaged`, and all its asset files. A backup without a readable
/// `directory.sqlite`, which contains the accounts and schemas, cannot be restored.
public struct DataBackup: Hashable, Sendable {
    /// The number of copied databases, without `telemetry.sqlite`.
    public private(set) var databases = 0
    /// The number of copied asset files.
    public private(set) var files = 0
    /// The number of copied bytes.
    public private(set) var bytes: Int64 = 0
    /// Files to which records refer, but which do not exist.
    public private(set) var missing: [String] = []
    /// Databases and asset files that were already damaged before the copy, each with the fault.
    public private(set) var damaged: [String] = []

    /// Copies the data of a server, which may be running, into a new folder.
    ///
    /// The new folder gets its name only when the copy is complete.
    ///
    /// - Throws: `ServerError` if the folder contains no data, if its records are in PostgreSQL or its files
    ///   in an object store, if the new folder exists already, or if a copy fails.
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
    /// - Parameter withDamage: Whether to restore a damaged backup too, without the databases that cannot be
    ///   read or cannot begin a new epoch. The report then lists the missing and damaged files.
    /// - Throws: The errors of `make`, and `ServerError` for a backup that is damaged or was written by a
    ///   newer version.
    @discardableResult
    public static func restore(
        _ backup: URL, to data: URL, withDamage: Bool = false
    ) throws -> DataBackup {
        return try copy(backup, to: data, isRunning: false) { partial, report in
            try report.beginEpoch(in: partial)
            // The copy has read the files already.
            let findings = DataCheck(of: partial).findings.filter { $0.isProblem }
            let problems = findings.map { "\($0.subject): \($0.text)" } + report.damaged
            if let first = problems.first, !withDamage {
                throw ServerError(
                    .databaseUnusable,
                    "the backup \(backup.path) is damaged (\(problems.count) "
                        + (problems.count == 1 ? "finding" : "findings") + "): \(first)",
                    nextStep: "use another backup, or take it as it is with: cloudlet restore --with-damage; "
                        + "find out more with: cloudlet doctor --deep --data \(backup.path)"
                )
            }
            report.damaged += findings.filter { !$0.isMissingFile }.map { "\($0.subject): \($0.text)" }
        }
    }

    /// Begins a new epoch in all databases. A damaged database in which that fails is removed from the copy
    /// and reported: a server that used it would assign change tags of the earlier epoch again.
    private mutating func beginEpoch(in folder: URL) throws {
        let random = RandomSource(seed: nil)
        try DataFolder.beginLaterEpoch(in: folder)
        for database in DataFolder.databases(in: folder) {
            do {
                try database.begin(DatabaseEpoch { random.bytes($0) })
            } catch {
                let reason = Self.reason(of: error)
                guard database.kind == .records, database.isDamage(error) else {
                    throw ServerError(
                        .databaseUnusable, "\(database.path) cannot be restored: \(reason)",
                        nextStep: "use another backup")
                }
                for ending in ["", "-wal", "-shm", "-journal"] {
                    try? FileManager.default.removeItem(atPath: database.file.path + ending)
                }
                try? FileManager.default.removeItem(at: database.assets.url)
                damaged.append("\(database.path): not restored: \(reason)")
            }
        }
    }

    /// The reason of an error for the operator, with the database engine's message.
    package static func reason(of error: any Error) -> String {
        switch error {
        case let error as RecordError:
            [error.reason, error.diagnosis].compactMap(\.self).joined(separator: ": ")
        case let error as POSIXError: String(cString: strerror(error.code.rawValue))
        case let error as CocoaError: error.underlying.map { reason(of: $0) } ?? error.localizedDescription
        default: "\(error)"
        }
    }

    private static func copy(
        _ source: URL, to destination: URL, isRunning: Bool,
        check: (URL, inout DataBackup) throws -> Void = { _, _ in }
    ) throws -> DataBackup {
        try checkSource(source, isBackup: !isRunning)
        if !isRunning { try DataFolder.checkReadable(source) }
        try DataFolderCheck.checkLinks(source)
        if let link = DataFolderCheck.links(in: source).first {
            throw DataFolderCheck.linked(link, in: source)
        }
        try DataFolder.checkReadableFolders(in: source)
        try checkNew(destination, besides: source)
        let place: PartialCopy
        do {
            place = try PartialCopy(of: source, besides: destination)
        } catch {
            throw failure(error, destination)
        }
        defer { place.release() }
        let partial = place.folder
        do {
            var report = DataBackup()
            let data = isRunning && DataFolder.isInUse(source) ? source : nil
            for database in DataFolder.databases(in: source) {
                try report.copy(database, to: partial, isRunning: isRunning, holdingIn: data)
            }
            try report.copyUnreadable(of: source, to: partial, isKept: isRunning)
            try Data("\(DataFolder.format)\n".utf8).write(to: partial.appendingPathComponent("format"))
            if isRunning {
                let mark = partial.appendingPathComponent(DataFolder.backupMark)
                try Data("restore it with: cloudlet restore\n".utf8).write(to: mark)
            }
            try check(partial, &report)
            if isRunning { report.findDamage(in: partial) }
            report.count(partial)
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

    private static func failure(_ error: any Error, _ destination: URL) -> ServerError {
        ServerError(
            .folderUnusable, "the data could not be copied to \(destination.path): \(reason(of: error))",
            nextStep: "check that the disk has space, and that the user "
                + "\(FolderPrivacy.userName(geteuid())) may write the folder around it")
    }

    private static func makeFolder(_ folder: URL) throws {
        try DurableFiles.makeFolder(folder, isFlushed: false)
    }

    /// Copies a database, then the files to which the copy refers. A database that was never used is left
    /// out.
    ///
    /// A running server may delete a file between the two, so the files get links before the database is
    /// copied. A file that is added and deleted in between has no link. Its record is then deleted too, so
    /// the database is copied again, at most five times in all. A file that is still missing then was missing
    /// before.
    ///
    /// - Parameter data: The folder of the running server; nil if no server uses it.
    private mutating func copy(
        _ database: DatabaseFile, to folder: URL, isRunning: Bool, holdingIn data: URL?
    ) throws {
        let target = DatabaseFile(
            kind: database.kind, file: folder.appendingPathComponent(database.path), path: database.path)
        try Self.makeFolder(target.file.deletingLastPathComponent())
        let held = database.kind == .records ? data.flatMap { HeldFiles(in: $0) } : nil
        defer { held?.release() }
        var missingChecksums: [String] = []
        for _ in 1...(isRunning ? 5 : 1) {
            try? FileManager.default.removeItem(at: target.file)
            // The container or person may have been deleted since the databases were listed.
            if access(database.file.path, F_OK) != 0, errno == ENOENT { return }
            held?.hold(database.assets.files())
            let owned: Set<String>
            do {
                if try database.isUnused() { return }
                owned = try Self.copyContent(of: database, to: target)
            } catch {
                return try copyUnreadable(database, to: target, isKept: isRunning, because: error)
            }
            missingChecksums = try copyFiles(owned, from: database, to: target, held)
            if missingChecksums.isEmpty { break }
        }
        missing += missingChecksums.map { "\(database.path): \($0)" }
    }

    /// Copies the state of a database at one moment. Returns the checksums of the files to which it refers.
    private static func copyContent(
        of database: DatabaseFile, to target: DatabaseFile
    ) throws -> Set<String> {
        let source = try SQLiteFile(database.file)
        try source.copy(to: target.file)
        try source.close()
        guard database.kind == .records else { return [] }
        let copy = try RecordFile(target.file)
        defer { try? copy.close() }
        return try copy.ownedAssets()
    }

    /// Reports a database that cannot be read.
    ///
    /// - Parameter isKept: Whether to copy its bytes and all its files.
    /// - Throws: `ServerError` if it is not damaged, or if it is the directory of a backup to restore.
    private mutating func copyUnreadable(
        _ database: DatabaseFile, to target: DatabaseFile, isKept: Bool, because error: any Error
    ) throws {
        let reason = Self.reason(of: error)
        // Damaged counts of requests must not prevent a backup.
        if database.kind == .telemetry {
            try? FileManager.default.removeItem(at: target.file)
            return damaged.append("\(database.path): not copied: \(reason)")
        }
        guard isKept || database.kind == .records, database.isDamage(error) else {
            throw ServerError(
                .databaseUnusable, "\(database.path) cannot be copied: \(reason)",
                nextStep: "find out more with: cloudlet doctor")
        }
        for ending in ["", "-wal", "-shm", "-journal"] {
            try? FileManager.default.removeItem(atPath: target.file.path + ending)
        }
        damaged.append("\(database.path): cannot be read: \(reason)")
        guard isKept else { return }
        let copy = String(target.file.path.dropLast(".sqlite".count)) + DataFolder.unreadableEnding
        try Self.copyBytes(of: database.file, to: URL(fileURLWithPath: copy))
        _ = try copyFiles(Set(database.assets.files().keys), from: database, to: target, nil)
    }

    /// Reports the databases that an earlier backup could not read.
    ///
    /// - Parameter isKept: Whether to copy their bytes and files.
    private mutating func copyUnreadable(of source: URL, to folder: URL, isKept: Bool) throws {
        for path in DataFolder.unreadableDatabases(in: source) {
            damaged.append("\(path): could not be read when the backup was made")
            if !isKept { continue }
            func database(in folder: URL) -> DatabaseFile {
                let name = String(path.dropLast(DataFolder.unreadableEnding.count)) + ".sqlite"
                return DatabaseFile(kind: .records, file: folder.appendingPathComponent(name), path: name)
            }
            let (from, to) = (database(in: source), database(in: folder))
            try Self.makeFolder(to.file.deletingLastPathComponent())
            try Self.copyBytes(
                of: source.appendingPathComponent(path), to: folder.appendingPathComponent(path))
            _ = try copyFiles(Set(from.assets.files().keys), from: from, to: to, nil)
        }
    }

    /// Copies a database file and its log byte for byte. A file that the disk cannot read is left out.
    private static func copyBytes(of file: URL, to target: URL) throws {
        for ending in ["", "-wal"] {
            let from = URL(fileURLWithPath: file.path + ending)
            let to = URL(fileURLWithPath: target.path + ending)
            guard FileManager.default.fileExists(atPath: from.path) else { continue }
            do {
                try FileManager.default.copyItem(at: from, to: to)
            } catch {
                try? FileManager.default.removeItem(at: to)
                if isReadable(from) { throw error }
            }
        }
    }

    private static func isReadable(_ file: URL) -> Bool {
        guard let handle = try? FileHandle(forReadingFrom: file) else { return false }
        defer { try? handle.close() }
        do {
            while let part = try handle.read(upToCount: 1 << 20), !part.isEmpty {}
            return true
        } catch {
            return false
        }
    }

    /// Counts the databases and files of the copy.
    private mutating func count(_ folder: URL) {
        for database in DataFolder.databases(in: folder) {
            bytes += Self.size(of: database.file)
            databases += database.kind == .telemetry ? 0 : 1
            for file in database.assets.files().values {
                files += 1
                bytes += Self.size(of: file)
            }
        }
    }

    private mutating func findDamage(in folder: URL) {
        let findings = DataCheck(of: folder).findings
        // Missing files are listed in `missing`, and databases that could not be read already in `damaged`.
        let known = damaged
        damaged += findings.filter { finding in
            finding.isProblem && finding.subject.hasSuffix(".sqlite")
                && !known.contains { $0.hasPrefix(finding.subject + ": ") }
        }.map { "\($0.subject): \($0.text)" }
    }

    /// Copies these asset files of a database, and reports those that do not match their checksums. Returns
    /// the checksums of missing files.
    private mutating func copyFiles(
        _ checksums: Set<String>, from database: DatabaseFile, to target: DatabaseFile, _ held: HeldFiles?
    ) throws -> [String] {
        let owned = checksums.sorted()
        // Files without a link may be deleted at any time, so they come first.
        let order = held.map { held in
            owned.filter { !held.holds($0) } + owned.filter { held.holds($0) }
        }
        var missingChecksums: [String] = []
        for checksum in order ?? owned {
            guard let from = database.assets.place(of: checksum), let to = target.assets.place(of: checksum)
            else {
                missingChecksums.append(checksum)
                continue
            }
            if FileManager.default.fileExists(atPath: to.path) { continue }
            try Self.makeFolder(to.deletingLastPathComponent())
            let places = [from, held?.place(of: checksum)].compactMap(\.self)
            if try !copyFirst(of: places, to: to, checksum, database) { missingChecksums.append(checksum) }
        }
        return missingChecksums
    }

    /// Copies the first of these files that exists, and reads the copy. Returns false if none exists.
    private mutating func copyFirst(
        of places: [URL], to target: URL, _ checksum: String, _ database: DatabaseFile
    ) throws -> Bool {
        for place in places where FileManager.default.fileExists(atPath: place.path) {
            do {
                try FileManager.default.copyItem(at: place, to: target)
                if !AssetFolder.isIntact(target, as: checksum) { note(damaged: checksum, database) }
                return true
            } catch CocoaError.fileReadNoSuchFile, CocoaError.fileNoSuchFile {
                continue
            } catch {
                // A file that cannot be read is reported as damaged, and the backup continues.
                try? FileManager.default.removeItem(at: target)
                if AssetFolder.isIntact(place, as: checksum) { throw error }
                note(damaged: checksum, database)
                return true
            }
        }
        return false
    }

    private mutating func note(damaged checksum: String, _ database: DatabaseFile) {
        let folder = String(database.path.dropLast(".sqlite".count)) + "-assets"
        let text = "\(folder): the content of the file \(checksum) is not what was uploaded"
        if !damaged.contains(text) { damaged.append(text) }
    }

    private static func size(of file: URL) -> Int64 {
        let size = try? FileManager.default.attributesOfItem(atPath: file.path)[.size] as? NSNumber
        return size?.int64Value ?? 0
    }
}
