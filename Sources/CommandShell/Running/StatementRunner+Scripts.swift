import Foundation

extension StatementRunner {
    /// The maximum nesting depth of scripts and favourites.
    private static let maximumDepth = 8

    /// Runs the statements of a file until one fails.
    func read(_ word: Word) async throws -> StatementOutcome {
        guard let text = try? String(contentsOf: environment.file(word), encoding: .utf8) else {
            throw ShellError.usage("the script \(word.text) cannot be read", at: word.range)
        }
        try increaseDepth(of: "scripts", word)
        defer { state.change { $0.depth -= 1 } }
        return await play(text, from: word.text)
    }

    /// Runs the statements of a script until one fails. Errors name the script.
    func play(_ text: String, from script: String) async -> StatementOutcome {
        var runner = self
        runner.script = script
        let statements = Statement.statements(in: text)
        var whole = StatementOutcome()
        for (index, statement) in statements.enumerated() {
            emit(Rendering(messages: echo(of: statement.text)), in: &whole.rendering)
            let outcome = await runner.run(statement.text, line: statement.line)
            emit(outcome.rendering, in: &whole.rendering)
            if outcome.exitCode != nil || fails(outcome, before: statements.dropFirst(index + 1).first) {
                whole.shellError = outcome.shellError
                whole.exitCode = outcome.exitCode
                return whole
            }
        }
        return whole
    }

    /// Increases the nesting depth, and throws if it is too large: a script could read itself, and a
    /// favourite could run itself.
    private func increaseDepth(of what: String, _ word: Word) throws {
        try Task.checkCancellation()
        guard state.current.depth < Self.maximumDepth else {
            throw ShellError.usage(
                "\(what) are nested more than \(Self.maximumDepth) deep", at: word.range)
        }
        state.change { $0.depth += 1 }
    }

    // MARK: Favourites

    func runFavourite(_ name: Word, _ arguments: [String]) async throws -> StatementOutcome {
        let all = environment.favourites.load()
        guard let kept = all[name.text] else { throw noFavourite(name, all) }
        var missing: Int?
        let line = try expanded(kept) { place in
            guard let place = Int(place) else { return nil }
            if place > arguments.count { missing = missing ?? place }
            return place > arguments.count ? nil : arguments[place - 1]
        }
        if let missing { throw ShellError.usage("$\(missing) of `\(kept)` is missing", at: name.range) }
        try increaseDepth(of: "favourites", name)
        defer { state.change { $0.depth -= 1 } }
        return await run(line)
    }

    func saveFavourite(_ line: String, as name: String) throws -> StatementOutcome {
        var all = environment.favourites.load()
        all[name] = line
        try environment.favourites.save(all)
        return messageOutcome("saved \(name); run it with: favourite run \(name)")
    }

    func removeFavourite(_ name: Word) throws -> StatementOutcome {
        var all = environment.favourites.load()
        guard all.removeValue(forKey: name.text) != nil else { throw noFavourite(name, all) }
        try environment.favourites.save(all)
        return messageOutcome("deleted the favourite \(name.text)")
    }

    private func noFavourite(_ name: Word, _ all: [String: String]) -> ShellError {
        ShellError.usage(
            "there is no favourite `\(name.text)`", at: name.range,
            suggestions: DidYouMean.suggestions(for: name.text, among: all.keys.sorted()),
            remedy: "favourite list")
    }

    /// The possible values of a kind: those of favourites from the shell, all others from the program. The
    /// program may return only those with the prefix `typed`.
    public func candidates(
        for kind: ValueKind, beginningWith typed: String, after words: [String] = []
    ) async -> [Candidate] {
        guard kind == .favourite else {
            return await program.candidates(for: kind, beginningWith: typed, after: words)
        }
        return environment.favourites.load().sorted { $0.key < $1.key }.map { Candidate($0.key, $0.value) }
    }

    func listFavourites() async -> StatementOutcome {
        let entries = environment.favourites.load().sorted { $0.key < $1.key }.map { name, line in
            Entry([AnswerField("name", .text(name)), AnswerField("command", .text(line))])
        }
        let answer = Answer(
            form: .list, entries: entries, columns: [Column("NAME", "name"), Column("COMMAND", "command")],
            whenEmpty: "no favourites yet; save one: favourite save NAME 'COMMAND with $1'")
        return await answered(answer)
    }
}
