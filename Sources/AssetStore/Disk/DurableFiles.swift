package import Foundation
import _NIOFileSystem

/// Creates folders and small files that only their owner can read. Each call blocks until the disk has stored
/// them (except `makeFolder` without `isFlushed`), and throws `Errno` on failure.
package enum DurableFiles {
    /// Creates a folder and its missing parents.
    ///
    /// - Parameter isFlushed: Whether the new names are flushed to disk before this returns.
    package static func makeFolder(_ folder: URL, isFlushed: Bool = true) throws {
        var missing: [FilePath] = []
        var path = FilePath(folder.standardizedFileURL.path)
        while try !Disk.isFolder(path), !path.removingLastComponent().isEmpty {
            missing.append(path)
            path = path.removingLastComponent()
        }
        for path in missing.reversed() {
            try Disk.makeFolder(path)
            if isFlushed { try Disk.synchronizeFolder(path.removingLastComponent()) }
        }
    }

    /// Flushes a folder and all its parents up to `root`, so that a power failure loses none of their names,
    /// including names that another process or thread has just created.
    package static func flush(_ folder: URL, upTo root: URL) throws {
        let top = FilePath(root.standardizedFileURL.path)
        var path = FilePath(folder.standardizedFileURL.path)
        try Disk.synchronizeFolder(path)
        while path != top, path.starts(with: top) {
            path = path.removingLastComponent()
            try Disk.synchronizeFolder(path)
        }
    }

    /// Flushes the names in a folder to disk.
    package static func flush(_ folder: URL) throws {
        try Disk.synchronizeFolder(FilePath(folder.standardizedFileURL.path))
    }

    /// Writes a file atomically. After a power failure it has either the old or the new content.
    package static func write(_ text: String, to file: URL) throws {
        let target = FilePath(file.standardizedFileURL.path)
        let partial = FilePath(target.string + ".partial")
        // An existing symbolic link with this name would redirect the write, so it is removed first.
        try Disk.remove(partial)
        let descriptor = try FileDescriptor.open(
            partial, .writeOnly, options: [.create, .exclusiveCreate, .noFollow],
            permissions: .ownerReadWrite)
        try descriptor.closeAfter {
            _ = try descriptor.writeAll(text.utf8)
            try Disk.synchronize(descriptor)
        }
        try Disk.move(partial, to: target)
        try Disk.synchronizeFolder(target.removingLastComponent())
    }
}
