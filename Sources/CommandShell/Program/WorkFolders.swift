import Foundation

#if canImport(Glibc)
import Glibc
#endif

/// The temporary folders of processes. The name of a folder consists of the name of the program, a random
/// number, which nobody can guess and take in advance, and the process ID, separated by hyphens.
///
/// A process holds the lock of its folder while it runs, and the system releases the lock however the process
/// ends. Therefore a folder whose lock can be taken belongs to no running process. The process ID alone does
/// not show this, because each container of the system has process IDs of its own. The mark file
/// distinguishes such a folder from one that is being created, and from folders of other programs and people.
enum WorkFolders {
    private static let lockName = ".lock"
    private static let markName = ".temporary"
    /// The digits of the greatest random number.
    private static let digits = String(UInt64.max, radix: 36).count

    static func path(of program: String, process: Int32, number: UInt64, in parent: URL) -> URL {
        let random = String(number, radix: 36)
        let padded = String(repeating: "0", count: digits - random.count) + random
        return parent.appendingPathComponent("\(program)-\(padded)-\(process)", isDirectory: true)
    }

    /// Creates the folder with access for the current user only, and locks it. Throws if the name is in use.
    ///
    /// - Returns: The descriptor of the lock. A process leaves it open until it ends.
    @discardableResult
    static func create(_ folder: URL) throws -> Int32 {
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        let path = folder.appendingPathComponent(lockName).path
        let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        let mark = folder.appendingPathComponent(markName).path
        guard descriptor >= 0, flock(descriptor, LOCK_EX | LOCK_NB) == 0,
            FileManager.default.createFile(atPath: mark, contents: nil)
        else {
            if descriptor >= 0 { close(descriptor) }
            throw ShellError(
                code: "failed", message: "the temporary folder \(folder.path) cannot be locked",
                remedy: "check whether its disk is full, or set TMPDIR to another folder")
        }
        return descriptor
    }

    /// Deletes the program's folders next to `folder` whose processes have ended.
    static func sweep(beside folder: URL) {
        let parent = folder.deletingLastPathComponent()
        guard let program = programName(of: folder.lastPathComponent) else { return }
        let names = (try? FileManager.default.contentsOfDirectory(atPath: parent.path)) ?? []
        for name in names where programName(of: name) == program {
            let other = parent.appendingPathComponent(name, isDirectory: true)
            guard isOwn(other) else { continue }
            let lock = other.appendingPathComponent(lockName).path
            let descriptor = open(lock, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
            guard descriptor >= 0 else { continue }
            defer { close(descriptor) }
            let mark = other.appendingPathComponent(markName).path
            guard FileManager.default.fileExists(atPath: mark), flock(descriptor, LOCK_EX | LOCK_NB) == 0
            else { continue }
            try? FileManager.default.removeItem(at: other)
        }
    }

    /// The program that a temporary folder of this name belongs to; nil for another name.
    private static func programName(of name: String) -> String? {
        let parts = name.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count > 2, let process = parts.last, Int32(process) != nil,
            parts[parts.count - 2].utf8.count == digits, UInt64(parts[parts.count - 2], radix: 36) != nil
        else { return nil }
        return parts.dropLast(2).joined(separator: "-")
    }

    /// Whether this is a folder, and no link to one, that only the current user can use.
    private static func isOwn(_ folder: URL) -> Bool {
        var info = stat()
        return lstat(folder.path, &info) == 0 && info.st_mode & S_IFMT == S_IFDIR
            && info.st_mode & 0o777 == 0o700 && info.st_uid == geteuid()
    }
}
