import AssetStore
import DirectorySQLite
public import Foundation
import RecordStoreSQLite
import RecordsWire
import SQLiteSupport

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The result of checking a data folder, which a server may be using. Checking changes nothing.
public struct DataCheck: Sendable {
    /// One finding of the check.
    public struct Finding: Hashable, Sendable {
        /// Whether data is lost or at risk; other findings are for information.
        public let isProblem: Bool
        /// The path of the file or folder, relative to the data folder.
        public let subject: String
        /// The problem or information.
        public let text: String
        /// The recommended action.
        public let nextStep: String
        /// Whether a file to which records refer does not exist.
        var isMissingFile = false
    }

    /// The findings, problems first.
    public private(set) var findings: [Finding] = []
    /// The number of checked databases.
    public private(set) var databases = 0
    /// The number of checked asset files.
    public private(set) var files = 0
    /// Whether a server is using the folder.
    public let isInUse: Bool

    private let folder: URL

    /// Checks a data folder.
    ///
    /// - Parameter readsFiles: Whether to compare the content of each asset file with its checksum, which
    ///   reads all files.
    public init(of folder: URL, readsFiles: Bool = false) {
        self.folder = folder.standardizedFileURL
        isInUse = DataFolder.isInUse(folder)
        if FileManager.default.fileExists(atPath: folder.path), access(folder.path, R_OK | X_OK) != 0 {
            problem(".", "this user has no access to \(folder.path)", Self.asOwner(folder))
            return
        }
        let directory = folder.appendingPathComponent("directory.sqlite")
        let mark = DataFolder.mark(of: folder)
        if mark != DataFolder.nodeMark, !FileManager.default.fileExists(atPath: directory.path) {
            if mark == nil, DataFolder.databases(in: folder).isEmpty {
                problem(
                    "directory.sqlite", "there is no server's data in \(folder.path)",
                    "name the folder that the server uses with --data")
                return
            }
            problem(
                "directory.sqlite", "it is missing, and with it the accounts and schemas",
                "restore a backup into a new folder: cloudlet restore BACKUP --data NEW")
        }
        do throws(ServerError) {
            try DataFolderCheck.checkLinks(folder)
        } catch {
            problem(".", error.reason, error.nextStep)
            return
        }
        checkFolder()
        let links = DataFolderCheck.links(in: folder)
        for link in links {
            let kind = DataFolderCheck.kindName(of: link, in: folder)
            problem(link, "it is \(kind), so no database was checked", DataFolderCheck.linkRemedy)
        }
        if links.isEmpty {
            for database in DataFolder.databases(in: folder) { check(database, readsFiles: readsFiles) }
            checkOwners()
            for path in DataFolder.unreadableDatabases(in: folder) {
                problem(
                    path, "this database could not be read when it was copied, so restore leaves it out",
                    "use an older backup, or try to recover it: sqlite3 \(path) .recover")
            }
        }
        sort()
    }

    private mutating func sort() {
        let problems = findings.filter(\.isProblem)
        findings = problems + findings.filter { !$0.isProblem }
    }

    /// Adds a finding of the caller: for information, or a problem.
    public mutating func note(
        _ subject: String, _ text: String, nextStep: String, isProblem: Bool = false
    ) {
        findings.append(Finding(isProblem: isProblem, subject: subject, text: text, nextStep: nextStep))
        if isProblem { sort() }
    }

    private mutating func problem(
        _ subject: String, _ text: String, _ nextStep: String, isMissingFile: Bool = false
    ) {
        findings.append(
            Finding(
                isProblem: true, subject: subject, text: text, nextStep: nextStep,
                isMissingFile: isMissingFile))
    }

    // MARK: The folder

    private mutating func checkFolder() {
        do throws(ServerError) {
            try DataFolder.checkReadable(folder)
        } catch {
            problem("format", error.reason, error.nextStep)
        }
        if access(folder.path, R_OK | W_OK | X_OK) != 0 {
            problem(
                ".", "this user may not write the folder", Self.asOwner(folder))
        }
        if let room = DiskRoom(of: folder) { check(room) }
        switch FolderPrivacy(of: folder) {
        case .ownerOnly: break
        case .readableByOthers:
            note(
                ".", "other users of this machine have access to it",
                nextStep: "chmod 700 \(folder.path), or start the server, which does that too")
        case .foreign(let owner):
            note(
                ".",
                "it belongs to the user \(FolderPrivacy.userName(owner)), so a running server is not asked",
                nextStep: FolderPrivacy.nextStep(owner))
            if mode(of: folder) & 0o077 != 0 {
                problem(".", "other users of this machine have access to it", "chmod 700 \(folder.path)")
            }
        }
        let key = folder.appendingPathComponent("operator.key")
        if FileManager.default.fileExists(atPath: key.path), mode(of: key) & 0o077 != 0 {
            problem(
                "operator.key", "other users of this machine may read it, and so act as the operator",
                "chmod 600 \(key.path); if somebody may have read it: delete it, and start the server again")
        }
        if let mark = DataFolder.mark(of: folder) {
            let content = mark == DataFolder.nodeMark ? "records and accounts" : "records"
            note(
                mark, "the \(content) are in PostgreSQL and were not checked",
                nextStep: "check them with the tools of PostgreSQL, such as pg_amcheck")
        }
        if DataFolder.keepsAssetsInObjectStore(folder) {
            note(
                DataFolder.assetMark, "the files of assets are in an object store and were not checked",
                nextStep: "the server checks each file before it sends it")
        }
        let bin = folder.appendingPathComponent(DataFolder.removedName)
        let remaining = (try? FileManager.default.contentsOfDirectory(atPath: bin.path)) ?? []
        if !isInUse, !remaining.isEmpty {
            note(
                DataFolder.removedName, "the files of deleted databases still exist",
                nextStep: "start the server: it first deletes them")
        } else if !HeldFiles.abandoned(in: bin).isEmpty {
            note(
                DataFolder.removedName,
                "a backup that was killed left links that keep deleted files on the disk",
                nextStep: "make a backup, or start the server again: both remove the links")
        }
    }

