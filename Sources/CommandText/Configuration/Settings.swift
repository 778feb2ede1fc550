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
    /// Whether the server is one that the file of a project names, which is to hear no secret that the
    /// person did not give for it.
    public let isServerOfProject: Bool

    init(keys: [ConfigurationKey], values: [String: Configuration.Value], isServerOfProject: Bool) {
        self.keys = keys
        self.values = values
        self.isServerOfProject = isServerOfProject
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
