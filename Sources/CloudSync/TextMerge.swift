/// Merges two texts word by word, by what each side added to and removed from their common base.
///
/// All words that either side added are kept, at their place between two words of the base; where both sides
/// added words, the server's come first. A word of the base is removed if either side removed it. Words that
/// both sides added at the same place in the same order appear once, so that this device's own words do not
/// double when they come back from the server.
///
/// Long texts that differ much are compared in less detail (see `CommonOrder`). Then a word that both sides
/// kept may count as replaced by each of them, and appear twice. No word is lost.
enum TextMerge {
    /// A word and the white space before it. Words are equal whatever white space is before them.
    fileprivate struct Token: Hashable {
        var blanks: String
        var word: String

        static func == (left: Token, right: Token) -> Bool { left.word == right.word }
        func hash(into hasher: inout Hasher) { hasher.combine(word) }
    }

    static func merged(base: String, local: String, server: String) -> String {
        if local == server || server == base { return local }
        if local == base { return server }
        let common = tokens(base)
        let ours = contributions(tokens(local), to: common)
        let theirs = contributions(tokens(server), to: common)
        var merged: [Token] = []
        for place in 0...common.count {
            merged += union(theirs.added[place], ours.added[place])
            guard place < common.count, let our = ours.kept[place], let their = theirs.kept[place] else {
                continue
            }
            merged.append(our.blanks == common[place].blanks ? their : our)
        }
        if let first = merged.first, local.first?.isWhitespace != true, server.first?.isWhitespace != true {
            merged[0] = Token(blanks: "", word: first.word)
        }
        return joined(merged)
    }

    /// Returns the words that a text adds before each word of the base and at its end, and the words of the
    /// base that it keeps, with their white space in this text.
    private static func contributions(
        _ text: [Token], to common: [Token]
    ) -> (added: [[Token]], kept: [Token?]) {
        var added = [[Token]](repeating: [], count: common.count + 1)
        var kept = [Token?](repeating: nil, count: common.count)
        var next = 0
        var place = 0
        for (old, new) in matches(common, text) {
            added[place] += text[next..<new]
            kept[old] = text[new]
            (next, place) = (new + 1, old + 1)
        }
        added[place] += text[next...]
        return (added, kept)
    }

    /// Returns the first list, with the words that only the second one has inserted.
    private static func union(_ first: [Token], _ second: [Token]) -> [Token] {
        if second.isEmpty { return first }
        var all: [Token] = []
        var (one, two) = (0, 0)
        for (same, other) in matches(first, second) {
            all += first[one..<same] + second[two..<other] + [first[same]]
            (one, two) = (same + 1, other + 1)
        }
        return all + first[one...] + second[two...]
    }

    /// Returns the positions of the words that two lists have in common, in order.
    private static func matches(_ old: [Token], _ new: [Token]) -> [(old: Int, new: Int)] {
        // Equal words get equal numbers, which are faster to compare than texts.
        var numbers: [Token: Int] = [:]
        func numbered(_ tokens: [Token]) -> [Int] {
            tokens.map { token in
                let number = numbers[token] ?? numbers.count
                numbers[token] = number
                return number
            }
        }
        return CommonOrder.matches(numbered(old), numbered(new))
    }

    private static func tokens(_ text: String) -> [Token] {
        var tokens: [Token] = []
        var rest = text[...]
        while !rest.isEmpty {
            let blanks = rest.prefix(while: \.isWhitespace)
            let word = rest.dropFirst(blanks.count).prefix { !$0.isWhitespace }
            tokens.append(Token(blanks: String(blanks), word: String(word)))
            rest = rest.dropFirst(blanks.count + word.count)
        }
        return tokens
    }

    /// Joins words, with a blank between words of different sides that have none.
    private static func joined(_ tokens: [Token]) -> String {
        var text = ""
        for token in tokens {
            let needsBlank = token.blanks.isEmpty && !token.word.isEmpty && text.last?.isWhitespace == false
            text += (needsBlank ? " " : token.blanks) + token.word
        }
        return text
    }
}
