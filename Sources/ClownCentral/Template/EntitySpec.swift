// Owns what somebody says about the entities of a new app: a name and its fields.
import CommandText
import Foundation

/// An entity of a new app, such as `Task:title,done:bool,due:date`.
struct EntitySpec: Equatable, Sendable {
    /// What a field holds.
    enum Kind: String, CaseIterable, Sendable {
        case text
        case bool
        case int
        case real
        case date
    }

    /// One field.
    struct Field: Equatable, Sendable {
        let name: String
        let kind: Kind
    }

    let name: String
    let fields: [Field]

    /// Reads what was typed; throws a complaint that says what is wrong with it.
    init(_ text: String) throws {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let first = parts[0].first, first.isUppercase, Self.isName(parts[0]) else {
            throw Complaint.usage("an entity looks like Task:title,done:bool,due:date, not `\(text)`")
        }
        name = String(parts[0])
        fields = try parts[1].split(separator: ",", omittingEmptySubsequences: false).map(Self.field)
        guard Set(fields.map(\.name)).count == fields.count else {
            throw Complaint.usage("a field of \(name) has the name of another one")
        }
    }

    private static func field(_ text: Substring) throws -> Field {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let (name, word) = (parts[0], parts.count == 2 ? String(parts[1]) : "text")
        guard isName(name), name.first?.isLowercase == true, !taken.contains(String(name)) else {
            throw Complaint.usage("`\(name)` cannot be the name of a field")
        }
        guard let kind = Kind(rawValue: word) else {
            let kinds = Kind.allCases.map(\.rawValue)
            throw Complaint.usage(
                "a field is one of \(kinds.joined(separator: ", ")), not `\(word)`",
                suggestions: DidYouMean.suggestions(for: word, among: kinds))
        }
        return Field(name: String(name), kind: kind)
    }

    /// A letter, then letters, digits and `_`, all of ASCII.
    static func isName(_ text: some StringProtocol) -> Bool {
        text.first?.isLetter == true
            && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
    }

    /// Names that the made code uses itself, or that Swift keeps for itself.
    private static let taken: Set<String> = [
        "id", "as", "break", "case", "catch", "class", "continue", "default", "defer", "do", "else", "enum",
        "extension", "false", "for", "func", "guard", "if", "import", "in", "init", "inout", "is", "let",
        "nil",
        "operator", "private", "protocol", "public", "repeat", "return", "self", "static", "struct", "super",
        "switch", "throw", "throws", "true", "try", "var", "where", "while", "line", "set", "write",
    ]
}

extension EntitySpec.Field {
    /// The type of the model's property.
    var type: String {
        switch kind {
        case .text: "String"
        case .bool: "Bool"
        case .int: "Int"
        case .real: "Double"
        case .date: "Date?"
        }
    }

    /// What a new one has.
    var start: String {
        switch kind {
        case .text: "\"\""
        case .bool: "false"
        case .int, .real: "0"
        case .date: "nil"
        }
    }

    /// Writes the property into the record.
    var writing: String {
        switch kind {
        case .text: "record[\"\(name)\"] = .text(\(name))"
        case .bool: "record[\"\(name)\"] = .integer(\(name) ? 1 : 0)"
        case .int: "record[\"\(name)\"] = .integer(Int64(\(name)))"
        case .real: "record[\"\(name)\"] = .real(\(name))"
        case .date: "record[\"\(name)\"] = \(name).map { .date($0) }"
        }
    }

    /// Reads the property from the record.
    var reading: String {
        switch kind {
        case .text: "if case .text(let value)? = record[\"\(name)\"] { \(name) = value }"
        case .bool: "if case .integer(let value)? = record[\"\(name)\"] { \(name) = value != 0 }"
        case .int: "if case .integer(let value)? = record[\"\(name)\"] { \(name) = Int(value) }"
        case .real: "if case .real(let value)? = record[\"\(name)\"] { \(name) = value }"
        case .date: "if case .date(let value)? = record[\"\(name)\"] { \(name) = value }"
        }
    }

    /// Sets the property from what was typed.
    var parsing: String {
        switch kind {
        case .text: "\(name) = text"
        case .bool: "\(name) = try Typed.flag(text)"
        case .int: "\(name) = try Typed.whole(text)"
        case .real: "\(name) = try Typed.number(text)"
        case .date: "\(name) = try Typed.date(text)"
        }
    }

    /// The property for people.
    var showing: String {
        switch kind {
        case .text: name
        case .bool: "\(name) ? \"yes\" : \"no\""
        case .int, .real: "\"\\(\(name))\""
        case .date: "\(name)?.ISO8601Format() ?? \"-\""
        }
    }

    /// A value to type in a test, and what the property is then.
    var example: (typed: String, value: String) {
        switch kind {
        case .text: ("first", "\"first\"")
        case .bool: ("yes", "true")
        case .int: ("7", "7")
        case .real: ("1.5", "1.5")
        case .date: ("2026-07-04T18:00:00Z", "Date(timeIntervalSince1970: 1_783_188_000)")
        }
    }
}
