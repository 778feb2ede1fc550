import Cloudlet
import Foundation

/// The signed-in account of this device, stored in a file between runs: the server's address and the token,
/// a line each.
struct Session: Sendable {
    let account: CloudAccount
    private let server: String
    /// Nil if the session came from `CLOUDLET_WEB_AUTH_TOKEN` and is not stored.
    private let file: URL?

    /// Reads the session with a server from `CLOUDLET_WEB_AUTH_TOKEN`, which `cloudlet exec` sets, otherwise
    /// from the folder.
    init(folder: URL, server: URL, variables: [String: String]) {
        let file = folder.appendingPathComponent("session")
        let given = variables["CLOUDLET_WEB_AUTH_TOKEN"]
        self.server = server.absoluteString
        account = CloudAccount(webAuthToken: given ?? Self.token(in: file, for: server.absoluteString))
        self.file = given == nil ? file : nil
    }

    /// The stored token; nil if it belongs to another server. Only that server may receive it.
    private static func token(in file: URL, for server: String) -> String? {
        guard let text = try? String(contentsOf: file, encoding: .utf8) else { return nil }
        let lines = text.split(separator: "\n").map(String.init)
        return lines.count == 2 && lines[0] == server ? lines[1] : nil
    }

    /// Stores the session. Each use of a session renews its token.
    func save() throws {
        guard let file else { return }
        if let token = account.webAuthToken {
            try "\(server)\n\(token)\n".write(to: file, atomically: true, encoding: .utf8)
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
        } else if Self.token(in: file, for: server) != nil {
            try FileManager.default.removeItem(at: file)
        }
    }
}
