import Foundation

/// Creates a temporary folder for this process's downloads, and deletes the folders of processes that have
/// ended.
///
/// A process holds the lock of its folder while it runs, and the system releases the lock however the process
/// ends: a folder whose lock can be taken belongs to no running process. The mark file distinguishes such a
/// folder from one that is being created at this moment, and from unrelated folders. A process number would
/// prove nothing: numbers are reused, and they mean different processes in different containers.
enum TemporaryFolder {
    private static let prefix = "cloudlet-assets-"
    private static let lockName = "cloudlet.lock"
    private static let markName = "cloudlet.temporary"
    /// The number of names to try. Processes in containers of their own can have the same number.
    private static let namesPerNumber = 100

    /// Deletes the folders of ended processes, then creates a folder for this process, which only its user
    /// can read.
    ///
    /// In a place that all users of the machine share, another user may have created folders with all the
    /// expected names. Then the folder has a name that nobody can predict, and so does the path that is
    /// returned if no folder can be created.
    static func claim(in place: URL, process: Int32) -> URL {
        sweep(place)
        for number in 0..<namesPerNumber {
            let name = prefix + "\(process)" + (number == 0 ? "" : "-\(number)")
            let folder = place.appendingPathComponent(name, isDirectory: true)
            if lock(folder) { return folder }
        }
        // UUID(): the name must be new in each process.
        let name = prefix + "\(process)-" + UUID().uuidString
        let folder = place.appendingPathComponent(name, isDirectory: true)
        _ = lock(folder)
        return folder
    }

    /// Deletes the folders of processes that have ended.
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

    /// Creates a new folder and locks it until the process ends. Returns whether that succeeded.
    private static func lock(_ folder: URL) -> Bool {
        guard mkdir(folder.path, 0o700) == 0 else { return false }
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
