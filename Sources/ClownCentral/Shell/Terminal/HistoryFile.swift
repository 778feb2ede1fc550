// Owns the file that remembered lines are kept in.
import Foundation

/// Reads and writes the history; a file that cannot be used costs the history and nothing else.
struct HistoryFile: Sendable {
    let file: URL

    /// The variable that moves the file.
    static let variable = "CLOWN_CENTRAL_HISTORY"

    /// The file that the environment names, else one in the state folder of the home.
    init(environment: [String: String]) {
        if let named = environment[Self.variable], !named.isEmpty {
            file = URL(fileURLWithPath: named)
            return
        }
        let home = environment["HOME"] ?? NSHomeDirectory()
        let state = environment["XDG_STATE_HOME"].flatMap { $0.isEmpty ? nil : $0 } ?? home + "/.local/state"
        file = URL(fileURLWithPath: state + "/clown-central/history")
    }

    func load() -> HistoryList {
        let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
        return HistoryList(fileText: text)
    }

    func save(_ history: HistoryList) {
        let folder = file.deletingLastPathComponent()
        try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try? Data(history.fileText.utf8).write(to: file, options: .atomic)
        let ownerOnly = [FileAttributeKey.posixPermissions: 0o600]
        try? FileManager.default.setAttributes(ownerOnly, ofItemAtPath: file.path)
    }
}
