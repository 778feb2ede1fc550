import Foundation

/// One setting of a program.
public struct ConfigurationKey: Sendable {
    /// What a value must be.
    public enum Kind: Sendable {
        /// Any text.
        case text
        /// A file or a folder; in a file, one that does not begin at the root begins at the file's folder.
        case path
        /// A web address.
        case address
        /// A number in a range.
        case number(ClosedRange<Double>)
        /// A number without a fraction, in a range.
        case whole(ClosedRange<UInt64>)
        /// One of some words.
        case choice([String])
    }

    /// A variable of the environment, and what its text means for the setting.
    public struct Variable: Sendable {
        let name: String
        let meaning: @Sendable (String) -> String?

        /// A variable; `meaning` answers nothing for a text that says nothing about the setting.
        public init(_ name: String, meaning: @escaping @Sendable (String) -> String? = { $0 }) {
            self.name = name
            self.meaning = meaning
        }
    }

    /// The name of the flag that sets it, without its dashes.
    public let name: String
    /// What a value must be.
    public let kind: Kind
    /// The variables that set it, the first of which counts most.
    public let variables: [Variable]
    /// What holds when nobody says anything, in words.
    public let usual: String
    /// Whether the value is shown to nobody.
    public let isSecret: Bool
    /// Settings of one group answer one question, such as which server it is: who sets one, sets them all.
    public let group: String?
    /// Whether it opens a server, so that it is kept from one that the file of a project names.
    public let isCredential: Bool

    /// A setting.
    public init(
        _ name: String, _ kind: Kind, variables: [Variable], usual: String, isSecret: Bool = false,
        group: String? = nil, isCredential: Bool = false
    ) {
        self.name = name
        self.kind = kind
        self.variables = variables
        self.usual = usual
        self.isSecret = isSecret
        self.group = group
        self.isCredential = isCredential
    }

    /// The variables of all settings, each with the flag that it stands for.
    public static func variables(of keys: [ConfigurationKey]) -> [(name: String, text: String)] {
        keys.flatMap { key in key.variables.map { ($0.name, "As --\(key.name).") } }
    }

    /// Why a text cannot be the value, and what can; nothing when it can.
    func objection(to text: String) -> (reason: String, nextStep: String)? {
        let quoted = isSecret ? "the value of `\(name)`" : "`\(text)`"
        switch kind {
        case .text, .path: return nil
        case .address:
            let url = URL(string: text)
            if let scheme = url?.scheme, ["http", "https"].contains(scheme), url?.host != nil { return nil }
            return ("\(quoted) is not an address", "give one such as http://127.0.0.1:8080")
        case .number(let range):
            if let number = Double(text), range.contains(number) { return nil }
            return ("\(quoted) is no such number", "give one of \(range.lowerBound) and more")
        case .whole(let range):
            if let number = UInt64(text), range.contains(number) { return nil }
            return ("\(quoted) is no such number", "give one from \(range.lowerBound) to \(range.upperBound)")
        case .choice(let words): return words.contains(text) ? nil : ("\(quoted) is none", Self.choice(words))
        }
    }

    private static func choice(_ words: [String]) -> String {
        "it is one of " + words.joined(separator: ", ")
    }
}
