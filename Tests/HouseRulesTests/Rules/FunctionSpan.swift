// Owns finding the functions of a file and where each begins and ends.

/// A function, initialiser, subscript or computed property, from its first line to its closing brace.
struct FunctionSpan: Equatable, Sendable {
    let name: String
    let firstLine: Int
    let lastLine: Int

    var lineCount: Int { lastLine - firstLine + 1 }

    static func all(in file: SourceFile) -> [FunctionSpan] {
        file.tokens.indices.compactMap { place in
            guard let name = name(ofDeclarationAt: place, in: file),
                let open = openingBrace(from: place, in: file),
                let close = file.close(of: open)
            else { return nil }
            return FunctionSpan(
                name: name, firstLine: file.tokens[place].line, lastLine: file.tokens[close].line)
        }
    }

    private static func name(ofDeclarationAt place: Int, in file: SourceFile) -> String? {
        guard file.text(place - 1) != "." else { return nil }
        switch file.text(place) {
        case "func", "var":
            return file.text(place + 1)
        case "init" where ["(", "<", "?", "!"].contains(file.text(place + 1)),
            "subscript" where ["(", "<"].contains(file.text(place + 1)),
            "deinit" where file.text(place + 1) == "{":
            return file.text(place)
        default:
            return nil
        }
    }

    /// The brace that opens the body; nil for a requirement of a protocol and for a stored property.
    private static func openingBrace(from place: Int, in file: SourceFile) -> Int? {
        let isVariable = file.text(place) == "var"
        var next = place + 1
        if file.text(place) == "func", !file.tokens[next].isWord {
            while file.text(next) != "(" && next < file.tokens.count {
                next += 1
            }
        }
        while next < file.tokens.count {
            switch file.text(next) {
            case "{":
                return next
            case "(", "[":
                guard let close = file.close(of: next) else { return nil }
                next = close
            case "}", ";":
                return nil
            case "=" where isVariable:
                return nil
            case let word
            where file.tokens[next].line > file.tokens[next - 1].line && beginsAnother.contains(word):
                return nil
            default:
                break
            }
            next += 1
        }
        return nil
    }

    /// Words that begin a line only when the declaration before it had no body.
    private static let beginsAnother: Set = [
        "func", "var", "let", "init", "deinit", "subscript", "case", "struct", "class", "enum", "actor",
        "extension", "protocol", "typealias", "associatedtype", "import", "public", "package", "internal",
        "private", "fileprivate", "static", "mutating", "nonisolated", "override", "final", "return", "@",
        "#",
        "if", "for", "while", "guard", "switch", "do", "try", "await", "self", "defer", "repeat", "throw",
    ]
}
