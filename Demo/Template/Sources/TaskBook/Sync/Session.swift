import Cloudlet
import Foundation

/// The signed-in account of this device, stored in a file between runs.
struct Session: Sendable {
    let account: CloudAccount
    /// Nil if the session came from `CLOUDLET_WEB_AUTH_TOKEN` and is not stored.
    private let file: URL?

    /// Reads the session from `CLOUDLET_WEB_AUTH_TOKEN`, which `cloudlet exec` sets, otherwise from the
    /// folder.
    init(folder: URL, variables: [String: String]) {
        let file = folder.appendingPathComponent("session")
        let given = variables["CLOUDLET_WEB_AUTH_TOKEN"]
        account = CloudAccount(webAuthToken: given ?? (try? String(contentsOf: file, encoding: .utf8)))
        self.file = given == nil ? file : nil
    }

    /// Stores the session. Each use of a session renews its token.
    func save() throws {
        guard let file else { return }
        if let token = account.webAuthToken {
            try token.write(to: file, atomically: true, encoding: .utf8)
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
        } else if FileManager.default.fileExists(atPath: file.path) {
            try FileManager.default.removeItem(at: file)
        }
    }
}
