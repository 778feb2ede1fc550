// Owns the rule that every file begins by saying what it owns and that public declarations are documented.

enum ProseRule {
    static func findings(in file: SourceFile) -> [Finding] {
        undocumented(in: file)
    }

    /// The first sentence. A manifest and a script begin with a line for their tools.
    static func header(of file: SourceFile) -> [Finding] {
        let isForTools = file.lines.first.map { $0.hasPrefix("// swift-tools-version") } ?? false
        let first = isForTools ? 2 : 1
        let block = file.comments
            .filter { $0.kind == .plain && !$0.followsCode && $0.line >= first }
            .enumerated().prefix { $0.element.line == first + $0.offset }
            .map { $0.element.text }
        return isSentence(block.joined(separator: " "))
            ? []
            : [
                Finding(
                    path: file.path, line: first, problem: "the file does not begin with a sentence",
                    remedy: "Say in a // comment on its first line what it owns"
                )
            ]
    }

    /// A capital, at least four words, a full stop.
    static func isSentence(_ text: String) -> Bool {
        guard let capital = text.first, capital.isUppercase || capital.isNumber || capital == "`" else {
            return false
        }
        let sentence = text.prefix { !".?!".contains($0) }
        return sentence.split(separator: " ").count >= 4 && sentence.endIndex < text.endIndex
    }

    /// A script says what it does in the line below the one that names its interpreter.
    static func findings(inScript file: HouseText) -> [Finding] {
        let lines = file.text.split(separator: "\n", maxSplits: 8, omittingEmptySubsequences: false)
        guard lines.first?.hasPrefix("#!") ?? false else { return [] }
        let comment = lines.dropFirst().prefix { $0.hasPrefix("# ") }.map { $0.dropFirst(2) }
        guard !isSentence(comment.joined(separator: " ")) else { return [] }
        return [
            Finding(
                path: file.path, line: 2, problem: "the script does not begin with a sentence",
                remedy: "Say in a # comment on its second line what it does"
            )
        ]
    }

    static func undocumented(in file: SourceFile) -> [Finding] {
        guard file.path.hasPrefix("Sources/") else { return [] }
        return file.tokens.indices.filter { needsSummary($0, in: file) }.compactMap { place in
            let line = file.tokens[place].line
            let first = file.tokens[attributesStart(before: place, in: file)].line
            let comments = file.commentsAbove(line: first).filter { $0.kind == .documentation }
            guard comments.last.map(\.text.isEmpty) ?? true else { return nil }
            return Finding(
                path: file.path, line: line, problem: "the public declaration has no summary",
                remedy: "Write a /// sentence above it that stands on its own, or make it less than public"
            )
        }
    }

    /// Where the attributes with arguments begin that stand before a declaration, maybe on several lines; the
    /// declaration itself if there are none.
    private static func attributesStart(before place: Int, in file: SourceFile) -> Int {
        var start = place
        while file.text(start - 1) == ")" {
            let opening = file.tokens[..<start].indices.last { index in
                file.text(index) == "(" && file.close(of: index) == start - 1
            }
            guard let opening, file.text(opening - 2) == "@" else { break }
            start = opening - 2
        }
        return start
    }

    /// Whether a public declaration begins here: no import, extension, override or setter's level.
    private static func needsSummary(_ place: Int, in file: SourceFile) -> Bool {
        guard ["public", "open"].contains(file.text(place)), file.text(place - 1) != ".",
            file.text(place + 1) != "(", file.tokens.indices.contains(place + 1),
            file.tokens[place + 1].isWord
        else { return false }
        let line = file.tokens[place].line
        let before = file.tokens[..<place].reversed().prefix { $0.line == line }.map(\.text)
        let after = file.tokens[(place + 1)...].prefix { $0.line == line && $0.text != "{" && $0.text != "=" }
        let words = before + after.prefix(6).map(\.text)
        return !words.contains("override") && !["import", "extension"].contains(file.text(place + 1))
            && !before.contains("=")
    }
}
