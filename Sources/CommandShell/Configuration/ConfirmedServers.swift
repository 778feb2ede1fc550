public import Foundation

#if canImport(Glibc)
import Glibc
#endif

/// The servers that a person confirmed, each for the folder whose file names it.
public struct ConfirmedServers: Equatable, Sendable {
    private var lines: [String] = []

    /// None.
    public init() {}

    /// Reads what `text` wrote.
    init(text: String) {
        lines = text.split(separator: "\n").map(String.init)
    }

    /// One a line: the server's address, a blank, and the folder as a path of an address.
    var text: String { lines.map { $0 + "\n" }.joined() }

    /// Whether this server was confirmed for this folder.
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

/// The file of confirmed servers, which only its owner can read and write.
public struct ConfirmedServersFile: Sendable {
    /// Where it is.
    public let file: URL

    /// The file of a program, in the folder of what it remembers.
    public init(of program: String, environment: [String: String], home: String) {
        file = UserFolder.state(of: program, environment, home: home)
            .appendingPathComponent("confirmed-servers")
    }

    /// What was confirmed; nothing when the file is not there or cannot be read.
    public func load() -> ConfirmedServers {
        ConfirmedServers(text: (try? String(contentsOf: file, encoding: .utf8)) ?? "")
    }

    /// Remembers a server. Throws when that cannot be written.
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
                nextStep: "check who may write there")
        }
    }

    /// Written aside under nobody else's eyes, and moved.
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
