public import Foundation

/// The favourites of a program: named commands, stored one per line as name, tab and command.
public struct FavouriteFile: Sendable {
    /// The file's location.
    public let file: URL

    /// The file in the user's settings folder of the program.
    public init(of names: ProgramNames, environment: [String: String], home: String) {
        let folder = UserFolder.settings(of: names.name, environment, home: home)
        file = folder.appendingPathComponent("favourites")
    }

    /// The commands by name; empty if the file does not exist or cannot be read.
    public func load() -> [String: String] {
        let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
        let pairs = text.split(separator: "\n").compactMap { line -> (String, String)? in
            let parts = line.split(separator: "\t", maxSplits: 1).map(String.init)
            return parts.count == 2 ? (parts[0], parts[1]) : nil
        }
        return Dictionary(pairs) { $1 }
    }

    /// Writes all commands, and replaces the file.
    public func save(_ favourites: [String: String]) throws {
        let folder = file.deletingLastPathComponent()
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let lines = favourites.sorted { $0.key < $1.key }.map { "\($0.key)\t\($0.value)\n" }
        try Data(lines.joined().utf8).write(to: file, options: .atomic)
    }
}
