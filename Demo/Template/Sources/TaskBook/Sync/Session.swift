import Cloudlet
import Foundation

/// Who is signed in on this device, kept in a file from one run to the next.
struct Session: Sendable {
    let account: CloudAccount
    /// nil for a session that somebody else keeps.
    private let file: URL?

    /// The session in a folder, or that of `CLOUDLET_WEB_AUTH_TOKEN`, as `cloudlet exec` sets it.
    init(folder: URL, variables: [String: String]) {
        let file = folder.appendingPathComponent("session")
        let given = variables["CLOUDLET_WEB_AUTH_TOKEN"]
        account = CloudAccount(webAuthToken: given ?? (try? String(contentsOf: file, encoding: .utf8)))
        self.file = given == nil ? file : nil
    }

    /// Writes the session down; each use renews it.
    func keep() throws {
        guard let file else { return }
        if let token = account.webAuthToken {
            try token.write(to: file, atomically: true, encoding: .utf8)
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
        } else if FileManager.default.fileExists(atPath: file.path) {
            try FileManager.default.removeItem(at: file)
        }
    }
}
