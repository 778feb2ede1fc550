public import Foundation

#if canImport(Glibc)
import Glibc
#endif

/// A server that a project's configuration file names. The file may come from a stranger.
public struct ProjectServer: Equatable, Sendable {
    /// The path of the file as it was found.
    public let file: String
    /// The folder of the file without symbolic links.
    public let folder: String
    /// The address as written in the file.
    public let address: String

    /// Creates the server that a file names.
    public init(file: URL, address: String) {
        self.init(
            file: file.path, folder: FilePlace.resolved(file.deletingLastPathComponent().path) ?? "",
            address: address)
    }

    init(file: String, folder: String, address: String) {
        self.file = file
        self.folder = folder
        self.address = address
    }
}

/// Resolves paths.
enum FilePlace {
    /// The path without symbolic links and `..`. The last components need not exist. Nil if the path is a
    /// dangling link.
    static func resolved(_ path: String) -> String? {
        if let real = realpath(path, nil) {
            defer { free(real) }
            return String(cString: real)
        }
        let url = URL(fileURLWithPath: path)
        let isLink = (try? FileManager.default.destinationOfSymbolicLink(atPath: path)) != nil
        guard !isLink, url.path != "/", ![".", ".."].contains(url.lastPathComponent),
            let folder = resolved(url.deletingLastPathComponent().path)
        else { return nil }
        return folder == "/" ? "/" + url.lastPathComponent : folder + "/" + url.lastPathComponent
    }

    /// Whether a file is in a folder or below it. Both paths must be resolved.
    static func isInside(_ path: String, _ folder: String) -> Bool {
        folder == "/" || path.hasPrefix(folder + "/")
    }
}
