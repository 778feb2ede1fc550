import Foundation
import Testing

@testable import TestKit

@Suite("Hostile text at a terminal", .timeLimit(.minutes(30)))
struct HostileTerminalTests {
    private static let mark = "\\u{202e}evil"

    /// Runs `body` with a session whose server has parties with hostile text of another person.
    private func amongParties(_ body: (TerminalSession) async throws -> Void) async throws {
        let home = try URL.newFolder()
        defer { home.remove() }
        let many = (1...30).map { "party create \"Row \($0) \(HostileText.text)\"" }.joined(separator: "\n")
        let script = "as bob\nparty create Tea --place \"\(HostileText.text)\"\n\(many)\nas alice\n"
        let file = home.appendingPathComponent("start.clown")
        try Data(script.utf8).write(to: file)
        let session = try TerminalSession(
            ["--ephemeral", "--startup", file.path, "--color", "always"], home: home,
            environment: ["PAGER": "sed 's/^/paged /'"], columns: 200)
        try await session.sees("alice@terminal> ")
        try await body(session)
        session.type("\u{4}")
        #expect(await session.code() == 0)
    }

    @Test("Lists, errors, pushes, completion and the pager send no control codes of a server to the terminal")
    func shell() async throws {
        try await amongParties { session in
            for (line, shown) in [
                ("party list --limit 5", Self.mark), ("party show Tea", Self.mark), ("party list", "paged "),
                ("mode csv", "answers are csv"), ("party list", Self.mark), ("party list | cat", Self.mark),
                ("mode table", "answers are table"), ("subscribe parties", "subscribed"),
                ("push listen", "push"), ("bob@phone: party create Last", "created Last"),
            ] {
                session.type(line + "\r")
                try await session.sees(shown)
                try await session.sees("> ")
            }
            session.type("party show \t")
            try await session.sees("Tea")
            // Ctrl-U is read in order with Ctrl-D. A Ctrl-C is a signal, which Ctrl-D can overtake.
            session.type("\u{15}")
            let raw = session.raw
            #expect(!raw.contains("\u{1B}]0;title") && !raw.contains("\u{7}Tea"))
            for character in ["\u{9B}", "\u{202E}", "\u{200B}", "\u{2028}"] {
                #expect(!raw.unicodeScalars.contains { String($0) == character })
            }
            #expect(raw.contains("\u{1B}[1m"), "our own colours are there")
        }
    }
}
