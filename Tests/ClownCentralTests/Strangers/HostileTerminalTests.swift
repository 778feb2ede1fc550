// Owns the proof at a real terminal that text of strangers does not act on it.
import Foundation
import Testing

@Suite("Text of strangers at a terminal", .timeLimit(.minutes(2)))
struct HostileTerminalTests {
    @Test("Lists, errors, pushes, completion, the pager and colours leave it harmless")
    func shell() async throws {
        let files = FileManager.default
        let home = files.temporaryDirectory.appendingPathComponent("tty-\(UUID().uuidString)")
        try files.createDirectory(at: home, withIntermediateDirectories: true)
        defer { try? files.removeItem(at: home) }
        let many = (1...30).map { "party create \"Row \($0) \(HostileText.text)\"" }.joined(separator: "\n")
        let script = """
            as bob
            party create "\(HostileText.text)"
            party create Tea --place "\(HostileText.text)"
            \(many)
            as alice
            """
        let file = home.appendingPathComponent("start.clown")
        try Data(script.utf8).write(to: file)
        let session = try TerminalSession(
            ["--ephemeral", "--startup", file.path, "--color", "always"], home: home,
            environment: ["PAGER": "sed 's/^/paged /'"], columns: 200)
        try await session.sees("alice@terminal> ")
        for (line, shown) in [
            ("party list --limit 5", HostileText.shown), ("party show Tea", HostileText.shown),
            ("party list", "paged "), ("mode csv", "answers are csv"), ("party list", HostileText.shown),
            ("party list | cat", HostileText.shown), ("mode table", "answers are table"),
            ("party show Row", "could be any of these"), ("subscribe parties", "subscribed"),
            ("push listen", "push"), ("echo on", "echo is on"),
            ("bob@phone: party create \"Last \(HostileText.text.dropFirst(10))\"", "created Last"),
        ] {
            // A terminal takes control characters as keys, so they come by the file only.
            let typed = String(
                line.unicodeScalars.filter { $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) })
            session.type(typed + "\r")
            try await session.sees(shown)
            try await session.sees("> ")
        }
        session.type("party show \t")
        try await session.sees("Row 1")
        session.type("\u{3}")
        try await session.sees("> ")
        session.type("\u{4}")
        #expect(await session.code() == 0)
        let raw = session.raw
        #expect(!raw.contains("\u{1B}]0;title"))
        #expect(!raw.contains("\u{9B}"))
        let shown = raw.components(separatedBy: "bob@phone:")[0]
        #expect(!shown.contains("\u{202E}") && !shown.contains("\u{200B}") && !shown.contains("\u{2028}"))
        #expect(shown.contains("\u{1B}[1m"), "our own colours are there")
    }
}
