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
/// The links are in a folder of their own within the folder for deleted databases, and the backup holds a
/// lock on it. A folder without a lock was left by a killed backup. The next backup removes it, and so does a
/// server that starts; until then its links keep files on the disk that people have deleted.
struct HeldFiles {
    private let folder: URL
    /// The descriptor of the folder, which holds the lock.
    private let descriptor: Int32

    /// Creates the folder of the links; nil if that fails, for example in a folder that may only be read.
    ///
    /// nil also in a data folder of another user, unless this user is root: that user's server could not use
    /// the folder `removed` if this user created it. Root gives the folders to that user.
    init?(in data: URL) {
        var info = stat()
        guard stat(data.path, &info) == 0, info.st_uid == geteuid() || geteuid() == 0 else { return nil }
        let bin = data.appendingPathComponent(DataFolder.binName)
        for abandoned in Self.abandoned(in: bin) { try? FileManager.default.removeItem(at: abandoned) }
        guard let (folder, descriptor) = Self.makeFolder(in: bin, for: info) else { return nil }
        self.folder = folder
        self.descriptor = descriptor
    }

    /// Creates the folder of the links and takes its lock. Another backup may remove the folder before that;
    /// then a new one is created.
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
        // By its descriptor, because that user could replace the path by a link meanwhile.
        let descriptor = open(folder.path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        return fchown(descriptor, owner.st_uid, owner.st_gid) == 0
    }

    private static let prefix = "backup-"

    /// Whether a folder has the links of a backup that still runs.
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

    /// The descriptor of a folder, with a lock; nil if another process holds the lock.
    static func locked(_ folder: URL) -> Int32? {
        let descriptor = open(folder.path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return descriptor }
        close(descriptor)
        return nil
    }

    /// Links the files that exist now. Those that have a link keep it.
    func hold(_ files: [String: URL]) {
        // A file without a link is copied from its own place, if it is still there.
        for (checksum, file) in files { _ = link(file.path, place(of: checksum).path) }
    }

    /// The link to a file, whether it exists or not.
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
