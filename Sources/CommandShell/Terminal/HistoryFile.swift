import Foundation

/// The history file of one place. If it cannot be read or written, there is no history and no error.
struct HistoryFile: Sendable {
    let file: URL

    private static let longestName = 200

    /// The file of a place, in the folder that the variable `…_HISTORY` names, by default in the program's
    /// state folder.
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

    /// Adds a line to the file. Lines that another shell has added since are kept.
    func append(_ line: String) {
        var history = load()
        guard history.add(line) else { return }
        let folder = file.deletingLastPathComponent()
        try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try? Data(history.fileText.utf8).write(to: file, options: .atomic)
        let ownerOnly = [FileAttributeKey.posixPermissions: 0o600]
        try? FileManager.default.setAttributes(ownerOnly, ofItemAtPath: file.path)
    }
}
