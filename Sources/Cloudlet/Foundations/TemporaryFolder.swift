import Foundation

/// Folders of processes for what they download, of which those go whose process has ended.
///
/// A process holds the lock of its folder as long as it lives, which the system lets go however it ends: so a
/// folder whose lock can be taken belongs to nobody. The mark tells it from one that is being claimed at this
/// moment, and from folders that are not ours. A process number tells nothing: it is used again, and means
/// another process in another container.
enum TemporaryFolder {
    private static let prefix = "cloudlet-assets-"
    private static let lockName = "cloudlet.lock"
    private static let markName = "cloudlet.temporary"
    /// How many processes of one number may live side by side, each in a container of its own.
    private static let namesakes = 100

    /// A folder that is this process's own while it lives, after those of processes that ended have gone. Nil
    /// where no folder can be made.
    static func claim(in place: URL, process: Int32) -> URL? {
        sweep(place)
        for number in 0..<namesakes {
            let name = prefix + "\(process)" + (number == 0 ? "" : "-\(number)")
            let folder = place.appendingPathComponent(name, isDirectory: true)
            if lock(folder) { return folder }
        }
        return nil
    }

    /// Removes the folders of processes that have ended.
    private static func sweep(_ place: URL) {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: place.path)) ?? []
        for name in names where name.hasPrefix(prefix) {
            let folder = place.appendingPathComponent(name)
            let descriptor = open(folder.appendingPathComponent(lockName).path, O_RDWR | O_CLOEXEC)
            guard descriptor >= 0 else { continue }
            defer { close(descriptor) }
            let mark = folder.appendingPathComponent(markName).path
            guard FileManager.default.fileExists(atPath: mark), flock(descriptor, LOCK_EX | LOCK_NB) == 0
            else { continue }
            try? FileManager.default.removeItem(at: folder)
        }
    }

    /// Makes a new folder and holds its lock until the process ends.
    private static func lock(_ folder: URL) -> Bool {
        let attributes: [FileAttributeKey: Any] = [.posixPermissions: 0o700]
        do {
            try FileManager.default.createDirectory(
                at: folder, withIntermediateDirectories: false, attributes: attributes)
        } catch {
            return false
        }
        let path = folder.appendingPathComponent(lockName).path
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return false }
        let mark = folder.appendingPathComponent(markName).path
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0,
            FileManager.default.createFile(atPath: mark, contents: nil)
        else {
            close(descriptor)
            return false
        }
        return true
    }
}
