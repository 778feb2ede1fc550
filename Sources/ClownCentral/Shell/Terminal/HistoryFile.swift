// Owns the files that remembered lines are kept in, one for each server and container.
import CommandText
import Foundation

/// Reads and writes the history of one place; a file that cannot be used costs the history and nothing else.
struct HistoryFile: Sendable {
    let file: URL

    /// The variable that moves the folder.
    static let variable = "CLOWN_CENTRAL_HISTORY"
    private static let longestName = 200

    /// The file for a place, in the folder that the environment names, else in the state folder of the home.
    init(environment: [String: String], place: String) {
        let name = String(Site.escaped(place).suffix(Self.longestName))
        file = Self.folder(environment).appendingPathComponent(name)
    }

    private static func folder(_ environment: [String: String]) -> URL {
        if let named = environment[Self.variable], !named.isEmpty { return URL(fileURLWithPath: named) }
        let home = UserFolder.home(environment)
        return UserFolder.state(of: "clown-central", environment, home: home)
            .appendingPathComponent("histories")
    }

    func load() -> HistoryList {
        let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
        return HistoryList(fileText: text)
    }

    /// Keeps a line for later runs. What another shell has kept meanwhile stays.
    func keep(_ line: String) {
        var history = load()
        guard history.add(line) else { return }
        let folder = file.deletingLastPathComponent()
        try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try? Data(history.fileText.utf8).write(to: file, options: .atomic)
        let ownerOnly = [FileAttributeKey.posixPermissions: 0o600]
        try? FileManager.default.setAttributes(ownerOnly, ofItemAtPath: file.path)
    }
}
