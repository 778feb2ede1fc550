import Foundation

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Opens a file only if it is a regular file of the current user with a single hard link, and no symbolic
/// link.
///
/// A data folder may come from an untrusted source, in an archive or a repository. A link in it would make
/// the server overwrite, or its tools send, a file outside of the folder.
enum OwnedFile {
    /// Why a file was not opened.
    enum Failure: Error, Equatable {
        /// There is no such file.
        case missing
        /// It is a symbolic link or no regular file, belongs to another user, or has several hard links.
        case foreign
        /// It cannot be opened.
        case unusable
    }

    /// Returns a descriptor of the file, which the caller closes. With `O_CREAT`, a missing file is created
    /// with access for its owner only.
    ///
    /// - Parameter allowsOtherOwners: Whether the file may belong to another user or have several hard links.
    ///   Only for files that are just read and are not secret.
    static func open(_ file: URL, _ flags: Int32, allowsOtherOwners: Bool = false) throws(Failure) -> Int32 {
        // Opened without blocking, since the file may be a pipe.
        let descriptor = openFile(file.path, flags | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else {
            switch errno {
            case ENOENT: throw .missing
            case ELOOP, EISDIR, ENXIO: throw .foreign
            default: throw .unusable
            }
        }
        var info = stat()
        if fstat(descriptor, &info) == 0, info.st_mode & S_IFMT == S_IFREG {
            if allowsOtherOwners || (info.st_uid == geteuid() && info.st_nlink == 1) { return descriptor }
        }
        close(descriptor)
        throw .foreign
    }

    /// The text of a file of at most `size` bytes. Throws `unusable` for a longer file.
    static func text(
        of file: URL, atMost size: Int = 4096, allowsOtherOwners: Bool = false
    ) throws(Failure) -> String {
        let descriptor = try open(file, O_RDONLY, allowsOtherOwners: allowsOtherOwners)
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: size + 1)
        let count = read(descriptor, &bytes, bytes.count)
        guard (0...size).contains(count), let text = String(bytes: bytes[..<count], encoding: .utf8) else {
            throw .unusable
        }
        return text
    }

    /// The next step in the error for a file of another user.
    static func nextStep(_ folder: URL) -> String {
        "first run: chown -R USER \(folder.path); then run the command as that user; or choose another folder"
    }

    private static func openFile(_ path: String, _ flags: Int32) -> Int32 {
        #if canImport(Glibc)
        Glibc.open(path, flags, 0o600)
        #elseif canImport(Musl)
        Musl.open(path, flags, 0o600)
        #else
        Darwin.open(path, flags, 0o600)
        #endif
    }
}

/// Checks a data folder for links, special files and foreign files before it is used. Reading a special file,
/// such as a pipe, may never end.
enum DataFolderCheck {
    /// The entries of a data folder. None may be a special file, or a link, because operations on a link
    /// would affect a file outside of the folder.
    private static let names = [
        "cloudlet.lock", "operator.key", "server.json", "format", "later-epoch", "reserve", "removed",
        "ephemeral", "containers", "records-in-postgresql", "data-in-postgresql", "assets-in-object-store",
        "unfinished-copy", "data-moved",
        "directory.sqlite", "directory.sqlite-wal", "directory.sqlite-shm", "directory.sqlite-journal",
        "telemetry.sqlite", "telemetry.sqlite-wal", "telemetry.sqlite-shm", "telemetry.sqlite-journal",
    ]

    /// Throws for a folder that contains other files but no server's data, or in which a file of the layout
    /// is a link or a special file.
    static func check(_ folder: URL) throws(ServerError) {
        try checkLinks(folder)
        if holdsData(folder) { return }
        try DataFolder.checkDirectory(of: folder)
        throw ServerError(
            .folderUnusable, "there is no server's data in \(folder.path), but other files",
            nextStep: "name the folder that the server uses with --data, or an empty one"
        )
    }

    /// Throws for a folder in which an entry in `names` is a link or a special file.
    static func checkLinks(_ folder: URL) throws(ServerError) {
        for name in names where isForeign(folder.appendingPathComponent(name)) {
            throw linked(name, in: folder)
        }
    }

    /// The error for a link or special file, given by its path relative to the data folder.
    static func linked(_ path: String, in folder: URL) -> ServerError {
        ServerError(
            .folderUnusable, "\(path) in the data folder \(folder.path) is \(kindName(of: path, in: folder))",
            nextStep: linkRemedy)
    }

    /// The kind of an entry that is neither a regular file nor a folder, as named in errors.
    static func kindName(of path: String, in folder: URL) -> String {
        kind(of: folder.appendingPathComponent(path)) == S_IFLNK ? "a link" : "neither a file nor a folder"
    }

    /// The next step when an entry is a link or a special file.
    static let linkRemedy =
        "if you trust the folder, replace the link by the file or folder that it leads to; "
        + "or choose another folder"

    /// The paths of all links and special files in the containers of a data folder, relative to that folder.
    /// Links are not followed.
    static func links(in folder: URL) -> [String] {
        let paths = FileManager.default.enumerator(atPath: folder.appendingPathComponent("containers").path)
        var links: [String] = []
        while let path = paths?.nextObject() as? String {
            let path = "containers/" + path
            if isForeign(folder.appendingPathComponent(path)) { links.append(path) }
        }
        return links.sorted()
    }

    /// The first link or special file on the path from a data folder to a file or folder in it, including
    /// that one; nil if there is none.
    static func link(onTheWayTo file: URL, in folder: URL) -> String? {
        var path = ""
        for name in file.path.dropFirst(folder.path.count).split(separator: "/") {
            path += path.isEmpty ? String(name) : "/" + name
            if isForeign(folder.appendingPathComponent(path)) { return path }
        }
        return nil
    }

    /// Whether a folder contains a server's data, or no other files.
    private static func holdsData(_ folder: URL) -> Bool {
        let found = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        // A new file system that is mounted as the data folder contains lost+found.
        return found.allSatisfy { ["lost+found", "containers"].contains($0) }
            || found.contains("directory.sqlite") || found.contains("cloudlet.lock")
    }

    /// Whether something other than a regular file or a folder is at a path. Links are not followed.
    private static func isForeign(_ file: URL) -> Bool {
        guard let kind = kind(of: file) else { return false }
        return kind != S_IFREG && kind != S_IFDIR
    }

    /// Whether a regular file is at a path. Links are not followed.
    static func isRegularFile(_ file: URL) -> Bool { kind(of: file) == S_IFREG }

    /// Whether a folder is at a path. Links are not followed.
    static func isFolder(_ file: URL) -> Bool { kind(of: file) == S_IFDIR }

    /// The file type at a path, without following links; nil if nothing is there.
    private static func kind(of file: URL) -> mode_t? {
        var info = stat()
        return lstat(file.path, &info) == 0 ? info.st_mode & S_IFMT : nil
    }
}
