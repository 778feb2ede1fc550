import Records
import Testing

@Suite("Text is split into words")
struct TextTokensTests {
    @Test(
        "Words are separated by spaces and punctuation, and folded",
        arguments: [
            ("", []), ("  ,. ", []), ("Hello, World!", ["hello", "world"]), ("a1-b2_c3", ["a1", "b2", "c3"]),
            ("Crème Brûlée", ["creme", "brulee"]), ("DON'T", ["don", "t"]), ("日本 語", ["日本", "語"]),
            ("x\ny\tz", ["x", "y", "z"]), ("🤡party🤡", ["party"]), ("Ünter", ["unter"]),
            ("٣ items", ["٣", "items"]),
        ] as [(String, [String])]
    )
    func tokens(text: String, words: [String]) {
        #expect(textTokens(text) == words)
    }

    @Test("The fast path for ASCII gives the same result")
    func shortWay() {
        for text in ["Tides of Sea", "A-b C_d", "42nd Street"] {
            #expect(textTokens(text) + ["é".folded] == textTokens(text + " é"))
        }
    }

    @Test("A long text is folded in short pieces, as if it were folded at once")
    func pieces() {
        // Folding changes the length of most of these; the last ones begin with letters of other scripts.
        let words = [
            "e\u{301}te\u{301}", "ŉ", "Straße", "İ", "ﬁn", "Ångström", "ΣΊΣΥΦΟΣ", "한글", "क्षि", "ｶﾞ", "日本",
            "٣",
        ]
        for space in ["", " "] {
            let text = (0..<1000).map { words[$0 % words.count] }.joined(separator: space)
            let pieces = Array(TextPieces(text))
            #expect(pieces.joined().unicodeScalars.elementsEqual(text.unicodeScalars))
            #expect(pieces.allSatisfy { $0.unicodeScalars.count <= 200 })
            let whole = (0..<1000).flatMap { textTokens(words[$0 % words.count]) }
            let tokens = textTokens(text)
            #expect(tokens.joined() == whole.joined())
            if !space.isEmpty { #expect(tokens == whole) }
        }
        // Without letters, a piece is cut at its maximum length.
        let marks = TextPieces(String(repeating: "\u{301}", count: 100_000))
        #expect(marks.allSatisfy { $0.unicodeScalars.count <= TextPieces.longest })
    }

    @Test("Stop words are dropped, unless the text has no others")
    func stopWords() {
        #expect(searchTokens("the party at the pier") == ["party", "pier"])
        #expect(searchTokens("to be or not") == ["to", "be", "or", "not"])
        #expect(searchTokens("") == [])
    }
}

extension String {
    /// The only word of this text.
    fileprivate var folded: String { textTokens(self).joined() }
}