    /// Adds a finding if the disk of the folder is full or nearly full.
    mutating func check(_ room: DiskRoom) {
        let megabytes = "\(room.freeBytes / 1_000_000) MB"
        let free = room.totalFiles > 0 ? "\(megabytes) and \(room.freeFiles) files" : megabytes
        switch room.state {
        case .enough: break
        case .scarce:
            note(
                ".", "the disk is nearly full: \(free) are free",
                nextStep: "free space on the disk of \(folder.path) before the server refuses to save")
        case .usedUp:
            problem(
                ".", "the disk is full, so the server refuses to save",
                "free space on the disk of \(folder.path)")
        }
    }

    private static func asOwner(_ folder: URL) -> String {
        "run as the user who owns it, or: chown -R USER \(folder.path)"
    }

    private func mode(of file: URL) -> Int {
        let attributes = try? FileManager.default.attributesOfItem(atPath: file.path)
        return (attributes?[.posixPermissions] as? NSNumber)?.intValue ?? 0
    }

    // MARK: Databases

    private mutating func check(_ database: DatabaseFile, readsFiles: Bool) {
        if database.kind != .telemetry { databases += 1 }
        // SQLite opens the file for writing, even if nothing is written.
        if access(database.file.path, R_OK | W_OK) != 0 {
            problem(
                database.path, "this user may not write it, so it was not checked", Self.asOwner(folder))
            return
        }
        do {
            if try database.isUnused() {
                note(
                    database.path, "it is empty: a full disk or the server's end interrupted its creation",
                    nextStep: "leave it: the server completes it on first use")
                return
            }
            for fault in try database.faults(codec: FieldJSON()) {
                problem(database.path, fault, Self.remedy(database))
            }
            if database.kind == .records { try checkFiles(of: database, readsFiles: readsFiles) }
        } catch {
            problem(
                database.path, "it cannot be read: \(DataBackup.reason(of: error))",
                Self.remedy(database))
        }
    }

    private static func remedy(_ database: DatabaseFile) -> String {
        database.kind == .telemetry
            ? "stop the server and remove the file: it has only the counts of past requests"
            : "restore it from a backup: cloudlet restore BACKUP --data NEW"
    }

    /// Reports private databases whose owner is not in the directory, for example because an older directory
    /// was copied back.
    private mutating func checkOwners() {
        let databases = DataFolder.databases(in: folder)
        guard let directory = databases.first(where: { $0.kind == .directory }),
            let file = try? SQLiteFile(directory.file)
        else { return }
        defer { try? file.close() }
        // A directory of an older version, or a damaged one, may not have the table.
        guard let names = try? SQLiteDirectory.userRecordNames(in: file) else { return }
        for database in databases {
            guard database.file.deletingLastPathComponent().lastPathComponent == "private" else { continue }
            let owner = DataFolder.name(ofDatabase: database.file.lastPathComponent)
            // A running server may have deleted the database since then, with its owner.
            if let owner, names.contains(owner) || (try? database.isUnused()) != false { continue }
            note(
                database.path, "it has no owner: directory.sqlite does not contain the person",
                nextStep: "restore a backup whose directory.sqlite contains the person, or leave it")
        }
    }

    private mutating func checkFiles(of database: DatabaseFile, readsFiles: Bool) throws {
        if DataFolder.keepsAssetsInObjectStore(folder) { return }
        let file = try RecordFile(database.file)
        defer { try? file.close() }
        let existing = database.assets.files()
        let owned = try file.ownedAssets()
        let folder = String(database.path.dropLast(".sqlite".count)) + "-assets"
        files += existing.count
        for checksum in owned.sorted() {
            guard let place = existing[checksum] else {
                // A running server may have deleted the file since then, with its record.
                if isInUse, try !file.ownedAssets().contains(checksum) { continue }
                problem(
                    folder, "the file \(checksum) that records name is missing",
                    "restore the folder from a backup, or save these records again with their file",
                    isMissingFile: true)
                continue
            }
            if readsFiles, !AssetFolder.isIntact(place, as: checksum) {
                problem(
                    folder, "the content of the file \(checksum) is not what was uploaded",
                    "replace \(place.path) from a backup")
            }
        }
        // While a server runs, files are added and removed.
        if isInUse { return }
        let surplus = Set(existing.keys).subtracting(owned).subtracting(try file.releasedAssets())
        if !surplus.isEmpty {
            note(
                folder, "\(surplus.count) files belong to no record",
                nextStep: "leave them: they only take space, and a backup does not copy them")
        }
    }
}
