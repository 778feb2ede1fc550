import Foundation

/// A setting of a program.
public struct ConfigurationKey: Sendable {
    /// The type of a value.
    public enum Kind: Sendable {
        /// Any text.
        case text
        /// A file or folder. In a configuration file, relative paths start at the folder of that file.
        case path
        /// An http or https address.
        case address
        /// A number in a range.
        case number(ClosedRange<Double>)
        /// A whole number in a range.
        case whole(ClosedRange<UInt64>)
        /// One of several words.
        case choice([String])
    }

    /// An environment variable and how its text sets the setting.
    public struct Variable: Sendable {
        let name: String
        let meaning: @Sendable (String) -> String?

        /// Creates a variable. `meaning` returns nil if the text does not concern the setting.
        public init(_ name: String, meaning: @escaping @Sendable (String) -> String? = { $0 }) {
            self.name = name
            self.meaning = meaning
        }
    }

    /// The name, which is that of the flag that sets it, without dashes, if there is one.
    public let name: String
    /// The type of a value.
    public let kind: Kind
    /// The environment variables that set it, in order of precedence.
    public let variables: [Variable]
    /// A description of the default.
    public let defaultText: String
    /// Whether the value is hidden in every output.
    public let isSecret: Bool
    /// The group of the setting. The settings of a group exclude each other, for example the ways to name a
    /// server: a layer that sets one of them overrides the whole group of the layers below.
    public let group: String?
    /// Whether the value is a credential, which is not sent to a server that a project's file names.
    public let isCredential: Bool

    /// Creates a setting.
    public init(
        _ name: String, _ kind: Kind, variables: [Variable], default defaultText: String,
        isSecret: Bool = false,
        group: String? = nil, isCredential: Bool = false
    ) {
        self.name = name
        self.kind = kind
        self.variables = variables
        self.defaultText = defaultText
        self.isSecret = isSecret
        self.group = group
        self.isCredential = isCredential
    }

    /// The environment variables of all settings, each with a description that names its flag.
    public static func variables(of keys: [ConfigurationKey]) -> [(name: String, text: String)] {
        keys.flatMap { key in key.variables.map { ($0.name, "As --\(key.name).") } }
    }

    /// Why a text is not a valid value, and what to do; nil if it is valid.
    func objection(to text: String) -> (reason: String, nextStep: String)? {
        let quoted = isSecret ? "the value of `\(name)`" : "`\(text)`"
        switch kind {
        case .text, .path: return nil
        case .address:
            let url = URL(string: text)
            if let scheme = url?.scheme, ["http", "https"].contains(scheme), url?.host != nil,
                (0...65_535).contains(url?.port ?? 0)
            {
                return nil
            }
            return (
                "\(quoted) is not an address",
                "use one such as http://127.0.0.1:8080; the highest port is 65535"
            )
        case .number(let range):
            if let number = Double(text), range.contains(number) { return nil }
            let lower: String = JSONValue.number(range.lowerBound)
            let upper: String = JSONValue.number(range.upperBound)
            return ("\(quoted) is not a valid number", "use \(lower) to \(upper)")
        case .whole(let range):
            if let number = UInt64(text), range.contains(number) { return nil }
            return ("\(quoted) is not a valid number", "use \(range.lowerBound) to \(range.upperBound)")
        case .choice(let words):
            return words.contains(text) ? nil : ("\(quoted) is unknown", Self.choice(words))
        }
    }

    private static func choice(_ words: [String]) -> String {
        "use one of " + words.joined(separator: ", ")
    }
}
