// Owns the rule that Sources are free of banned constructs, to-do notes and code in comments.

enum BannedRule {
    static func findings(
        in file: SourceFile, constructs: [BannedConstruct] = BannedConstruct.all
    ) -> [Finding] {
        guard file.path.hasPrefix("Sources/") else { return [] }
        return constructs.flatMap { findings(of: $0, in: file) }
            + file.comments.compactMap { finding(in: $0, of: file.path) }
    }

    private static func findings(of construct: BannedConstruct, in file: SourceFile) -> [Finding] {
        guard !construct.freeIn.contains(where: file.path.hasPrefix) else { return [] }
        let reasonIsEnough = construct.reasonedIn.contains(where: file.path.hasPrefix)
        return file.tokens.indices.filter { construct.isAt($0, file) }
            .map { file.tokens[$0].line }
            .filter { !(reasonIsEnough && file.hasReason(at: $0)) }
            .map { line in
                let remedy =
                    construct.remedy
                    + (reasonIsEnough ? ", or write the reason in a // comment above" : "")
                return Finding(
                    path: file.path, line: line, problem: "\(construct.name) is banned here", remedy: remedy)
            }
    }

    private static func finding(in comment: Comment, of path: String) -> Finding? {
        if let word = ["TODO", "FIXME", "XXX", "HACK"].first(where: { comment.hasWord($0) }) {
            return Finding(
                path: path, line: comment.line, problem: "the comment says \(word)",
                remedy: "Do it now, or write an issue and describe what is there"
            )
        }
        if comment.kind == .plain, isCode(comment.text) {
            return Finding(
                path: path, line: comment.line, problem: "the comment is code",
                remedy: "Delete it; the history keeps it"
            )
        }
        return nil
    }

    /// Whether a whole line of a comment reads as a statement rather than as prose.
    static func isCode(_ text: String) -> Bool {
        codePatterns.contains { text.wholeMatch(of: $0) != nil }
    }

    nonisolated(unsafe) private static let codePatterns: [Regex<Substring>] = [
        /(?:let|var)\s+\w+(?:\s*:\s*[\w\[\].<>?: ]+)?\s*=\s.+/,
        /(?:@\w+ )*(?:\w+ )*(?:func|init|subscript)\b.*[({].*[{})]/,
        /(?:\w+ )*(?:struct|class|enum|actor|extension|protocol)\s+\w[^.]*\{.*/,
        /(?:if|guard|for|while|switch|do|defer|else|\} ?else)\b.*\{/,
        /(?:return|throw|try|await)\s+(?:try |await )*[\w.]+(?:\(.*\))?[\w.()?]*/,
        /(?:@\w+ )?import\s+\w+/,
        /[\w.]+\(.*\)[\w.()?]*(?: *\{.*)?/,
        /[A-Za-z_][\w]*(?:\.\w+|\[\w+\])+ [-+*]?= .+/,
        /(?:\w+ )?[{})\]]+[,;]?/,
        /case \.?\w+(?:\(.*\))?:.*/,
    ]
}

extension Comment {
    fileprivate func hasWord(_ word: String) -> Bool {
        text.split { !$0.isLetter }.contains { $0 == word }
    }
}
