import AssetStore
package import Foundation
package import Records
import RecordsWire
import SQLiteSupport
import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The folder with all data of a server.
///
/// ```
/// cloudlet.lock                                      locked while a server uses the folder
/// operator.key                                       key of the operator's calls, readable by its owner only
/// server.json                                        URL, certificate, process ID of the running server
/// format                                             version of this layout
/// directory.sqlite                                   accounts, sessions, schemas
/// telemetry.sqlite                                   counts of requests; no other data depends on them
/// removed/                                           deleted databases until their files are removed
/// later-epoch                                        exists after databases were restored or removed
/// records-in-postgresql                              exists if PostgreSQL keeps the records; format is 2
/// data-in-postgresql                                 exists if it keeps the accounts, too; format is 3
/// assets-in-object-store                             exists if an object store keeps the files; format is 3
/// reserve                                            keeps room for deletions on a full disk
/// cloudlet.backup                                    exists in a backup, which no server uses
/// unfinished-copy                                    exists until `cloudlet migrate` has copied everything
/// data-moved                                         exists after it has moved the data to another place
/// ephemeral                                          exists in the temporary folder of an ephemeral server
/// containers/<container>/<environment>/public.sqlite      the public database
/// containers/<container>/<environment>/public-assets/     its files
/// containers/<container>/<environment>/private/<person>.sqlite, <person>-assets/
/// ```
package final class DataFolder: Sendable {
    package let url: URL
    package let isTemporary: Bool
    /// Whether other users of the machine could read the folder before it was opened here.
    package let wasOpenToOthers: Bool
    /// The descriptors with the locks; empty after `release`.
    private let locks: Mutex<[Int32]>
    /// Measures the free room on a disk. Tests replace it, because they cannot fill a disk.
    let roomMeter = Mutex<@Sendable (URL) -> DiskRoom?>({ DiskRoom(of: $0) })

    /// Creates the folder if necessary and takes its lock.
    package convenience init(_ folder: URL) throws {
        try self.init(folder.standardizedFileURL, isTemporary: false)
    }

    /// Opens or creates a folder to which the data of another place are copied (`FolderPlace`).
    convenience init(copyingTo folder: URL) throws {
        try self.init(folder.standardizedFileURL, isTemporary: false, for: .copyingTo)
    }

    /// Opens a folder whose data are copied to another place (`FolderPlace`).
    convenience init(movingFrom folder: URL) throws {
        try self.init(folder.standardizedFileURL, isTemporary: false, for: .movingFrom)
    }

    /// Creates a temporary folder, which `release` deletes, and takes its lock.
    package convenience init(temporaryNamed name: String) throws {
        let place = FileManager.default.temporaryDirectory
        Self.sweep(place)
        try self.init(place.appendingPathComponent(Self.prefix + name), isTemporary: true)
    }

    /// Why a folder is opened.
    private enum Purpose { case serving, copyingTo, movingFrom }

    private init(_ url: URL, isTemporary: Bool, for purpose: Purpose = .serving) throws {
        self.url = url
        self.isTemporary = isTemporary
        do {
            // The folder is created for its owner only.
            try DurableFiles.makeFolder(url, isFlushed: !isTemporary)
        } catch {
            throw ServerError(
                .folderUnusable, "the data folder \(url.path) cannot be created: \(error)",
                nextStep: "choose a folder that can be written"
            )
        }
        try FolderPrivacy.checkOwner(of: url)
        try DataFolderCheck.check(url)
        try Self.refuseBackup(url)
        if purpose != .copyingTo { try Self.refuseUnfinishedCopy(url) }
        if purpose == .serving { try Self.refuseMovedData(url) }
        try Self.checkDirectory(of: url)
        wasOpenToOthers = try FolderPrivacy.close(url)
        let descriptors = try Self.takeLocks(in: url)
        locks = Mutex(descriptors)
        do {
            if isTemporary { try Data().write(to: url.appendingPathComponent(Self.mark)) }
            try Self.checkFormat(of: url)
            operatorFiles.withdraw()
            emptyRemoved()
            keepReserve()
        } catch {
            for descriptor in descriptors { close(descriptor) }
            throw error
        }
    }

    private static let prefix = "cloudlet-"

    /// Removes the temporary folders of servers that were killed.
    ///
    /// Removes only folders with the mark of a temporary folder, so that permanent data is never deleted. A
    /// running server holds the lock, and the mark is written after the lock was taken.
    static func sweep(_ place: URL) {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: place.path)) ?? []
        for name in names where name.hasPrefix(prefix) {
            let folder = place.appendingPathComponent(name)
            guard let descriptor = try? OwnedFile.open(folder.appendingPathComponent(lockName), O_RDWR)
            else { continue }
            let mark = folder.appendingPathComponent(mark).path
            if FileManager.default.fileExists(atPath: mark), flock(descriptor, LOCK_EX | LOCK_NB) == 0 {
                try? FileManager.default.removeItem(at: folder)
            }
            close(descriptor)
        }
    }

    /// The name of the file that marks a backup.
    static let backupMark = "cloudlet.backup"

    /// Throws for a backup. Only `DataBackup.restore` begins a new epoch. Without a new epoch, the server
    /// would accept change tokens from after the backup, and clients would miss changes.
    private static func refuseBackup(_ folder: URL) throws(ServerError) {
        guard DataFolderCheck.isRegularFile(folder.appendingPathComponent(backupMark)) else { return }
        throw ServerError(
            .folderUnusable, "the data folder \(folder.path) is a backup",
            nextStep: "restore it into a new folder: cloudlet restore \(folder.path) --data NEW")
    }

    /// Throws for a folder with databases but without accounts. With a new directory, all people would get
    /// new user record names, and the private databases would belong to nobody.
    static func checkDirectory(of folder: URL) throws(ServerError) {
        if hasDirectory(folder) { return }
        guard databases(in: folder).contains(where: { $0.kind == .records }) || mark(of: folder) == engineMark
        else { return }
        throw ServerError(
            .folderUnusable,
            "directory.sqlite is missing in the data folder \(folder.path), which contains databases",
            nextStep: "restore a backup into a new folder: cloudlet restore BACKUP --data NEW; or, to begin "
                + "without data, move the folder containers away")
    }

    /// Whether a folder has accounts.
    static func hasDirectory(_ folder: URL) -> Bool {
        let directory = folder.appendingPathComponent("directory.sqlite")
        let attributes = try? FileManager.default.attributesOfItem(atPath: directory.path)
        // If the file's creation is interrupted, for example by a full disk, it is empty.
        return (attributes?[.size] as? NSNumber).map { $0.int64Value > 0 } ?? false
    }

    private static let lockName = "cloudlet.lock"
    private static let mark = "ephemeral"

    /// The version of the folder's layout. It is incremented with every change that an older server cannot
    /// read.
    package static let format = 1

    /// The newest version of the layout that this version of the program reads.
    package static var newestFormat: Int { max(format, nodeFormat, assetFormat) }

    /// Checks the version of a folder's layout, and writes it into a folder without one: a new folder, or one
    /// of the first version, which wrote none.
    private static func checkFormat(of folder: URL) throws(ServerError) {
        let file = folder.appendingPathComponent("format")
        if try checkReadable(folder) { return }
        do {
            try DurableFiles.write("\(format)\n", to: file)
        } catch {
            throw ServerError(
                .folderUnusable, "the data folder \(folder.path) cannot be written",
                nextStep: "check its permissions, or choose another folder"
            )
        }
    }

    /// Throws unless this version can read the folder. Returns whether the folder contains a version.
    @discardableResult
    static func checkReadable(_ folder: URL) throws(ServerError) -> Bool {
        let file = folder.appendingPathComponent("format")
        let text: String
        do throws(OwnedFile.Failure) {
            text = try OwnedFile.text(of: file, allowsOtherOwners: true)
        } catch {
            if error == .missing { return false }
            throw ServerError(
                .folderUnusable, "\(file.path) cannot be read, or is a link",
                nextStep: "check its permissions, or choose another folder")
        }
        let number = Int(text.trimmingCharacters(in: .whitespacesAndNewlines))
        if let number, number <= newestFormat { return true }
        throw ServerError(
            .folderTooNew,
            "the data folder \(folder.path) has format \(number.map(String.init) ?? "unknown"), and this "
                + "version reads \(newestFormat) at most",
            nextStep: "use the version that wrote it or a later one, or choose another folder"
        )
    }

    /// Whether a server uses a folder now.
    static func isInUse(_ folder: URL) -> Bool {
        let file = folder.appendingPathComponent(lockName)
        let descriptors = [
            try? OwnedFile.open(file, O_RDONLY, allowsOtherOwners: true), descriptor(of: folder),
        ]
        defer { for descriptor in descriptors.compactMap(\.self) { close(descriptor) } }
        return descriptors.compactMap(\.self).contains {
            flock($0, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK
        }
    }

    private static func descriptor(of folder: URL) -> Int32? {
        let descriptor = open(folder.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        return descriptor >= 0 ? descriptor : nil
    }

    /// Locks the lock file and the folder itself, because the file can be removed while a server holds its
    /// lock. On a file system that cannot lock folders, only the file is locked.
    private static func takeLocks(in folder: URL) throws -> [Int32] {
        let file = folder.appendingPathComponent(lockName)
        let descriptor: Int32
        do throws(OwnedFile.Failure) {
            descriptor = try OwnedFile.open(file, O_RDWR | O_CREAT)
        } catch {
            if error == .foreign {
                throw ServerError(
                    .folderUnusable, "\(file.path) is not a file of this user",
                    nextStep: OwnedFile.nextStep(folder))
            }
            throw ServerError(
                .folderUnusable, "the data folder \(folder.path) cannot be written",
                nextStep: "check its permissions, or choose another folder"
            )
        }
        var descriptors = [descriptor]
        if let place = Self.descriptor(of: folder) { descriptors.append(place) }
        for locked in descriptors where flock(locked, LOCK_EX | LOCK_NB) != 0 {
            if locked != descriptor, errno != EWOULDBLOCK { continue }
            let holder = locked == descriptor ? runningProcess(namedIn: file) : nil
            for descriptor in descriptors { close(descriptor) }
            let holderName = holder.map { "the server with process id \($0)" } ?? "another server"
            let url = OperatorFiles(folder: folder).announced.map { "use it at \($0.url.absoluteString)" }
            throw ServerError(
                .folderInUse, "the data folder \(folder.path) is in use by \(holderName)",
                nextStep: "\(url ?? "stop it"), or choose another folder"
            )
        }
        let text = Array(String(getpid()).utf8)
        _ = ftruncate(descriptor, 0)
        _ = write(descriptor, text, text.count)
        return descriptors
    }

    /// The ID of the process that a lock file names; nil if there is no such process. On a full disk, a
    /// server cannot write its ID.
    private static func runningProcess(namedIn file: URL) -> Int32? {
        guard let text = try? OwnedFile.text(of: file), let id = Int32(text), id > 0,
            kill(id, 0) == 0 || errno == EPERM
        else { return nil }
        return id
    }

    /// Releases the locks, and deletes a temporary folder.
    package func release() {
        let descriptors = locks.withLock { locks in
            defer { locks = [] }
            return locks
        }
        if descriptors.isEmpty { return }
        operatorFiles.withdraw()
        if isTemporary { try? FileManager.default.removeItem(at: url) }
        // Closing the descriptor alone is not enough: a process that is being started holds a copy of it for
        // a moment.
        for descriptor in descriptors {
            flock(descriptor, LOCK_UN)
            close(descriptor)
        }
    }

    /// Whether clients may hold change tokens of databases that were restored or removed. A new database then
    /// starts its sequence numbers far above those in such tokens (see `DatabaseEpoch`).
    var isLaterEpoch: Bool {
        FileManager.default.fileExists(atPath: url.appendingPathComponent(Self.epochMark).path)
    }

    /// Marks a folder before databases are restored or removed.
    static func beginLaterEpoch(in folder: URL) throws {
        let mark = folder.appendingPathComponent(epochMark)
        if FileManager.default.fileExists(atPath: mark.path) { return }
        try DurableFiles.write("databases were restored or removed\n", to: mark)
    }

    private static let epochMark = "later-epoch"

    /// The folder for deleted databases until their files are removed, and for the links of a running backup
    /// (`HeldFiles`).
    static let removedName = "removed"

    /// Empties the folder `removed`: completes deletions of databases that an earlier server did not finish,
    /// and removes the links of killed backups. A backup that still runs keeps its links.
    func emptyRemoved() {
        let bin = url.appendingPathComponent(Self.removedName)
        for name in (try? FileManager.default.contentsOfDirectory(atPath: bin.path)) ?? [] {
            let entry = bin.appendingPathComponent(name)
            if !HeldFiles.isInUse(entry) { try? FileManager.default.removeItem(at: entry) }
        }
        // Removes the folder if it is empty.
        _ = rmdir(bin.path)
    }

    package var operatorFiles: OperatorFiles { OperatorFiles(folder: url) }

    package var directoryFile: URL { url.appendingPathComponent("directory.sqlite") }

    /// The store of the counts of requests. Its file is created when the first counts are stored.
    package func telemetryStore(_ limits: Limits) -> SQLiteTelemetryStore {
        SQLiteTelemetryStore(
            file: url.appendingPathComponent(Self.telemetryName), isTemporary: isTemporary, limits: limits)
    }

    /// The name of the file with the counts of requests.
    static let telemetryName = "telemetry.sqlite"

    /// The folder of a container's databases in one environment.
    func place(container: String, environment: String) -> URL {
        url.appendingPathComponent("containers").appendingPathComponent(Self.fileName(for: container))
            .appendingPathComponent(environment)
    }

    /// The name from which a database's file name was derived; nil if the file is not a database.
    static func name(ofDatabase file: String) -> String? {
        guard file.hasSuffix(".sqlite") else { return nil }
        let name = String(file.dropLast(".sqlite".count))
        return fileName(for: name) == name ? name : PercentEncoding.decode(name)
    }

    /// A name as a file name. Letters, digits, dots, dashes and underscores stay; other bytes become `%` and
    /// their hexadecimal code, and so does a dot at the beginning.
    static func fileName(for name: String) -> String {
        var result = ""
        for byte in name.utf8 {
            switch byte {
            case 48...57, 65...90, 97...122, 0x2d, 0x5f: result.unicodeScalars.append(Unicode.Scalar(byte))
            case 0x2e where !result.isEmpty: result.append(".")
            default: result += "%" + String(byte, radix: 16)
            }
        }
        return result
    }
}
