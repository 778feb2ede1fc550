import Foundation

#if canImport(Glibc)
import Glibc
#endif

/// The values that count.
public struct Settings: Sendable {
    /// A setting as a list shows it.
    public struct Row: Equatable, Sendable {
        /// The name of the flag without its dashes.
        public let name: String
        /// The value as text; secrets are hidden.
        public let value: String
        /// A flag, a variable, a file with its line, or `default`.
        public let source: String

        /// A row, for what is set in other ways.
        public init(name: String, value: String, source: String) {
            self.name = name
            self.value = value
            self.source = source
        }
    }

    private let keys: [ConfigurationKey]
    private let values: [String: Configuration.Value]
    /// The server that counts, where the file of a project names it: it is to hear no secret that the
    /// person did not give for it.
    public let projectServer: ProjectServer?

    /// The project's file, if there is one.
    private let projectFile: URL?

    init(
        keys: [ConfigurationKey], values: [String: Configuration.Value], projectServer: ProjectServer?,
        projectFile: URL?
    ) {
        self.keys = keys
        self.values = values
        self.projectServer = projectServer
        self.projectFile = projectFile
    }

    /// Who said what a setting is.
    public func layer(of name: String) -> Configuration.Layer { values[name]?.layer ?? .usual }

    /// Throws when the project's file sets one of these, which decide whom a server lets in: such a file may
    /// come from a stranger.
    public func checkNotOfProject(_ names: [String]) throws(ConfigurationError) {
        for name in names {
            guard let value = values[name], value.layer == .project else { continue }
            throw ConfigurationError(
                place: value.source, reason: "`\(name)` does not count in the file of a project",
                nextStep: "take it away there; set it by --\(name), a variable, or your own file of settings")
        }
    }

    /// Throws when nobody but the project's file, or nobody at all, named a folder, and it is outside of the
    /// project, is a link, or belongs to somebody else: it may be a trap of a stranger.
    ///
    /// - Parameter path: The folder that counts; it need not be there.
    public func checkFolder(_ name: String, at path: String) throws(ConfigurationError) {
        let layer = layer(of: name)
        guard layer == .project || layer == .usual else { return }
        if let objection = objection(toFolderAt: path, isOfProject: layer == .project) {
            throw ConfigurationError(
                place: layer == .project ? values[name]?.source ?? path : path, reason: objection,
                nextStep: "if you mean it: --\(name) \(path)")
        }
    }

    private func objection(toFolderAt path: String, isOfProject: Bool) -> String? {
        if isOfProject, let file = projectFile {
            guard let folder = FilePlace.resolved(file.deletingLastPathComponent().path),
                let place = FilePlace.resolved(path), FilePlace.isInside(place, folder)
            else { return "it names \(path), outside of the file's folder" }
        }
        var info = stat()
        guard lstat(path, &info) == 0 else { return nil }
        if info.st_mode & S_IFMT == S_IFLNK { return "the data folder is a link" }
        return info.st_uid == geteuid() ? nil : "the data folder belongs to somebody else"
    }

    /// The names of the credentials that somebody gave.
    public var credentials: [String] {
        keys.filter { $0.isCredential && values[$0.name]?.text != nil }.map(\.name)
    }

    /// The value of a setting; nothing when nobody said anything.
    public subscript(name: String) -> String? { values[name]?.text }

    /// All of them in their order.
    public var rows: [Row] {
        keys.map { key in
            let value = values[key.name] ?? .usual
            let text = value.text.map { key.isSecret ? "(hidden)" : $0 } ?? key.usual
            return Row(name: key.name, value: text, source: value.source)
        }
    }
}
