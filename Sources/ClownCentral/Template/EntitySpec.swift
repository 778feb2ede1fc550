import CommandShell

/// An entity of a new app, such as `Task:title,done:bool,due:date`.
struct EntitySpec: Equatable, Sendable {
    /// What a field holds.
    enum Kind: Equatable, Sendable {
        case text, bool, int, real, date, photo, texts
        /// Another entity, by its name.
        case reference(String)

        /// The kinds as they are typed, apart from references.
        fileprivate static let words: [(String, Kind)] = [
            ("text", .text), ("bool", .bool), ("int", .int), ("real", .real), ("date", .date),
            ("photo", .photo), ("list(text)", .texts),
        ]
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
        try TakenNames.checkEntity(name)
        fields = try parts[1].split(separator: ",", omittingEmptySubsequences: false).map(Self.field)
        guard Set(fields.map(\.name)).count == fields.count else {
            throw Complaint.usage("a field of \(name) has the name of another one")
        }
    }

    /// Throws a complaint about a field that refers to an entity that there is none of.
    func checkReferences(among entities: [EntitySpec]) throws {
        let names = entities.map(\.name)
        for field in fields {
            guard case .reference(let target) = field.kind, !names.contains(target) else { continue }
            throw Complaint.usage(
                "the field `\(field.name)` of \(name) refers to `\(target)`, which is no entity of this app",
                suggestions: DidYouMean.suggestions(for: target, among: names).map { "ref(\($0))" },
                remedy: "--entity \(Self.isName(target) ? target : "Room"):name")
        }
    }

    private static func field(_ text: Substring) throws -> Field {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let (name, word) = (String(parts[0]), parts.count == 2 ? String(parts[1]) : "text")
        try TakenNames.checkField(name)
        return Field(name: name, kind: try kind(word, of: name))
    }

    private static func kind(_ word: String, of field: String) throws -> Kind {
        if let kind = Kind.words.first(where: { $0.0 == word })?.1 { return kind }
        if let target = word.wholeMatch(of: /ref\((\w+)\)/)?.1 { return .reference(String(target)) }
        if word.hasPrefix("ref") {
            throw Complaint.usage(
                "the reference `\(field)` names no entity", remedy: "\(field):ref(Room), with an entity Room")
        }
        if word.hasPrefix("list") {
            throw Complaint.usage("the list `\(field)` can hold text only", remedy: "\(field):list(text)")
        }
        let kinds = Kind.words.map(\.0) + ["ref(ENTITY)"]
        throw Complaint.usage(
            "the field `\(field)` is one of \(kinds.joined(separator: ", ")), not `\(word)`",
            suggestions: DidYouMean.suggestions(for: word, among: kinds))
    }

    /// A letter, then letters, digits and `_`, all of ASCII.
    static func isName(_ text: some StringProtocol) -> Bool {
        text.first?.isLetter == true
            && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
    }
}
