import Testing

@testable import CommandShell

@Suite("Substitution of variables")
struct SubstitutionTests {
    private func replaced(_ text: String, _ value: String) -> String {
        Substitution.replaced(in: text) { $0 == "_" ? value : nil }
    }

    @Test("A value stays one word inside and outside of quotes")
    func words() {
        #expect(replaced("show $_", "a b") == "show \"a b\"")
        #expect(replaced("show \"$_!\"", "a b") == "show \"a b!\"")
        #expect(replaced("list | grep $_", "a; b") == "list | grep \"a; b\"")
        #expect(replaced("list | echo $(basename $_)", "a; b") == "list | echo $(basename \"a; b\")")
    }

    @Test(
        "Only plain values are inserted where `sh` parses twice",
        arguments: [
            "list | echo \"$(basename $_)\"", "list | echo \"$(basename \"$_\")\"",
            "list | echo `basename $_`", "list | echo \"`basename $_`\"",
            "list | echo $(echo \"$(basename $_)\")",
        ])
    func nested(line: String) {
        for value in ["x; touch y", "$(touch y)", "`touch y`", "a|b", "~root"] {
            #expect(replaced(line, value) == line)
        }
        #expect(replaced(line, "plain.txt") == line.replacing("$_", with: "plain.txt"))
    }

    @Test(
        "A mark is seen after a letter with which it is one character",
        arguments: ["\u{0D4E}", "\u{111C2}", "\u{111C3}", "\u{0600}"])
    func combiningLetters(letter: String) {
        for mark in " !\"#$%&'()*;<>?[\\]^`{|}" {
            let name = "x\(letter)\(mark)y"
            #expect(Quoting.isNeeded(inName: name))
            #expect(!ShellWord.isPlain(name))
            let line = replaced("list | echo $_", name)
            let isQuoted = line.unicodeScalars.starts(with: "list | echo \"x\(letter)".unicodeScalars)
            #expect(line == "list | echo $_" || isQuoted)
        }
        #expect(replaced("list | echo $_", "x\(letter);id") == "list | echo \"x\(letter);id\"")
        // The letter would combine with the space or the quote after it.
        #expect(replaced("show $_ | cat", "x\(letter)") == "show $_ | cat")
    }

    @Test(
        "Letters, digits and accents of all scripts need no quotes",
        arguments: [
            "Zoë", "e\u{301}te\u{301}", "Клоун", "小丑", "विदूषक", "½", "37.78,-122.40", "-5", "a\u{0D4E}b",
        ])
    func plainNames(name: String) {
        #expect(Quoting.name(name) == name)
    }

    @Test("Before `|`, and in single quotes, backticks and brackets are text")
    func text() {
        #expect(replaced("note add \"`5` $_\"", "a b") == "note add \"`5` a b\"")
        #expect(replaced("note add \"$(5) $_\"", "a b") == "note add \"$(5) a b\"")
        #expect(replaced("list | echo '`' $_", "a b") == "list | echo '`' \"a b\"")
    }
}
