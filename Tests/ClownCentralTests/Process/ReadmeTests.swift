// Owns the proof that what the README shows of the shell is what the shell prints.
import Foundation
import Testing

@testable import ClownCentral

@Suite("The README")
struct ReadmeTests {
    private static func text() throws -> String {
        try String(contentsOf: ShellWorld.package.appendingPathComponent("README.md"), encoding: .utf8)
    }

    @Test("shows a conversation that the shell has, word by word")
    func transcript() async throws {
        let block = try #require(
            try Self.text().split(separator: "```\n").first { $0.contains("alice@terminal> ") })
        let lines = block.split(separator: "\n").map(String.init).dropFirst()
        try await ShellWorld.run { world in
            await world.type("as alice")
            var printed: [String] = []
            for line in lines {
                guard let prompt = line.firstRange(of: "alice@terminal> ") else { continue }
                let outcome = await world.runner.run(String(line[prompt.upperBound...]))
                #expect(outcome.complaint == nil)
                let text = outcome.rendering.data + outcome.rendering.talk
                printed += [line] + text.split(separator: "\n").map(String.init)
            }
            #expect(printed == Array(lines))
        }
    }

    @Test("makes the app that the template's test makes")
    func newApp() throws {
        #expect(try Self.text().contains("new TaskBook --entity Task:title,done:bool,due:date"))
    }
}
