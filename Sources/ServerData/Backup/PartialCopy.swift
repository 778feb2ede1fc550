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

/// The folder that contains a copy of a server's data until the copy is complete. Its name is new, so that no
/// existing file is overwritten or removed.
///
/// The copy holds a lock on the folder. A folder without a lock was left by a killed copy. Because it
/// contains accounts and records, the next copy into the same parent folder removes it.
struct PartialCopy {
    let folder: URL
    /// The descriptor of the folder, which holds the lock.
    private let descriptor: Int32

    init(of source: URL, besides destination: URL) throws {
        let parent = destination.standardizedFileURL.deletingLastPathComponent()
        try DurableFiles.makeFolder(parent, isFlushed: false)
        Self.removeAbandoned(in: parent, except: source)
        let end = RandomSource(seed: nil).bytes(8).hexadecimal
        folder = URL(fileURLWithPath: "\(destination.standardizedFileURL.path).partial-\(end)")
        guard mkdir(folder.path, 0o700) == 0, let descriptor = HeldFiles.locked(folder) else {
            throw POSIXError(.init(rawValue: errno) ?? .EIO)
        }
        self.descriptor = descriptor
    }

    /// Removes the folders of copies that were killed. Their names alone do not suffice: the folder must
    /// belong to this user and have the layout of a data folder.
    private static func removeAbandoned(in parent: URL, except source: URL) {
        let manager = FileManager.default
        for name in (try? manager.contentsOfDirectory(atPath: parent.path)) ?? [] {
            guard name.wholeMatch(of: /.+\.partial-[0-9a-f]{16}/) != nil else { continue }
            let folder = parent.appendingPathComponent(name)
            var info = stat()
            guard folder.path != source.standardizedFileURL.path, DataFolderCheck.isFolder(folder),
                stat(folder.path, &info) == 0, info.st_uid == geteuid(),
                let entries = try? manager.contentsOfDirectory(atPath: folder.path), isCopy(entries),
                let descriptor = HeldFiles.locked(folder)
            else { continue }
            try? manager.removeItem(at: folder)
            close(descriptor)
        }
    }

    /// Whether a folder with these entries is a copy. An empty folder does not count: its copy may have just
    /// begun, and not have taken the lock yet.
    private static func isCopy(_ entries: [String]) -> Bool {
        let names: Set = ["containers", "format", "later-epoch", DataFolder.backupMark]
        return !entries.isEmpty
            && entries.allSatisfy {
                names.contains($0) || $0.hasPrefix("directory.sqlite")
                    || $0.hasPrefix(DataFolder.telemetryName)
            }
    }

    /// Releases the lock. Called once.
    func release() { close(descriptor) }
}
