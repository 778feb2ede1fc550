import CommandShell
import Testing

@Suite("Text from other people")
struct VisibleTextTests {
    @Test(
        "has control codes and hidden characters made visible",
        arguments: [
            ("\u{1B}]0;title\u{7}Tea", "\\u{1b}]0;title\\u{7}Tea"),
            ("\u{9B}31mTea", "\\u{9b}31mTea"),
            ("\u{202E}evil", "\\u{202e}evil"),
            ("a\u{2066}b\u{2069}", "a\\u{2066}b\\u{2069}"),
            ("pay\u{200B}pal", "pay\\u{200b}pal"),
            ("a\u{2028}b\u{2029}c\u{85}d", "a\\u{2028}b\\u{2029}c\\u{85}d"),
            ("x\u{FEFF}\u{AD}\u{61C}\u{200F}", "x\\u{feff}\\u{ad}\\u{61c}\\u{200f}"),
            ("tag\u{E0041}", "tag\\u{e0041}"), ("\u{3164}", "\\u{3164}"), ("\u{7F}", "\\u{7f}"),
            ("a\u{200D}b", "a\\u{200d}b"), ("🎉\u{200D}", "🎉\\u{200d}"),
            ("over\rwritten", "over\\u{d}written"),
        ])
    func escaped(text: String, shown: String) {
        #expect(VisibleText.escaped(text) == shown)
        #expect(VisibleText.line(text) == shown)
        #expect(VisibleText.styled(text) == shown)
        #expect(!VisibleText.isLine(text))
    }

    @Test(
        "is unchanged if all of it is visible",
        arguments: ["Zoë", "東京", "👨‍👩‍👧 ❤️‍🔥 🇫🇷", "می‌خواهم", "שלום", "e\u{301}", "C:\\new 5 $ |", ""])
    func kept(text: String) {
        #expect(VisibleText.escaped(text) == text)
        #expect(VisibleText.json(text) == text)
        #expect(VisibleText.isLine(text))
    }

    @Test("keeps its lines, except where one line is required")
    func lines() {
        #expect(VisibleText.escaped("a\r\n\tb") == "a\n\tb")
        #expect(VisibleText.line("a\r\n\tb") == "a  b")
        #expect(VisibleText.indented("a\nerror: b", by: 3) == "a\n   error: b")
        #expect(!VisibleText.isLine("a\nb"))
    }

    @Test("is the same text in JSON, written with JSON's escapes")
    func json() {
        #expect(
            VisibleText.json("[\"\u{9B}31m\u{202E}\u{E0041}\"]\r\n") == #"["\u009b31m\u202e\udb40\udc41"]"#
                + "\n")
    }

    @Test("may have colours and weights, but no other sequences")
    func styles() {
        for style in ["1", "1;31", "36", "2", "0", "38;5;200;48;5;16", ""] where !style.isEmpty {
            #expect(VisibleText.styled("\u{1B}[\(style)mTea") == "\u{1B}[\(style)mTea")
            #expect(VisibleText.escaped("\u{1B}[\(style)mTea") == "\\u{1b}[\(style)mTea")
        }
        for other in ["8m", "5m", "2J", "?25l", "1;8m", "38;2;1;2;3m", "38;5m", "1A", "1\nm"] {
            #expect(VisibleText.styled("\u{1B}[\(other)") == "\\u{1b}[\(other)")
        }
        let drawing = "\u{1B}[?25l\u{1B}[38;5;9m█\u{1B}[0m\u{1B}]0;t\u{7}\n"
        #expect(VisibleText.drawing(drawing) == "\u{1B}[38;5;9m█\u{1B}[0m]0;t\n")
    }

    @Test("keeps the columns of a table in line")
    func table() {
        let rows = [["a\u{9B}\nb", "x"], ["c", "y"]].map {
            $0.map { TextTable.Cell(text: $0, isNumber: false) }
        }
        #expect(
            TextTable(headings: ["A", "B"], rows: rows).lines(width: nil) == [
                "A          B", "a\\u{9b} b  x", "c          y",
            ])
    }

    @Test(
        "is completed by shells only if it is a plain word",
        arguments: [
            ("iCloud.org.example.tea", true), ("paul@example.org", true), ("Zoë", true), ("Party_2", true),
            ("$(touch x)", false), ("`x`", false), ("a b", false), ("-rf", false), ("a;b", false),
            ("a|b", false),
            ("a'b", false), ("a\"b", false), ("~x", false), ("a*", false), ("", false), ("a\u{202E}b", false),
            ("a\nb", false), ("a\\b", false), ("{a}", false), ("a\u{200D}", false),
        ])
    func shellWords(name: String, isPlain: Bool) {
        #expect(ShellWord.isPlain(name) == isPlain)
    }
}
