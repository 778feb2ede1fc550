import AssetStore
import Foundation
import Records

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Hard links to the files of a running server's database. A file that the server deletes during a backup can
/// be copied from its link.
///
/// The links are in a new folder `removed/backup-…`, on which the backup holds a lock. A folder without a
/// lock was left by a killed backup, and its links keep deleted files on the disk. The next backup removes
/// it, and so does a server when it starts.
struct HeldFiles {
    private let folder: URL
    /// The descriptor of the folder, which holds the lock.
    private let descriptor: Int32

    /// Creates the folder of the links; nil if that fails, for example in a read-only data folder.
    ///
    /// Also nil if the data folder belongs to another user, whose server could not use a folder `removed` of
    /// this user. But root creates the folders, and makes that user their owner.
    init?(in data: URL) {
        var info = stat()
        guard stat(data.path, &info) == 0, info.st_uid == geteuid() || geteuid() == 0 else { return nil }
        let bin = data.appendingPathComponent(DataFolder.removedName)
        for abandoned in Self.abandoned(in: bin) { try? FileManager.default.removeItem(at: abandoned) }
        guard let (folder, descriptor) = Self.makeFolder(in: bin, for: info) else { return nil }
        self.folder = folder
        self.descriptor = descriptor
    }

    /// Creates the folder of the links and takes its lock. If another backup removes the folder before it is
    /// locked, tries again, at most five times.
    private static func makeFolder(in bin: URL, for owner: stat) -> (URL, Int32)? {
        for _ in 1...5 {
            let folder = bin.appendingPathComponent(prefix + RandomSource(seed: nil).bytes(8).hexadecimal)
            do { try DurableFiles.makeFolder(folder, isFlushed: false) } catch { return nil }
            guard changeOwner(bin, to: owner), changeOwner(folder, to: owner), let descriptor = locked(folder)
            else {
                continue
            }
            if access(folder.path, F_OK) == 0 { return (folder, descriptor) }
            close(descriptor)
        }
        return nil
    }

    /// Makes the owner of the data folder the owner of a folder in it. Returns false if that fails.
    private static func changeOwner(_ folder: URL, to owner: stat) -> Bool {
        if owner.st_uid == geteuid() { return true }
        // Uses the descriptor, because that user could replace the path by a link meanwhile.
        let descriptor = open(folder.path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        return fchown(descriptor, owner.st_uid, owner.st_gid) == 0
    }

    private static let prefix = "backup-"

    /// Whether a folder contains the links of a backup that still runs.
    static func isInUse(_ folder: URL) -> Bool {
        guard folder.lastPathComponent.hasPrefix(prefix) else { return false }
        guard let descriptor = locked(folder) else { return true }
        close(descriptor)
        return false
    }

    /// The folders with the links of backups that were killed.
    static func abandoned(in bin: URL) -> [URL] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: bin.path)) ?? []
        return names.filter { $0.hasPrefix(prefix) }.map { bin.appendingPathComponent($0) }
            .filter { !isInUse($0) }
    }

    /// Opens a folder and locks it. Returns its descriptor; nil if another process holds the lock, or if the
    /// folder cannot be opened.
    static func locked(_ folder: URL) -> Int32? {
        let descriptor = open(folder.path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return descriptor }
        close(descriptor)
        return nil
    }

    /// Adds links to these files, unless they have one.
    func hold(_ files: [String: URL]) {
        // A file without a link is copied from its own place, if it is still there.
        for (checksum, file) in files { _ = link(file.path, place(of: checksum).path) }
    }

    /// The path of the link to a file, whether it exists or not.
    func place(of fileChecksum: String) -> URL {
        folder.appendingPathComponent(Asset.fileName(ofChecksum: fileChecksum))
    }

    /// Whether a file has a link.
    func holds(_ fileChecksum: String) -> Bool {
        FileManager.default.fileExists(atPath: place(of: fileChecksum).path)
    }

    /// Removes the links and releases the lock. Called once.
    func release() {
        try? FileManager.default.removeItem(at: folder)
        close(descriptor)
    }
}
