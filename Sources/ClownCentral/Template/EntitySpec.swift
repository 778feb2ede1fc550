// Owns what somebody says about the entities of a new app: a name and its fields.
import CommandShell
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

    /// An entity that needs no check.
    init(name: String, fields: [Field]) {
        self.name = name
        self.fields = fields
    }

    /// Reads what was typed; throws a complaint that says what is wrong with it.
    init(_ text: String) throws {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let first = parts[0].first, first.isUppercase, Self.isName(parts[0]) else {
            throw Complaint.usage("an entity looks like Task:title,done:bool,due:date, not `\(text)`")
        }
        name = String(parts[0])
        try TakenNames.checkEntity(name)
        fields = try parts[1].split(separator: ",", omittingEmptySubsequences: false).map(Self.field)
        guard Set(fields.map(\.name)).count == fields.count else {
            throw Complaint.usage("a field of \(name) has the name of another one")
        }
    }

    private static func field(_ text: Substring) throws -> Field {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let (name, word) = (parts[0], parts.count == 2 ? String(parts[1]) : "text")
        try TakenNames.checkField(String(name))
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
}
