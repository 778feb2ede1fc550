import Crypto
import Foundation
import Records
import Synchronization

/// The files of a replica's assets, stored next to its database.
///
/// `keep` writes a file, and the next transaction flushes it before it commits. Several files are thus
/// flushed in one transaction.
final class ReplicaFiles: Sendable {
    private let folder: URL
    /// The file system calls; nil for an in-memory replica, which flushes nothing.
    private let fileSystem: FileSystemCalls?
    private struct State {
        /// The files written since the last flush.
        var unflushed: Set<URL> = []
        /// Those of them whose flush has failed.
        var failed: Set<URL> = []
    }

    private let state = Mutex(State())

    init(_ folder: URL, fileSystem: FileSystemCalls?) {
        self.folder = folder
        self.fileSystem = fileSystem
    }

    /// Copies a file into the folder, unless a file with the same content exists.
    func keep(_ url: URL) throws -> Asset {
        try keep(try Data(contentsOf: url, options: .mappedIfSafe))
    }

    /// Writes a file with this content into the folder, unless one exists.
    func keep(_ content: Data) throws -> Asset {
        let checksum = Asset.fileChecksum(ofSHA256: SHA256.hash(data: content))
        let asset = Asset(fileChecksum: checksum, size: Int64(content.count))
        let place = location(of: asset)
        if existingFile(of: asset) == nil || state.withLock({ $0.failed.contains(place) }) {
            try FileSystemCalls.makeFolder(folder)
            try content.write(to: place, options: .atomic)
            state.withLock { _ = $0.failed.remove(place) }
        }
        // An existing file may be unflushed if the process that wrote it crashed.
        if fileSystem != nil { state.withLock { _ = $0.unflushed.insert(place) } }
        return asset
    }

    /// Flushes the files written since the last flush, then the folder. If this fails, the next transaction
    /// writes them again: a second flush can succeed without writing what the first one has failed to write.
    func flush() throws {
        guard let fileSystem else { return }
        let (kept, failed) = state.withLock { ($0.unflushed, $0.failed) }
        if kept.isEmpty { return }
        do {
            // A file that was removed is not used by any record and needs no flush.
            for file in kept where FileManager.default.fileExists(atPath: file.path) {
                if failed.contains(file) { try writeAgain(file) }
                try fileSystem.flush(file)
            }
            try fileSystem.flush(folder)
        } catch {
            state.withLock { $0.failed.formUnion(kept) }
            throw error
        }
        state.withLock { state in
            state.unflushed.subtract(kept)
            state.failed.subtract(kept)
        }
    }

    /// Replaces a file by a new one with the same content.
    private func writeAgain(_ file: URL) throws {
        let content = try Data(contentsOf: file)
        let checksum = Asset.fileChecksum(ofSHA256: SHA256.hash(data: content))
        guard file.lastPathComponent == Asset.fileName(ofChecksum: checksum) else {
            throw ReplicaError(
                .unreadableFile, file.path, "the disk has failed to store it, and its content is damaged",
                nextStep: "check the disk, then store the file again")
        }
        try content.write(to: file, options: .atomic)
    }

    /// The URL of a file; nil if it is missing or its size is wrong.
    func existingFile(of asset: Asset) -> URL? {
        let place = location(of: asset)
        let attributes = try? FileManager.default.attributesOfItem(atPath: place.path)
        let size = attributes?[.size] as? NSNumber
        let isFile = attributes?[.type] as? FileAttributeType == .typeRegular
        return isFile && size?.int64Value == asset.size ? place : nil
    }

    /// Removes all files except those with these checksums.
    func remove(except checksums: Set<String>) {
        let there = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        for name in Set(there).subtracting(checksums.map(Asset.fileName(ofChecksum:))) {
            try? FileManager.default.removeItem(at: folder.appendingPathComponent(name))
        }
    }

    private func location(of asset: Asset) -> URL {
        folder.appendingPathComponent(Asset.fileName(ofChecksum: asset.fileChecksum))
    }
}

/// The file system calls of a replica, which tests can replace to observe them or to make them fail.
struct FileSystemCalls: Sendable {
    /// Flushes the content of a file, or the names in a folder, to disk.
    var flush: @Sendable (URL) throws -> Void = { try Self.flushNow($0) }

    private static func flushNow(_ place: URL) throws {
        let descriptor = open(place.path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
    }

    /// Creates a folder and its missing parents, and flushes their names to disk. Only the user can access
    /// the new folders, whatever the umask of the process.
    static func makeFolder(_ folder: URL) throws {
        // The parents of the missing folders.
        var parents: [URL] = []
        var place = folder.standardizedFileURL
        while place.path != "/", !FileManager.default.fileExists(atPath: place.path) {
            parents.append(place.deletingLastPathComponent())
            place.deleteLastPathComponent()
        }
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        for parent in parents.reversed() { try flushNow(parent) }
    }

    /// Creates the file of a database if it is missing, and removes the access of other users to it, to the
    /// files that SQLite keeps beside it, and to the folder of asset files.
    ///
    /// SQLite creates the files beside the database with the same permissions. Failures are ignored: the file
    /// system may not support permissions, and SQLite reports a file that cannot be created.
    static func restrictAccess(toDatabase database: URL, files: URL) {
        let descriptor = open(database.path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        if descriptor >= 0 {
            close(descriptor)
        } else {
            // Uses names, because closing a descriptor of the file would release the locks of SQLite in this
            // process.
            for end in ["", "-wal", "-shm"] { _ = chmod(database.path + end, 0o600) }
        }
        _ = chmod(files.path, 0o700)
    }
}
