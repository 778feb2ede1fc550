import CommandShell

/// An entity of a new app, parsed from a text such as `Task:title,done:bool,due:date`.
struct EntitySpec: Equatable, Sendable {
    /// The type of a field.
    enum Kind: Equatable, Sendable {
        case text, bool, int, real, date, photo, texts
        /// A reference to the entity of that name.
        case reference(String)
        /// References to several of the entity of that name.
        case references(String)

        /// The entity to which a field of this kind refers; nil if it refers to none.
        var target: String? {
            switch self {
            case .reference(let target), .references(let target): target
            case .text, .bool, .int, .real, .date, .photo, .texts: nil
            }
        }

        /// Whether a field of this kind refers to any number of entities.
        fileprivate var isSeveral: Bool { if case .references = self { true } else { false } }

        /// The names of the kinds in a specification, without references.
        fileprivate static let words: [(String, Kind)] = [
            ("text", .text), ("bool", .bool), ("int", .int), ("real", .real), ("date", .date),
            ("photo", .photo), ("list(text)", .texts),
        ]
    }

    /// A field of an entity, which becomes a property of the model.
    struct Field: Equatable, Sendable {
        let name: String
        let kind: Kind
    }

    let name: String
    let fields: [Field]

    /// Parses a specification. Throws a `ShellError` for the first mistake.
    init(_ text: String) throws {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let first = parts[0].first, first.isUppercase, Self.isName(parts[0]) else {
            throw ShellError.usage("an entity looks like Task:title,done:bool,due:date, not `\(text)`")
        }
        name = String(parts[0])
        try ReservedNames.checkEntity(name)
        fields = try parts[1].split(separator: ",", omittingEmptySubsequences: false).map(Self.field)
        guard Set(fields.map(\.name)).count == fields.count else {
            throw ShellError.usage("two fields of \(name) have the same name")
        }
    }

    /// Throws a `ShellError` if a field refers to an entity that does not exist.
    func checkReferences(among entities: [EntitySpec]) throws {
        let names = entities.map(\.name)
        for field in fields {
            guard let target = field.kind.target, !names.contains(target) else { continue }
            throw ShellError.usage(
                "the field `\(field.name)` of \(name) refers to `\(target)`, not an entity of this app",
                suggestions: DidYouMean.suggestions(for: target, among: names).map {
                    "\(field.kind.isSeveral ? "refs" : "ref")(\($0))"
                },
                remedy: "--entity \(Self.isName(target) ? target : "Room"):name")
        }
    }

    private static func field(_ text: Substring) throws -> Field {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let (name, word) = (String(parts[0]), parts.count == 2 ? String(parts[1]) : "text")
        try ReservedNames.checkField(name)
        return Field(name: name, kind: try kind(word, of: name))
    }

    private static func kind(_ word: String, of field: String) throws -> Kind {
        if let kind = Kind.words.first(where: { $0.0 == word })?.1 { return kind }
        if let target = word.wholeMatch(of: /ref\((\w+)\)/)?.1 { return .reference(String(target)) }
        if let target = word.wholeMatch(of: /refs\((\w+)\)/)?.1 { return .references(String(target)) }
        if word.hasPrefix("ref") {
            throw ShellError.usage(
                "the reference `\(field)` names no entity", remedy: "\(field):ref(Room), with an entity Room")
        }
        if word.hasPrefix("list") {
            throw ShellError.usage("the list `\(field)` can hold text only", remedy: "\(field):list(text)")
        }
        let kinds = Kind.words.map(\.0) + ["ref(ENTITY)", "refs(ENTITY)"]
        throw ShellError.usage(
            "the field `\(field)` has the unknown type `\(word)`",
            suggestions: DidYouMean.suggestions(for: word, among: kinds),
            remedy: "use one of the types \(kinds.joined(separator: ", "))")
    }

    /// Whether a text is an ASCII letter followed by ASCII letters, digits and `_`.
    static func isName(_ text: some StringProtocol) -> Bool {
        text.first?.isLetter == true
            && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
    }
}
