import Foundation
import Testing

@testable import CommandShell

@Suite("Splitting a line into words")
struct TokenizerTests {
    @Test(
        "Blanks separate words; quotes, escapes and comments are read",
        arguments: [
            ("album list", ["album", "list"]),
            ("  album\t list  ", ["album", "list"]),
            (#"album create "Balloon Ball""#, ["album", "create", "Balloon Ball"]),
            (#"a 'b "c" d' e"#, ["a", #"b "c" d"#, "e"]),
            (#"a "say \"hi\"" b"#, ["a", #"say "hi""#, "b"]),
            (#"one\ word"#, ["one word"]),
            (#"place="Pier 7""#, ["place=Pier 7"]),
            ("seed # all of them", ["seed"]),
            ("a#b", ["a#b"]),
            (#"\q"#, [#"\q"#]),
            (#"\?"#, [#"\?"#]),
            (#"empty """#, ["empty", ""]),
            ("# nothing", []),
            ("", []),
            ("Zoë 🤡", ["Zoë", "🤡"]),
        ]
    )
    func words(line: String, expected: [String]) throws {
        #expect(try Tokenizer.words(in: line).map(\.text) == expected)
    }

    @Test("A word has its range of characters")
    func ranges() throws {
        let words = try Tokenizer.words(in: #"album show "Balloon Ball" 🤡 x"#)
        #expect(words.map(\.range) == [0..<5, 6..<10, 11..<25, 26..<27, 28..<29])
        #expect(words.map(\.isQuoted) == [false, false, true, false, false])
    }

    @Test("An error points at a quote that is not closed")
    func openQuote() {
        let shellError = #expect(throws: ShellError.self) { try Tokenizer.words(in: #"album show "Ball"#) }
        #expect(shellError?.span == 11..<12)
        #expect(shellError?.remedy == #"close it with ", or write \" if it belongs to the text"#)
        #expect(shellError?.exit == .usage)
    }

    @Test(
        "A quoted word is read as the original word",
        arguments: ["Coffee", "Balloon Ball", #"a "b" \c"#, "#1", "", "it's"])
    func quoting(text: String) throws {
        #expect(try Tokenizer.words(in: Quoting.quoted(text)).map(\.text) == [text])
    }
}
