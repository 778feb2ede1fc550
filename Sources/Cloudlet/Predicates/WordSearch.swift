internal import Records

/// A search for words in all texts of a record: `SELF CONTAINS 'a b'`, `allTokens TOKENMATCHES[cdl] 'a b'`,
/// or `ALL tokenize('a b', 'Cdl') IN allTokens`. Every word must occur somewhere in the record; with `ANY`,
/// one word is enough.
///
/// The syntax is described at <https://developer.apple.com/documentation/cloudkit/ckquery>.
struct WordSearch {
    let text: String
    let isAny: Bool

    /// Creates a search; nil if the comparison is not a word search.
    init?(_ comparison: PredicateComparison) {
        switch (comparison.left, comparison.relation, comparison.right) {
        case (let whole, .contains, .constant(.string(let words)?)) where whole.isWholeRecord,
            (let whole, .tokenMatches, .constant(.string(let words)?)) where whole.isWholeRecord:
            text = words
        case (.function(let name, let parameters), .isIn, let whole) where whole.isWholeRecord,
            (let whole, .contains, .function(let name, let parameters)) where whole.isWholeRecord:
            guard name.lowercased().hasPrefix("tokenize"),
                case .constant(.string(let words)?)? = parameters.first
            else { return nil }
            text = words
        default: return nil
        }
        isAny = comparison.quantifier == .any
    }

    func finds(in tokens: [String]) -> Bool {
        let wanted = searchTokens(text)
        return isAny ? wanted.contains(where: tokens.contains) : wanted.allSatisfy(tokens.contains)
    }
}

extension PredicateExpression {
    fileprivate var isWholeRecord: Bool { self == .itself || self == .key("allTokens") }
}
