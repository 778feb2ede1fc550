import Foundation
import Testing

@testable import CommandShell

@Suite("Statements, history and scenes")
struct StatementTests {
    @Test("A statement has the number of its first line")
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

    @Test("The error of a command that reached the time limit has the whole limit", arguments: ["0.5", "30"])
    func timeLimit(seconds: String) throws {
        let shellError = StatementRunner.tookTooLong(try #require(Double(seconds)))
        #expect(shellError.message == "the command took longer than \(seconds) s")
    }

    @Test("An incomplete last statement is a statement")
    func openEnd() {
        #expect(Statement.statements(in: "album show \"X") == [Statement(line: 1, text: "album show \"X\n")])
        #expect(Statement.statements(in: "# it's a comment\\\nx").count == 2)
    }

    @Test("The history has no duplicates, no lines that begin with a blank, and a limit")
    func history() {
        var history = HistoryList(limit: 3)
        let added = ["a", " secret", "", "b", "a ", "c\nd\\", "e"].map { history.add($0) }
        #expect(added == [true, false, false, true, true, true, true])
        #expect(history.lines == ["a", "c\nd\\", "e"])
        #expect(HistoryList(fileText: history.fileText, limit: 3) == history)
    }

    @Test("A scene has a title, narration and statements")
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
