import Foundation

/// Plays scenes on one channel, since a walkthrough is read from top to bottom.
@MainActor
struct ScenePlayer {
    /// Runs one statement; Ctrl-C and the server are behind this.
    let run: (Statement) async -> StatementOutcome
    /// Whether a statement claims that the one before failed.
    let expectsError: (String) -> Bool
    /// What the prompt says.
    let prompt: () async -> String
    let outlet: Outlet
    let paint: Paint
    /// Who is waited for before each command; nothing when all plays by itself.
    let audience: Audience?

    /// Somebody who says when to play on, and may try commands in between.
    struct Audience {
        /// Waits for a line behind that prompt; an empty one plays on.
        let read: (_ prompt: String) -> LineEditor.Event
        /// Runs a command that is no part of the scene.
        let run: (String) async -> StatementOutcome
    }

    /// Plays one scene and stops at its first failure.
    func play(_ scene: Scene, number: Int, of count: Int) async throws -> SceneTally {
        var tally = SceneTally(scene: scene.name)
        try outlet.data(
            "\n" + paint.heading("Scene \(number) of \(count): \(VisibleText.line(scene.title))") + "\n\n")
        for (index, step) in scene.steps.enumerated() {
            switch step {
            case .narration(let words):
                let shown = words.isEmpty ? "" : "# \(VisibleText.line(words))"
                try outlet.data(paint.quiet(shown) + "\n")
            case .invitation(let words):
                try outlet.data(paint.heading("You try: ") + VisibleText.line(words) + "\n")
                guard audience != nil else { continue }
                outlet.talk("the prompt is yours; Return on an empty line goes on with the tour\n")
                if try await !mayPlayOn(await prompt()) {
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
        try outlet.data(paint.hint(asked) + VisibleText.escaped(statement.text) + "\n")
        if try await !mayPlayOn("(Return plays this) ") {
            tally.failure = .interrupted
            return
        }
        let outcome = await run(statement)
        try outlet.data(outcome.rendering.data + outcome.rendering.talk)
        if outcome.isHeldClaim {
            try outlet.data(paint.quiet("as expected") + "\n")
            tally.claims += 1
        } else {
            tally.commands += 1
        }
        guard let complaint = outcome.complaint else { return }
        let isExpected = next.map { expectsError($0.text) } ?? false
        if !isExpected || complaint.exit == .interrupted { tally.failure = complaint }
    }

    /// Lets the audience try commands until it wants to see the next one; false when it has seen enough.
    private func mayPlayOn(_ asked: String) async throws -> Bool {
        guard let audience else { return true }
        while case .line(let line) = audience.read(asked) {
            if line.allSatisfy(\.isWhitespace) { return true }
            let outcome = await audience.run(line)
            try outlet.data(outcome.rendering.data + outcome.rendering.talk)
            if outcome.leavesWith != nil { return false }
        }
        return false
    }

    private static func statement(_ step: Scene.Step) -> Statement? {
        if case .statement(let statement) = step { statement } else { nil }
    }
}
