import CommandShell

/// Names that a new app cannot use, because it would not compile or would hide a command.
enum ReservedNames {
    /// Throws a `ShellError` for a name that an app cannot have.
    static func checkApp(_ name: String) throws {
        guard EntitySpec.isName(name), name.first?.isUppercase == true else {
            throw ShellError.usage(
                "the name of an app begins in upper case, and has ASCII letters, digits and _ only, like "
                    + "that of a type: TaskBook, not `\(name)`")
        }
        if namesInTemplate.contains(name) { throw taken("an app", name, usedReason, "\(name)App") }
    }

    /// Throws a `ShellError` for a name that an entity cannot have.
    static func checkEntity(_ name: String) throws {
        if commands.contains(name.lowercased()) {
            throw taken("an entity", name, "a command has that name", "\(name)Item")
        }
        if ["Self", "Any", "Type", "Protocol"].contains(name) {
            throw taken("an entity", name, "Swift reserves this name", "\(name)Item")
        }
        if namesInTemplate.contains(name) { throw taken("an entity", name, usedReason, "\(name)Item") }
    }

    /// Throws a `ShellError` for a name that a field cannot have.
    static func checkField(_ name: String) throws {
        guard EntitySpec.isName(name), name.first?.isLowercase == true else {
            throw ShellError.usage(
                "the name of a field begins in lower case, and has ASCII letters, digits and _ only, like "
                    + "that of a property: dueDate, not `\(name)`")
        }
        if keywords.contains(name) {
            throw taken("a field", name, "Swift reserves this name", "\(name)Value")
        }
        if members.contains(name) {
            throw taken("a field", name, "each model already has a member of that name", "\(name)Value")
        }
    }

    private static func taken(
        _ what: String, _ name: String, _ reason: String, _ suggestion: String
    ) -> ShellError {
        ShellError.usage("\(what) cannot be named `\(name)`: \(reason)", suggestions: [suggestion])
    }

    private static let usedReason = "the code of every new app already uses that name"

    /// The first words of commands that each app has in addition to those of its models. The commands of an
    /// entity with such a name, for example `config list`, could hide them.
    private static let commands: Set<String> = [
        "help", "quit", "config", "expect", "favourite", "sync", "status", "pending", "conflicts", "resume",
        "reset",
    ]

    /// The types and modules that the template's code uses, except the app's own name.
    private static let namesInTemplate: Set<String> = AppTemplate.Kind.allCases.flatMap(AppTemplate.shared)
        .filter { $0.path.hasPrefix("Sources/") || $0.path.hasPrefix("Tests/") }
        .reduce(into: Set(["Swift"])) { $0.formUnion(types(in: $1.text)) }
        .subtracting(["TaskBook", "TaskBookTests"])

    /// The capitalized words in code, without members, comments and string literals.
    private static func types(in code: String) -> Set<String> {
        let lines = code.split(separator: "\n").filter { !$0.drop(while: \.isWhitespace).hasPrefix("//") }
        let bare = lines.joined(separator: "\n").replacing(/"[^"\n]*"/, with: "")
        return Set(bare.matches(of: /(^|[^.\w])([A-Z]\w*)/.anchorsMatchLineEndings()).map { String($0.2) })
    }

    /// Members that every model already has.
    private static let members: Set<String> = ["id", "hash", "hashValue", "write"]

    private static let keywords: Set<String> = [
        "Any", "Self", "any", "as", "associatedtype", "async", "await", "borrowing", "break", "case", "catch",
        "class", "consuming", "continue", "default", "defer", "deinit", "do", "each", "else", "enum",
        "extension", "fallthrough", "false", "fileprivate", "for", "func", "guard", "if", "import", "in",
        "init", "inout", "internal", "is", "let", "nil", "operator", "precedencegroup", "private", "protocol",
        "public", "repeat", "rethrows", "return", "self", "some", "static", "struct", "subscript", "super",
        "switch", "throw", "throws", "true", "try", "typealias", "var", "where", "while",
    ]
}
