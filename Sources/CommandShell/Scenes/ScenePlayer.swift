import Foundation

/// Plays scenes. All output goes to one channel, because a walkthrough is read from top to bottom.
@MainActor
struct ScenePlayer {
    /// Runs one statement, including the handling of Ctrl-C.
    let run: (Statement) async -> StatementOutcome
    /// Whether a statement claims that the previous one failed, as `expect error` does.
    let expectsError: (String) -> Bool
    /// The current prompt.
    let prompt: () async -> String
    let output: OutputChannels
    let paint: Paint
    /// The prompt at which to wait before each command that is no check; nil plays without waiting.
    let stepPrompt: StepPrompt?

    /// A person who decides when to continue and can try other commands in between.
    struct StepPrompt {
        /// Waits for a line at the given prompt. An empty line continues.
        let read: (_ prompt: String) -> LineEditor.Event
        /// Runs a command that is not part of the scene.
        let run: (String) async -> StatementOutcome
    }

    /// Plays one scene until its first failure.
    func play(_ scene: Scene, number: Int, of count: Int) async throws -> SceneTally {
        var tally = SceneTally(scene: scene.name)
        try output.data(
            "\n" + paint.heading("Scene \(number) of \(count): \(VisibleText.line(scene.title))") + "\n\n")
        for (index, step) in scene.steps.enumerated() {
            switch step {
            case .narration(let words):
                let shown = words.isEmpty ? "" : "# \(VisibleText.line(words))"
                try output.data(paint.quiet(shown) + "\n")
            case .invitation(let words):
                try output.data(paint.heading("You try: ") + VisibleText.line(words) + "\n")
                guard stepPrompt != nil else { continue }
                output.message("type any command; an empty line continues the walkthrough\n")
                if try await !audienceContinues(await prompt()) {
                    tally.failure = .interrupted
                    return tally
                }
            case .statement(let statement):
                let next = scene.steps.dropFirst(index + 1).lazy.compactMap(Self.statement).first
                try await play(statement, before: next, &tally)
                if tally.failure != nil { return tally }
            }
        }
        return tally
    }

    private func play(_ statement: Statement, before next: Statement?, _ tally: inout SceneTally) async throws
    {
        let asked = VisibleText.line(await prompt())
        try output.data(paint.hint(asked) + VisibleText.escaped(statement.text) + "\n")
        // A check belongs to the command before it and needs no Return of its own.
        if !Self.isCheck(statement), try await !audienceContinues("(Return plays this) ") {
            tally.failure = .interrupted
            return
        }
        let outcome = await run(statement)
        try output.data(outcome.rendering.data + outcome.rendering.messages)
        if outcome.isHeldClaim {
            try output.data(paint.quiet("as expected") + "\n")
            tally.claims += 1
        } else {
            tally.commands += 1
        }
        guard let shellError = outcome.shellError else { return }
        let isExpected = next.map { expectsError($0.text) } ?? false
        if !isExpected || shellError.exit == .interrupted { tally.failure = shellError }
    }

    /// Lets the person try commands until they continue. Returns false if they stop the walkthrough.
    private func audienceContinues(_ asked: String) async throws -> Bool {
        guard let stepPrompt else { return true }
        while case .line(let line) = stepPrompt.read(asked) {
            if line.allSatisfy(\.isWhitespace) { return true }
            let outcome = await stepPrompt.run(line)
            try output.data(outcome.rendering.data + outcome.rendering.messages)
            if outcome.exitCode != nil { return false }
        }
        return false
    }

    private static func isCheck(_ statement: Statement) -> Bool {
        (try? Tokenizer.words(in: statement.text))?.first?.text == "expect"
    }

    private static func statement(_ step: Scene.Step) -> Statement? {
        if case .statement(let statement) = step { statement } else { nil }
    }
}
