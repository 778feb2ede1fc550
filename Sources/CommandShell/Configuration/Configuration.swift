public import Foundation

/// The settings of a program from environment variables and configuration files.
///
/// Both files are named after the program, with the extension `.conf`. The project's file is in the current
/// folder or the nearest folder above it. The user's file is in `~/.config`, in a folder named after the
/// program.
public struct Configuration: Sendable {
    /// The sources of a setting, in order of precedence.
    public enum Layer: Int, Sendable {
        case flags
        case environment
        case project
        case user
        /// The built-in default.
        case `default`
    }

    /// A setting's value and its origin.
    public struct Value: Equatable, Sendable {
        /// The value as it was written; nil if it is not set.
        public let text: String?
        /// The origin of the value: a flag, a variable, a file with its line number, or `default`.
        public let source: String
        /// The layer that the value comes from.
        public let layer: Layer

        static let unset = Value(text: nil, source: "default", layer: .default)
    }

    private let keys: [ConfigurationKey]
    private let environment: [String: Value]
    private var project: [String: Value] = [:]
    private var projectFile: URL?
    private var user: [String: Value] = [:]

    /// Reads a program's environment variables and configuration files.
    ///
    /// - Throws: `ConfigurationError` for the first invalid setting.
    public init(
        of program: String, keys: [ConfigurationKey], environment: [String: String], currentFolder: URL,
        home: String
    ) throws(ConfigurationError) {
        self.keys = keys
        self.environment = try Self.values(of: environment, keys)
        let name = program + ".conf"
        let usersFile = UserFolder.settings(of: program, environment, home: home).appendingPathComponent(name)
        if let file = try ConfigurationFile.nearest(name, from: currentFolder), file.path != usersFile.path {
            project = try Self.within(
                file, Self.values(try ConfigurationFile(file, keys: keys, home: home), .project), keys)
            projectFile = file
        }
        user = Self.values(try ConfigurationFile(usersFile, keys: keys, home: home), .user)
    }

    /// The effective settings.
    ///
    /// - Parameters:
    ///   - flags: The values of the given flags, by name without dashes.
    ///   - decided: The groups that other flags decide, such as `--ephemeral`, with the names of those flags.
    ///   - isGrouped: Whether a layer that sets one setting of a group also unsets the group's other
    ///     settings.
    public func settings(
        flags: [String: String], decided: [String: String] = [:], isGrouped: Bool = true
    ) -> Settings {
        var given = flags.map { ($0, Value(text: $1, source: "--\($0)", layer: .flags)) }
        for key in keys {
            guard let flag = key.group.flatMap({ decided[$0] }) else { continue }
            given.append((key.name, Value(text: nil, source: "--\(flag)", layer: .flags)))
        }
        let layers = [Dictionary(given) { $1 }, environment, project, user]
        var values: [String: Value] = [:]
        for key in keys {
            values[key.name] =
                layers.lazy.compactMap { isGrouped ? value(of: key, in: $0) : $0[key.name] }.first ?? .unset
        }
        let address = keys.lazy.compactMap { key -> String? in
            guard case .address = key.kind, let value = values[key.name] else { return nil }
            return value.layer == .project ? value.text : nil
        }.first
        let server = projectFile.flatMap { file in
            address.map { ProjectServer(file: file, address: $0) }
        }
        if server != nil {
            for key in keys where key.isCredential {
                if let layer = values[key.name]?.layer, layer == .environment || layer == .user {
                    values[key.name] = .unset
                }
            }
        }
        return Settings(
            keys: keys, values: values, projectServer: server, projectFile: projectFile)
    }

    /// The value of a setting in a layer; nil if the layer sets nothing in the setting's group. If the layer
    /// sets another setting of the group, the value is the default. If several environment variables of the
    /// group are set, the first in the order of `keys` counts. All flags count: the program has checked that
    /// they do not exclude each other.
    private func value(of key: ConfigurationKey, in layer: [String: Value]) -> Value? {
        guard let group = key.group else { return layer[key.name] }
        let first = keys.first { $0.group == group && layer[$0.name] != nil }
        guard let first else { return nil }
        guard let value = layer[key.name] else { return .unset }
        return first.name == key.name || value.layer == .flags ? value : .unset
    }

    private static func values(
        of environment: [String: String], _ keys: [ConfigurationKey]
    ) throws(ConfigurationError) -> [String: Value] {
        var values: [String: Value] = [:]
        for key in keys {
            for variable in key.variables {
                guard let raw = environment[variable.name], !raw.isEmpty, let text = variable.meaning(raw)
                else { continue }
                if let (reason, nextStep) = key.objection(to: text) {
                    throw ConfigurationError(
                        place: "the variable \(variable.name)", reason: reason, nextStep: nextStep)
                }
                values[key.name] = Value(text: text, source: variable.name, layer: .environment)
                break
            }
        }
        return values
    }

    /// Checks the values of a project's file: a path to a credential must be inside the file's folder. Such a
    /// file may come from a stranger, and the path may name somebody else's credential.
    private static func within(
        _ file: URL, _ values: [String: Value], _ keys: [ConfigurationKey]
    ) throws(ConfigurationError) -> [String: Value] {
        var values = values
        for key in keys where key.isCredential {
            guard case .path = key.kind, let value = values[key.name], let path = value.text else { continue }
            let folder = FilePlace.resolved(file.deletingLastPathComponent().path)
            guard let folder, let place = FilePlace.resolved(path), FilePlace.isInside(place, folder) else {
                throw ConfigurationError(
                    place: value.source,
                    reason: "`\(key.name)` names \(path), outside of the file's folder",
                    nextStep: "move it there, or name it yourself by --\(key.name), a variable, or your own "
                        + "file of settings")
            }
            values[key.name] = Value(text: place, source: value.source, layer: value.layer)
        }
        return values
    }

    private static func values(_ file: ConfigurationFile?, _ layer: Layer) -> [String: Value] {
        (file?.values ?? [:]).mapValues { Value(text: $0.text, source: $0.place, layer: layer) }
    }
}
