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
