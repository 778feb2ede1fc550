public import Foundation

/// Favourites, one a line: the name, a tab, the command.
public struct FavouriteFile: Sendable {
    /// Where they are kept.
    public let file: URL

    /// The file in a program's folder of the user's settings.
    public init(of names: ProgramNames, environment: [String: String], home: String) {
        let folder = UserFolder.settings(of: names.name, environment, home: home)
        file = folder.appendingPathComponent("favourites")
    }

    /// The commands by their names; none when there is no file.
    public func load() -> [String: String] {
        let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
        let pairs = text.split(separator: "\n").compactMap { line -> (String, String)? in
            let parts = line.split(separator: "\t", maxSplits: 1).map(String.init)
            return parts.count == 2 ? (parts[0], parts[1]) : nil
        }
        return Dictionary(pairs) { $1 }
    }

    /// Writes all commands; a file that was there is replaced.
    public func save(_ favourites: [String: String]) throws {
        let folder = file.deletingLastPathComponent()
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let lines = favourites.sorted { $0.key < $1.key }.map { "\($0.key)\t\($0.value)\n" }
        try Data(lines.joined().utf8).write(to: file, options: .atomic)
    }
}
