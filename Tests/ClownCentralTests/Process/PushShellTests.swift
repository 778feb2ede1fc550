// Owns the proof that a push shows above a half-typed line, at a terminal as people have it.
import Foundation
import Testing

@testable import ClownCentral

/// The app's program at a pseudo-terminal, which `script` makes.
private final class Terminal: Sendable {
    private let process: Process
    private let keyboard = Pipe()
    private let screen = Pipe()

    init(_ arguments: [String]) throws {
        let words = [try Program.path("clown-central")] + arguments
        process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/script")
        process.arguments = ["-qfc", words.map(Quoting.quoted).joined(separator: " "), "/dev/null"]
        process.environment = [
            "TERM": "xterm", "HOME": "/nonexistent", "PATH": "/usr/bin:/bin", "COLUMNS": "100",
        ]
        process.standardInput = keyboard
        process.standardOutput = screen
        process.standardError = screen
        try process.run()
    }

    func type(_ text: String) throws {
        try keyboard.fileHandleForWriting.write(contentsOf: Data(text.utf8))
    }

    /// What shows until the text does, that included; all there is when the program ends before.
    func shows(_ text: String) async -> String {
        let screen = screen.fileHandleForReading
        return await withCheckedContinuation { answer in
            DispatchQueue.global().async {
                var shown = Data()
                while shown.range(of: Data(text.utf8)) == nil {
                    // One byte at a time: what follows is for whoever waits next.
                    guard let byte = try? screen.read(upToCount: 1), !byte.isEmpty else { break }
                    shown += byte
                }
                answer.resume(returning: String(decoding: shown, as: UTF8.self))
            }
        }
    }

    func end() {
        process.terminate()
        process.waitUntilExit()
    }
}

@Suite("Pushes at the shell", .timeLimit(.minutes(2)))
struct PushShellTests {
    @Test("A push shows above a half-typed line, and the line is as it was")
    func halfTyped() async throws {
        try await ShellWorld.run { world in
            let site = await world.runner.interpreter.site
            let address = try #require(site.address?.absoluteString)
            _ = await world.runner.run("as alice")
            _ = await world.runner.run("on mac")
            let create = "party create Old --place Pier --at 1,1 --starts 2030-01-01"
            #expect(await world.runner.run(create).complaint == nil)
            let terminal = try Terminal(["--server", address, "--as", "alice", "--on", "phone"])
            defer { terminal.end() }
            let prompt = "alice@phone> "
            #expect(await terminal.shows(prompt).hasSuffix(prompt))
            try terminal.type("subscribe parties --text Hello\n")
            #expect(await terminal.shows("subscribed: parties").hasSuffix("parties"))
            try terminal.type("push listen\n")
            #expect(await terminal.shows("pushes arrive on phone").hasSuffix("on phone"))
            #expect(await terminal.shows(prompt).hasSuffix(prompt))
            try terminal.type("party lis")
            #expect(await terminal.shows("party lis").hasSuffix("party lis"))
            #expect(await world.runner.run(create.replacing("Old", with: "New")).complaint == nil)
            let news = "alice@phone: Hello, recordCreated New"
            #expect(await terminal.shows(news).hasSuffix(news))
            let again = await terminal.shows("\(prompt)party lis")
            #expect(again.hasSuffix("\(prompt)party lis"))
            try terminal.type("t\n")
            #expect(await terminal.shows("New ").contains("NAME"))
        }
    }
}
