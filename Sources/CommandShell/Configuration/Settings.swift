public import Foundation

#if canImport(Glibc)
import Glibc
#endif

/// The effective settings of a program.
public struct Settings: Sendable {
    /// A setting as a list shows it.
    public struct Row: Equatable, Sendable {
        /// The name of the setting.
        public let name: String
        /// The value as text; secrets are hidden.
        public let value: String
        /// The origin of the value: a flag, a variable, a file with its line number, or `default`.
        public let source: String
        /// The environment variable that sets it; the first of several, nil if there is none.
        public let variable: String?

        /// Creates a row.
        public init(name: String, value: String, source: String, variable: String? = nil) {
            self.name = name
            self.value = value
            self.source = source
            self.variable = variable
        }
    }

    private let keys: [ConfigurationKey]
    private let values: [String: Configuration.Value]
    /// The effective server, if a project's file names it. Only credentials from flags and from that file may
    /// be sent to it: see `CredentialRule`.
    public let projectServer: ProjectServer?

    /// The project's configuration file; nil if there is none.
    public let projectFile: URL?

    init(
        keys: [ConfigurationKey], values: [String: Configuration.Value], projectServer: ProjectServer?,
        projectFile: URL?
    ) {
        self.keys = keys
        self.values = values
        self.projectServer = projectServer
        self.projectFile = projectFile
    }

    /// The layer that a setting's value comes from.
    public func layer(of name: String) -> Configuration.Layer { values[name]?.layer ?? .default }

    /// Checks that the project's file sets none of these settings, which decide who has access to a server.
    /// Such a file may come from a stranger.
    ///
    /// - Throws: `ConfigurationError` if it sets one of them.
    public func checkNotOfProject(_ names: [String]) throws(ConfigurationError) {
        for name in names {
            guard let value = values[name], value.layer == .project else { continue }
            throw ConfigurationError(
                place: value.source, reason: "`\(name)` is not allowed in a project's file",
                nextStep: "remove it there; set it by --\(name), a variable, or your own settings file")
        }
    }

    /// Checks a data folder that comes from the project's file or from the default, because a stranger may
    /// have prepared it. It must not be a link and must belong to the user. A folder from the project's file
    /// must also be inside the project.
    ///
    /// - Parameter path: The folder's path; it need not exist.
    /// - Throws: `ConfigurationError` if the folder is not acceptable.
    public func checkFolder(_ name: String, at path: String) throws(ConfigurationError) {
        let layer = layer(of: name)
        guard layer == .project || layer == .default else { return }
        if let objection = objection(toFolderAt: path, isOfProject: layer == .project) {
            throw ConfigurationError(
                place: layer == .project ? values[name]?.source ?? path : path, reason: objection,
                nextStep: "to use it anyway: --\(name) \(path)")
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
        return info.st_uid == geteuid() ? nil : "the data folder belongs to another user"
    }

    /// The names of the credentials that are set.
    public var credentials: [String] {
        keys.filter { $0.isCredential && values[$0.name]?.text != nil }.map(\.name)
    }

    /// The value of a setting; nil if it is not set.
    public subscript(name: String) -> String? { values[name]?.text }

    /// All settings in their order.
    public var rows: [Row] {
        keys.map { key in
            let value = values[key.name] ?? .unset
            let text = value.text.map { key.isSecret ? "(hidden)" : $0 } ?? key.defaultText
            return Row(
                name: key.name, value: text, source: value.source, variable: key.variables.first?.name)
        }
    }
}
