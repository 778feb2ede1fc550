import Foundation

#if canImport(Glibc)
import Glibc
#endif

/// The temporary folders of processes. Their names end with the process ID.
enum WorkFolders {
    /// Deletes the folders next to `folder` whose processes have ended.
    static func sweep(beside folder: URL) {
        let files = FileManager.default
        let parent = folder.deletingLastPathComponent()
        guard let mark = folder.lastPathComponent.lastIndex(of: "-") else { return }
        let prefix = folder.lastPathComponent[...mark]
        for name in (try? files.contentsOfDirectory(atPath: parent.path)) ?? [] where name.hasPrefix(prefix) {
            guard let process = pid_t(name.dropFirst(prefix.count)), kill(process, 0) != 0, errno == ESRCH
            else {
                continue
            }
            try? files.removeItem(at: parent.appendingPathComponent(name))
        }
    }
}
