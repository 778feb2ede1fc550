import Foundation
import Testing

@testable import CommandShell

@Suite("Lines become statements")
struct StatementTests {
    @Test("one by one, with the number of the line that each begins at")
    func lines() {
        let text = "seed\r\n\nalbum create X \\\n  --place here\nalbum create \"two\nlines\"\nstatus"
        #expect(
            Statement.statements(in: text) == [
                Statement(line: 1, text: "seed"),
                Statement(line: 2, text: ""),
                Statement(line: 3, text: "album create X    --place here"),
                Statement(line: 5, text: "album create \"two\nlines\""),
                Statement(line: 7, text: "status"),
            ]
        )
    }

    @Test("and an open end is a statement too")
    func openEnd() {
        #expect(Statement.statements(in: "album show \"X") == [Statement(line: 1, text: "album show \"X\n")])
        #expect(Statement.statements(in: "# it's a comment\\\nx").count == 2)
    }

    @Test("and are remembered without doubles, without what begins with a blank, and not without end")
    func history() {
        var history = HistoryList(limit: 3)
        let added = ["a", " secret", "", "b", "a ", "c\nd\\", "e"].map { history.add($0) }
        #expect(added == [true, false, false, true, true, true, true])
        #expect(history.lines == ["a", "c\nd\\", "e"])
        #expect(HistoryList(fileText: history.fileText, limit: 3) == history)
    }

    @Test("and a scene is a title, a narration and statements")
    func scene() {
        let scene = Scene(
            name: "03-tracks", text: "# Tracks\n# A track points back.\n\ntrack list\nexpect none\n")
        #expect(scene.title == "Tracks")
        #expect(
            scene.steps == [
                .narration("A track points back."),
                .statement(Statement(line: 4, text: "track list")),
                .statement(Statement(line: 5, text: "expect none")),
            ]
        )
        #expect(scene.isSelected(by: "3"))
        #expect(scene.isSelected(by: "track"))
        #expect(!scene.isSelected(by: "4"))
    }
}
