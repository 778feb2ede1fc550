public import Foundation

#if canImport(Glibc)
import Glibc
#endif

/// A server that a file of settings names which came with a folder, and so maybe from a stranger.
public struct ProjectServer: Equatable, Sendable {
    /// The file, as it was found.
    public let file: String
    /// The file's folder without symbolic links.
    public let folder: String
    /// The address as it is written there.
    public let address: String

    /// A server that a file names.
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

/// Where files really are.
enum FilePlace {
    /// The path without symbolic links and `..`. Its end need not exist; nothing when it is a link to
    /// nowhere.
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

    /// Whether a file is in a folder or below it; both paths are resolved.
    static func isInside(_ path: String, _ folder: String) -> Bool {
        folder == "/" || path.hasPrefix(folder + "/")
    }
}
