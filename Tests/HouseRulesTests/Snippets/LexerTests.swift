// Owns the tests of the lexer: what is code, what is a comment, what is a string.

import Testing

@Suite("The lexer")
struct LexerTests {
    static let cases: [(text: String, words: [String])] = [
        ("a // b", ["a"]),
        ("a /* b /* c */ d */ e", ["a", "e"]),
        ("\"a\" b", ["\"", "\"", "b"]),
        (#""a\"b" c"#, ["\"", "\"", "c"]),
        (#""a \(b + "c \(d)") e" f"#, ["\"", "(", "b", "+", "\"", "(", "d", ")", "\"", ")", "\"", "f"]),
        (##"#"a \(b) \#(c)"# d"##, ["#", "\"", "(", "c", ")", "\"", "#", "d"]),
        ("\"\"\"\n a \"quoted\" // b\n\"\"\" c", ["\"", "\"", "\"", "\"", "\"", "\"", "c"]),
        ("x = /a\"b/ c", ["x", "=", "/", "/", "c"]),
        ("x = #/a\"/b/# c", ["x", "=", "#", "/", "/", "#", "c"]),
        ("a / b / c \"d\"", ["a", "/", "b", "/", "c", "\"", "\""]),
        ("reduce(1, /) // b", ["reduce", "(", "1", ",", "/", ")"]),
        ("`default` a!=b", ["`default`", "a", "!=", "b"]),
        ("\"🤡 // é\" é", ["\"", "\"", "é"]),
        ("\"never closed\nb", ["\"", "b"]),
        ("\"\"\"\nnever closed", ["\"", "\"", "\""]),
        ("/* never closed", []),
        (#"a "\("#, ["a", "\"", "("]),
    ]

    @Test("Code is what is left without comments and strings", arguments: cases)
    func code(text: String, words: [String]) {
        #expect(snippet(text).tokens.map(\.text) == words)
    }

    @Test("Lines are counted through comments and strings")
    func lines() {
        let file = snippet("/*\n*/ a\n\"\"\"\n\n\"\"\"\nb // c\n")
        #expect(file.tokens.filter(\.isWord).map(\.line) == [2, 6])
        #expect(file.comments.map(\.line) == [1, 2, 6])
    }

    @Test("Comments know their kind, their text and what stands before them")
    func comments() {
        let file = snippet("/// One.\n// Two. \na // three\n/** Four. */\n")
        #expect(
            file.comments == [
                Comment(line: 1, kind: .documentation, text: "One.", followsCode: false),
                Comment(line: 2, kind: .plain, text: "Two.", followsCode: false),
                Comment(line: 3, kind: .plain, text: "three", followsCode: true),
                Comment(line: 4, kind: .documentation, text: "Four.", followsCode: false),
            ])
    }

    @Test("Any beginning of a file is lexed without harm")
    func prefixes() {
        let text = "f(\"a\\(b)\", #\"c\"#, \"\"\"\nd\n\"\"\") /* e */ // g\nlet r = /h\\//\n"
        for length in 0...text.count {
            let file = snippet(String(text.prefix(length)))
            #expect(file.tokens.allSatisfy { $0.start < $0.end })
        }
    }
}
