import Foundation

/// Reads and writes the history of one place; a file that cannot be used costs the history and nothing else.
struct HistoryFile: Sendable {
    let file: URL

    private static let longestName = 200

    /// The file for a place, in the folder that `…_HISTORY` names, else in the state folder of the home.
    init(of names: ProgramNames, environment: [String: String], place: String) {
        let plain = CharacterSet.alphanumerics.union(CharacterSet(charactersIn: "-._~"))
        let name = place.addingPercentEncoding(withAllowedCharacters: plain) ?? place
        file = Self.folder(names, environment).appendingPathComponent(String(name.suffix(Self.longestName)))
    }

    private static func folder(_ names: ProgramNames, _ environment: [String: String]) -> URL {
        if let named = environment[names.variable("HISTORY")], !named.isEmpty {
            return URL(fileURLWithPath: named)
        }
        let home = UserFolder.home(environment)
        return UserFolder.state(of: names.name, environment, home: home).appendingPathComponent("histories")
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
