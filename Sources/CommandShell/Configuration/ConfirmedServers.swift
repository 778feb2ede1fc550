public import Foundation

#if canImport(Glibc)
import Glibc
#endif

/// The servers that a person has confirmed, each for one folder.
public struct ConfirmedServers: Equatable, Sendable {
    private var lines: [String] = []

    /// Creates an empty list.
    public init() {}

    /// Parses what `text` returns.
    init(text: String) {
        lines = text.split(separator: "\n").map(String.init)
    }

    /// One line per server: its address, a space and the percent-encoded folder.
    var text: String { lines.map { $0 + "\n" }.joined() }

    /// Whether the server was confirmed for the folder of its file.
    public func contains(_ server: ProjectServer) -> Bool {
        Self.line(server).map(lines.contains) ?? false
    }

    mutating func add(_ server: ProjectServer) {
        if let line = Self.line(server), !lines.contains(line) { lines.append(line) }
    }

    private static func line(_ server: ProjectServer) -> String? {
        guard let url = URL(string: server.address), let scheme = url.scheme?.lowercased(),
            let host = url.host?.lowercased(), server.folder.hasPrefix("/"),
            let folder = server.folder.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed),
            let path = url.path.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed)
        else { return nil }
        return "\(scheme)://\(host):\(url.port ?? (scheme == "https" ? 443 : 80))\(path) \(folder)"
    }
}

/// The file of confirmed servers. Only its owner can read and write it.
public struct ConfirmedServersFile: Sendable {
    /// The file's location.
    public let file: URL

    /// The file of a program, in the user's state folder.
    public init(of program: String, environment: [String: String], home: String) {
        file = UserFolder.state(of: program, environment, home: home)
            .appendingPathComponent("confirmed-servers")
    }

    /// The confirmed servers; an empty list if the file does not exist or cannot be read.
    public func load() -> ConfirmedServers {
        ConfirmedServers(text: (try? String(contentsOf: file, encoding: .utf8)) ?? "")
    }

    /// Adds a server to the file.
    ///
    /// - Throws: `ConfigurationError` if the file cannot be written.
    public func add(_ server: ProjectServer) throws(ConfigurationError) {
        var servers = load()
        servers.add(server)
        do {
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
            try write(servers.text)
        } catch {
            throw ConfigurationError(
                place: file.path, reason: "it cannot be written, so the server is not confirmed",
                nextStep: "check the permissions of its folder")
        }
    }

    /// Writes a private temporary file and renames it, so that the file is replaced atomically.
    private func write(_ text: String) throws {
        let aside = file.path + ".\(getpid())"
        unlink(aside)
        let descriptor = open(aside, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw POSIXError(.EACCES) }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        try handle.write(contentsOf: Data(text.utf8))
        try handle.close()
        guard rename(aside, file.path) == 0 else { throw POSIXError(.EACCES) }
    }
}
