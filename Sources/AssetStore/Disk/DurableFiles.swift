package import Foundation
import _NIOFileSystem

/// Folders and small files that are on disk when a call returns, readable for their owner alone.
///
/// Each call waits for the disk, and throws `Errno` when the disk refuses.
package enum DurableFiles {
    /// Makes a folder, and the missing ones above it.
    ///
    /// - Parameter isFlushed: Whether the new names are on disk when this returns.
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

    /// Flushes a folder and each one above it up to `root`, so that none of their names is lost: not even
    /// those that another process or thread has just made.
    package static func flush(_ folder: URL, upTo root: URL) throws {
        let top = FilePath(root.standardizedFileURL.path)
        var path = FilePath(folder.standardizedFileURL.path)
        try Disk.synchronizeFolder(path)
        while path != top, path.starts(with: top) {
            path = path.removingLastComponent()
            try Disk.synchronizeFolder(path)
        }
    }

    /// Flushes the names in a folder.
    package static func flush(_ folder: URL) throws {
        try Disk.synchronizeFolder(FilePath(folder.standardizedFileURL.path))
    }

    /// Writes a file in one step: after a loss of power the old content is there, or the new one.
    package static func write(_ text: String, to file: URL) throws {
        let target = FilePath(file.standardizedFileURL.path)
        let partial = FilePath(target.string + ".partial")
        let descriptor = try FileDescriptor.open(
            partial, .writeOnly, options: [.create, .truncate], permissions: .ownerReadWrite)
        try descriptor.closeAfter {
            _ = try descriptor.writeAll(text.utf8)
            try Disk.synchronize(descriptor)
        }
        try Disk.move(partial, to: target)
        try Disk.synchronizeFolder(target.removingLastComponent())
    }
}
