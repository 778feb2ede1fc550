// Owns the settings of a run, each with the place that it is from.
import Foundation

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

    init(keys: [ConfigurationKey], values: [String: Configuration.Value], projectServer: ProjectServer?) {
        self.keys = keys
        self.values = values
        self.projectServer = projectServer
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
