import Synchronization
import _NIOFileSystem

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Blocking file system calls. Most finish quickly. `synchronize` and `synchronizeFolder` wait for the disk:
/// uploads and adoptions call them on the threads of the file system library.
enum Disk {
    /// Adds a hard link `target` to `source`, and flushes its folder if `isDurable`.
    ///
    /// `source` replaces an existing `target` of another size, which is damaged. If `isIntact`, the content
    /// of `source` was verified, and it replaces any existing `target`, which may be damaged. The replacement
    /// is atomic: a reader finds the old or the new file.
    static func addName(
        _ target: FilePath, to source: FilePath, size: Int64, isIntact: Bool, isDurable: Bool
    ) throws {
        let shard = target.removingLastComponent()
        let isNewShard = try makeFolder(shard)
        if try !addName(target, to: source), isIntact || fileSize(target) != size {
            try replace(target, with: source)
        }
        guard isDurable else { return }
        try synchronizeFolder(shard)
        if isNewShard {
            try synchronizeFolder(shard.removingLastComponent())
        }
    }

    /// Serializes replacements, because two adoptions of one upload use the same temporary name.
    private static let replacing = Mutex(())

    /// Replaces `target` by a hard link to `source`. If the process crashes, the temporary name stays in
    /// `incoming/`, where `recover` removes it.
    private static func replace(_ target: FilePath, with source: FilePath) throws {
        if isSameFile(target, source) { return }
        let aside = FilePath(source.string + ".aside")
        try replacing.withLock { _ in
            try remove(aside)
            try addName(aside, to: source)
            try move(aside, to: target)
            // If both names belong to one file, a rename does nothing and leaves them.
            try remove(aside)
        }
    }

    private static func isSameFile(_ one: FilePath, _ other: FilePath) -> Bool {
        var first = stat()
        var second = stat()
        return one.withPlatformString { lstat($0, &first) } == 0
            && other.withPlatformString { lstat($0, &second) } == 0
            && first.st_dev == second.st_dev && first.st_ino == second.st_ino
    }

    static func move(_ source: FilePath, to target: FilePath) throws {
        let result = source.withPlatformString { source in
            target.withPlatformString { target in rename(source, target) }
        }
        guard result == 0 else { throw Errno(rawValue: errno) }
    }

    /// Removes a file. A missing file is not an error.
    static func remove(_ path: FilePath) throws {
        let result = path.withPlatformString { unlink($0) }
        guard result == 0 || errno == ENOENT else { throw Errno(rawValue: errno) }
    }

    /// Creates a folder that only its owner can read. Returns whether it was missing.
    @discardableResult
    static func makeFolder(_ path: FilePath) throws -> Bool {
        let result = path.withPlatformString { mkdir($0, 0o700) }
        guard result == 0 || errno == EEXIST else { throw Errno(rawValue: errno) }
        return result == 0
    }

    /// Whether the folder exists. Throws `notDirectory` if the path is something else.
    static func isFolder(_ path: FilePath) throws -> Bool {
        var status = stat()
        guard path.withPlatformString({ stat($0, &status) }) == 0 else {
            if errno == ENOENT { return false }
            throw Errno(rawValue: errno)
        }
        if status.st_mode & S_IFMT != S_IFDIR { throw Errno.notDirectory }
        return true
    }

    /// Whether the path itself is a symbolic link.
    static func isLink(_ path: FilePath) -> Bool {
        var status = stat()
        return path.withPlatformString { lstat($0, &status) } == 0 && status.st_mode & S_IFMT == S_IFLNK
    }

    /// Flushes the names in a folder to disk.
    static func synchronizeFolder(_ path: FilePath) throws {
        let folder = try FileDescriptor.open(path, .readOnly, options: .directory)
        defer { try? folder.close() }
        try synchronize(folder)
    }

    static func synchronize(_ file: FileDescriptor) throws {
        guard fsync(file.rawValue) == 0 else { throw Errno(rawValue: errno) }
    }

    /// Reads a file's attributes and the current time. The time is the file system's clock rather than the
    /// service's, because it is compared with modification times.
    static func attributes(of file: FileDescriptor) throws -> VerifiedFiles.Attributes {
        var status = stat()
        var now = timespec()
        guard fstat(file.rawValue, &status) == 0, clock_gettime(CLOCK_REALTIME, &now) == 0 else {
            throw Errno(rawValue: errno)
        }
        #if canImport(Darwin)
        let changed = status.st_mtimespec
        #else
        let changed = status.st_mtim
        #endif
        let identity = VerifiedFiles.Identity(
            number: UInt64(status.st_ino),
            size: Int64(status.st_size),
            changedAt: nanoseconds(changed)
        )
        return VerifiedFiles.Attributes(identity: identity, seenAt: nanoseconds(now))
    }

    /// Sets the modification time to one second ago. Any later write then changes the modification time, even
    /// on file systems with coarse timestamps.
    static func backdate(_ file: FileDescriptor) throws {
        var now = timespec()
        guard clock_gettime(CLOCK_REALTIME, &now) == 0 else { throw Errno(rawValue: errno) }
        now.tv_sec -= 1
        guard futimens(file.rawValue, [now, now]) == 0 else { throw Errno(rawValue: errno) }
    }

    private static func nanoseconds(_ time: timespec) -> Int64 {
        Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    /// The size of a file in bytes; nil if it does not exist.
    static func fileSize(_ path: FilePath) -> Int64? {
        var status = stat()
        let result = path.withPlatformString { lstat($0, &status) }
        return result == 0 ? Int64(status.st_size) : nil
    }

    /// Adds a hard link with an unused name. Returns false if `source` does not exist.
    static func addNewName(_ name: FilePath, to source: FilePath) throws -> Bool {
        do {
            return try addName(name, to: source)
        } catch let error as Errno where error == .noSuchFileOrDirectory {
            return false
        }
    }

    /// Adds a hard link. Returns false if the name exists.
    @discardableResult
    private static func addName(_ target: FilePath, to source: FilePath) throws -> Bool {
        let result = source.withPlatformString { source in
            target.withPlatformString { target in link(source, target) }
        }
        guard result == 0 || errno == EEXIST else { throw Errno(rawValue: errno) }
        return result == 0
    }
}
