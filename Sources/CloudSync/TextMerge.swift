/// Merges texts by what each side contributed to the one they came from.
///
/// A contribution is a run of words put in between two words of the common text. All contributions of both
/// sides are kept, the server's before this device's where they meet; a word of the common text goes when
/// either side took it out. Words that both put in at the same place, in the same order, are put in once, so
/// that one's own words which come back from the server do not double.
///
/// What long texts have in common is found in less detail where they differ much (see `CommonOrder`): then a
/// word that both sides have may count as replaced by both, and be there twice. No word is lost by it.
enum TextMerge {
    /// A word and the blanks before it. Words are the same whatever the blanks.
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

    /// What a text adds before each word of the common one and at its end, and which of its words it keeps,
    /// as they are spelled there.
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

    /// The first list with what the second has besides.
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

    /// The places of the words that two lists have in common, in order.
    private static func matches(_ old: [Token], _ new: [Token]) -> [(old: Int, new: Int)] {
        // Equal words get equal numbers, which are compared faster than texts.
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

    /// Words of different sides never run together.
    private static func joined(_ tokens: [Token]) -> String {
        var text = ""
        for token in tokens {
            let needsBlank = token.blanks.isEmpty && !token.word.isEmpty && text.last?.isWhitespace == false
            text += (needsBlank ? " " : token.blanks) + token.word
        }
        return text
    }
}
