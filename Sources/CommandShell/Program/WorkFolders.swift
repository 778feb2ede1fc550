import Foundation

#if canImport(Glibc)
import Glibc
#endif

/// The temporary folders of processes. Their names are those of the program, a random number, which nobody
/// else can guess and use before, and the process ID, separated by hyphens.
enum WorkFolders {
    static func path(of program: String, process: Int32, number: UInt64, in parent: URL) -> URL {
        parent.appendingPathComponent("\(program)-\(String(number, radix: 36))-\(process)", isDirectory: true)
    }

    /// Creates the folder with access for the current user only. Throws if the name is in use.
    static func create(_ folder: URL) throws {
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    }

    /// Deletes the folders next to `folder` whose processes have ended.
    static func sweep(beside folder: URL) {
        let files = FileManager.default
        let parent = folder.deletingLastPathComponent()
        let parts = folder.lastPathComponent.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count > 2 else { return }
        let prefix = parts.dropLast(2).joined(separator: "-") + "-"
        for name in (try? files.contentsOfDirectory(atPath: parent.path)) ?? [] where name.hasPrefix(prefix) {
            guard let process = name.split(separator: "-").last.flatMap({ pid_t($0) }),
                kill(process, 0) != 0, errno == ESRCH
            else { continue }
            try? files.removeItem(at: parent.appendingPathComponent(name))
        }
    }
}
