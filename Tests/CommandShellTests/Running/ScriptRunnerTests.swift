import Foundation
import Synchronization
import Testing

@testable import CommandShell

@MainActor
@Suite("A script")
struct ScriptRunnerTests {
    /// Runs lines: `bad CODE` fails with an exit code, `quit N` ends the script, and any other line succeeds.
    private func play(
        _ lines: [String],
        isScript: Bool = true,
        keepsGoing: Bool = false
    ) async -> (code: Int32, ran: [String]) {
        var ran: [String] = []
        var left = lines.enumerated().map { Statement(line: $0 + 1, text: $1) }
        let runner = ScriptRunner(
            run: { statement in
                ran.append(statement.text)
                return Self.outcome(statement.text)
            },
            expectsError: { $0 == "expect error" },
            output: OutputChannels(data: { _ in }, message: { _ in }),
            keepsGoing: keepsGoing,
            isScript: isScript
        )
        let code = await runner.play { left.isEmpty ? nil : left.removeFirst() }
        return (code, ran)
    }

    private static func outcome(_ text: String) -> StatementOutcome {
        let words = text.split(separator: " ")
        let number = words.last.flatMap { Int32($0) } ?? 0
        if text.hasPrefix("quit") { return StatementOutcome(exitCode: number) }
        guard text.hasPrefix("bad") else { return StatementOutcome() }
        let exit = ExitStatus(rawValue: number) ?? .failed
        return StatementOutcome(shellError: ShellError(code: "bad", message: "bad", exit: exit))
    }

    @Test("runs to its end")
    func end() async {
        let result = await play(["a", "b"])
        #expect(result.code == 0)
        #expect(result.ran == ["a", "b"])
    }

    @Test("stops at the first failure with 3")
    func stops() async {
        let result = await play(["a", "bad 4", "b"])
        #expect(result.code == 3)
        #expect(result.ran == ["a", "bad 4"])
    }

    @Test("of the command line stops with the code of the failure", arguments: [1, 2, 4, 5, 6] as [Int32])
    func commands(code: Int32) async {
        #expect(await play(["bad \(code)", "b"], isScript: false).code == code)
    }

    @Test("continues when the next line expects the failure")
    func expected() async {
        let result = await play(["bad 1", "expect error", "b"])
        #expect(result.code == 0)
        #expect(result.ran.count == 3)
    }

    @Test("continues after a failure if asked to, and still ends with its code")
    func keepsGoing() async {
        let result = await play(["bad 5", "bad 1", "b"], isScript: false, keepsGoing: true)
        #expect(result.code == 5)
        #expect(result.ran.count == 3)
    }

    @Test("ends with the code of `quit`")
    func quit() async {
        let result = await play(["a", "quit 7", "b"])
        #expect(result.code == 7)
        #expect(result.ran == ["a", "quit 7"])
    }

    @Test("ends with 130 when it is interrupted")
    func interrupted() async {
        let result = await play(["bad 130", "expect error"], keepsGoing: true)
        #expect(result.code == 130)
        #expect(result.ran == ["bad 130"])
    }

    @Test("ends without an error when its output is closed")
    func closedPipe() async {
        let (code, messages) = await play(.closed)
        #expect(code == 0)
        #expect(messages.isEmpty)
    }

    @Test("fails when its output cannot be written")
    func fullDisk() async {
        let (code, messages) = await play(.unwritable("No space left on device"))
        #expect(code == 1)
        #expect(messages == ["error: standard output cannot be written: No space left on device\n"])
    }

    private func play(_ failure: StandardOutput.Failure) async -> (code: Int32, messages: [String]) {
        let messages = Mutex<[String]>([])
        let runner = ScriptRunner(
            run: { _ in StatementOutcome(rendering: Rendering(data: "x")) },
            expectsError: { _ in false },
            output: OutputChannels(
                data: { _ in throw failure }, message: { text in messages.withLock { $0.append(text) } })
        )
        let code = await runner.play { Statement(line: 1, text: "a") }
        return (code, messages.withLock { $0 })
    }
}
