// Owns the file of commands that somebody keeps under names.
import CommandText
import Foundation

/// Favourites, one a line: the name, a tab, the command.
struct FavouriteFile: Sendable {
    let file: URL

    /// The file in the configuration folder of the home.
    init(environment: [String: String], home: String) {
        file = Self.folder(environment: environment, home: home).appendingPathComponent("favourites")
    }

    /// The folder of what somebody sets up for this app.
    static func folder(environment: [String: String], home: String) -> URL {
        UserFolder.settings(of: "clown-central", environment, home: home)
    }

    func load() -> [String: String] {
        let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
        let pairs = text.split(separator: "\n").compactMap { line -> (String, String)? in
            let parts = line.split(separator: "\t", maxSplits: 1).map(String.init)
            return parts.count == 2 ? (parts[0], parts[1]) : nil
        }
        return Dictionary(pairs) { $1 }
    }

    func save(_ favourites: [String: String]) throws {
        let folder = file.deletingLastPathComponent()
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let lines = favourites.sorted { $0.key < $1.key }.map { "\($0.key)\t\($0.value)\n" }
        try Data(lines.joined().utf8).write(to: file, options: .atomic)
    }
}
