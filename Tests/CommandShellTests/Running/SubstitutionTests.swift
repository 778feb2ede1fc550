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

    @Test("Before `|`, and in single quotes, backticks and brackets are text")
    func text() {
        #expect(replaced("note add \"`5` $_\"", "a b") == "note add \"`5` a b\"")
        #expect(replaced("note add \"$(5) $_\"", "a b") == "note add \"$(5) a b\"")
        #expect(replaced("list | echo '`' $_", "a b") == "list | echo '`' \"a b\"")
    }
}
