import _NIOFileSystem

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Short blocking calls. Those that wait for the disk are made on the file system library's threads.
enum Disk {
    /// Makes the second name of a file durable before it returns, if asked to.
    ///
    /// Content that is there already is the same content: it is left alone, unless its size says that it is
    /// damaged, and then the good file takes its place.
    static func addName(_ target: FilePath, to source: FilePath, size: Int64, isDurable: Bool) throws {
        let shard = target.removingLastComponent()
        let isNewShard = try makeFolder(shard)
        if try !addName(target, to: source), fileSize(target) != size {
            try remove(target)
            try addName(target, to: source)
        }
        guard isDurable else { return }
        try synchronizeFolder(shard)
        if isNewShard {
            try synchronizeFolder(shard.removingLastComponent())
        }
    }

    static func move(_ source: FilePath, to target: FilePath) throws {
        let result = source.withPlatformString { source in
            target.withPlatformString { target in rename(source, target) }
        }
        guard result == 0 else { throw Errno(rawValue: errno) }
    }

    /// Removes a name; one that is not there is fine.
    static func remove(_ path: FilePath) throws {
        let result = path.withPlatformString { unlink($0) }
        guard result == 0 || errno == ENOENT else { throw Errno(rawValue: errno) }
    }

    /// True when the folder was not there before. Nobody but the owner may look inside.
    @discardableResult
    static func makeFolder(_ path: FilePath) throws -> Bool {
        let result = path.withPlatformString { mkdir($0, 0o700) }
        guard result == 0 || errno == EEXIST else { throw Errno(rawValue: errno) }
        return result == 0
    }

    /// Whether there is a folder; throws for anything else of that name.
    static func isFolder(_ path: FilePath) throws -> Bool {
        var status = stat()
        guard path.withPlatformString({ stat($0, &status) }) == 0 else {
            if errno == ENOENT { return false }
            throw Errno(rawValue: errno)
        }
        if status.st_mode & S_IFMT != S_IFDIR { throw Errno.notDirectory }
        return true
    }

    /// Makes the names in a folder survive a loss of power.
    static func synchronizeFolder(_ path: FilePath) throws {
        let folder = try FileDescriptor.open(path, .readOnly, options: .directory)
        defer { try? folder.close() }
        try synchronize(folder)
    }

    static func synchronize(_ file: FileDescriptor) throws {
        guard fsync(file.rawValue) == 0 else { throw Errno(rawValue: errno) }
    }

    /// How a file looks now. The clock is the one that files are stamped with, not that of the service: the
    /// two times are only compared with each other.
    static func look(at file: FileDescriptor) throws -> KnownContent.Sight {
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
        let identity = KnownContent.Identity(
            number: UInt64(status.st_ino),
            size: Int64(status.st_size),
            changedAt: nanoseconds(changed)
        )
        return KnownContent.Sight(identity: identity, seenAt: nanoseconds(now))
    }

    /// Stamps a file as if it had last been written to a second ago, so that whatever is written to it from
    /// now on gives it another stamp, however coarse the stamps are.
    static func age(_ file: FileDescriptor) throws {
        var now = timespec()
        guard clock_gettime(CLOCK_REALTIME, &now) == 0 else { throw Errno(rawValue: errno) }
        now.tv_sec -= 1
        guard futimens(file.rawValue, [now, now]) == 0 else { throw Errno(rawValue: errno) }
    }

    private static func nanoseconds(_ time: timespec) -> Int64 {
        Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    /// Nil when there is no such file.
    static func fileSize(_ path: FilePath) -> Int64? {
        var status = stat()
        let result = path.withPlatformString { lstat($0, &status) }
        return result == 0 ? Int64(status.st_size) : nil
    }

    /// Gives a file another name, which is free; false when there is no such file.
    static func addNewName(_ name: FilePath, to source: FilePath) throws -> Bool {
        do {
            return try addName(name, to: source)
        } catch let error as Errno where error == .noSuchFileOrDirectory {
            return false
        }
    }

    /// False when the name is taken.
    @discardableResult
    private static func addName(_ target: FilePath, to source: FilePath) throws -> Bool {
        let result = source.withPlatformString { source in
            target.withPlatformString { target in link(source, target) }
        }
        guard result == 0 || errno == EEXIST else { throw Errno(rawValue: errno) }
        return result == 0
    }
}
