// Owns doing the commands about commands.
import CommandText
import Foundation
import Subprocess

extension StatementRunner {
    /// How many files and favourites may do each other.
    private static let deepest = 8

    func perform(_ command: ShellCommand) async throws -> StatementOutcome {
        switch command {
        case .read(let file): return try await read(file)
        case .set(let name, let value):
            state.change { $0.variables[name] = value }
            return said(value.map { "$\(name) is \($0)" } ?? "$\(name) stands for nothing")
        case .favouriteRun(let name, let arguments): return try await favourite(name, arguments)
        case .favouriteSave(let name, let line): return try keep(line, as: name)
        case .favouriteRemove(let name): return try forget(name)
        case .favourites: return favourites()
        case .timing(let isOn):
            state.change { $0.isTiming = isOn }
            return said("timing is \(isOn ? "on" : "off")")
        case .mode(let mode):
            state.change { $0.mode = mode }
            return said("answers are \(mode.rawValue)")
        case .output(let file):
            let url = try file.map(writable)
            state.change { $0.output = url }
            return said(file.map { "answers go to \($0.text)" } ?? "answers go to the screen")
        case .echo(let isOn):
            state.change { $0.isEchoing = isOn }
            return said("echo is \(isOn ? "on" : "off")")
        case .monitor(let isOn):
            let (tools, isJSON) = (interpreter.tools, renderer.isJSON)
            let watcher: @Sendable (AnsweredRequest) -> Void = { tools.tell($0.line(isJSON: isJSON)) }
            interpreter.requests.monitor(isOn ? watcher : nil)
            return said("monitor is \(isOn ? "on" : "off")")
        case .config: return settings()
        case .edit:
            throw Complaint.usage(
                "`edit` needs somebody at a terminal", remedy: "clown-central, and at its prompt: edit")
        case .clear:
            if renderer.isJSON { return StatementOutcome(rendering: renderer.render(Answer(form: .talk))) }
            interpreter.tools.clearScreen?()
            return StatementOutcome()
        }
    }

    private func said(_ words: String) -> StatementOutcome {
        StatementOutcome(rendering: renderer.render(Answer.talk(words)))
    }

    /// Does the statements of a file, each as if it were typed, up to the first that fails.
    private func read(_ word: Word) async throws -> StatementOutcome {
        guard let text = try? String(contentsOf: interpreter.tools.file(word), encoding: .utf8) else {
            throw Complaint.usage("the script \(word.text) cannot be read", at: word.range)
        }
        try goDeeper("scripts read each other", word)
        defer { state.change { $0.depth -= 1 } }
        return await play(text, from: word.text)
    }

    /// Does the statements of a script that may stand beside others, up to the first that fails.
    func play(_ text: String, from script: String) async -> StatementOutcome {
        var runner = self
        runner.script = script
        let statements = Statement.statements(in: text)
        var whole = StatementOutcome()
        for (index, statement) in statements.enumerated() {
            tell(Rendering(talk: echo(of: statement.text)), in: &whole.rendering)
            let outcome = await runner.run(statement.text, line: statement.line)
            tell(outcome.rendering, in: &whole.rendering)
            if outcome.leavesWith != nil || fails(outcome, before: statements.dropFirst(index + 1).first) {
                whole.complaint = outcome.complaint
                whole.leavesWith = outcome.leavesWith
                return whole
            }
        }
        return whole
    }

    /// Goes one deeper, and not without end: a script may read itself, a favourite may do itself.
    private func goDeeper(_ what: String, _ word: Word) throws {
        try Task.checkCancellation()
        guard state.current.depth < Self.deepest else {
            throw Complaint.usage("\(what) \(Self.deepest) deep", at: word.range)
        }
        state.change { $0.depth += 1 }
    }

    private func favourite(_ name: Word, _ arguments: [String]) async throws -> StatementOutcome {
        let all = interpreter.tools.favourites.load()
        guard let kept = all[name.text] else { throw noFavourite(name, all) }
        var missing: Int?
        let line = Substitution.replaced(in: kept) { place in
            guard let place = Int(place) else { return nil }
            if place > arguments.count { missing = missing ?? place }
            return place > arguments.count ? nil : arguments[place - 1]
        }
        if let missing { throw Complaint.usage("$\(missing) of `\(kept)` is missing", at: name.range) }
        try goDeeper("favourites do each other", name)
        defer { state.change { $0.depth -= 1 } }
        return await run(line)
    }

    private func keep(_ line: String, as name: String) throws -> StatementOutcome {
        var all = interpreter.tools.favourites.load()
        all[name] = line
        try interpreter.tools.favourites.save(all)
        return said("kept; do it with: favourite run \(name)")
    }

    private func forget(_ name: Word) throws -> StatementOutcome {
        var all = interpreter.tools.favourites.load()
        guard all.removeValue(forKey: name.text) != nil else { throw noFavourite(name, all) }
        try interpreter.tools.favourites.save(all)
        return said("forgot \(name.text)")
    }

    private func noFavourite(_ name: Word, _ all: [String: String]) -> Complaint {
        Complaint.usage(
            "there is no favourite `\(name.text)`", at: name.range,
            suggestions: DidYouMean.suggestions(for: name.text, among: all.keys.sorted()),
            remedy: "favourite list")
    }

    private func favourites() -> StatementOutcome {
        let entries = interpreter.tools.favourites.load().sorted { $0.key < $1.key }.map { name, line in
            Entry([Field("name", .text(name)), Field("command", .text(line))])
        }
        let answer = Answer(
            form: .list, entries: entries, columns: [Column("NAME", "name"), Column("COMMAND", "command")],
            whenEmpty: "no favourites yet; keep one: favourite save NAME 'COMMAND with $1'")
        return StatementOutcome(rendering: renderer.render(answer))
    }

    private func settings() -> StatementOutcome {
        let entries = interpreter.tools.settings.map { setting in
            Entry([
                Field("setting", .text(setting.name)), Field("value", .text(setting.value)),
                Field("from", .text(setting.source)),
            ])
        }
        let answer = Answer(
            form: .list, entries: entries,
            columns: [Column("SETTING", "setting"), Column("VALUE", "value"), Column("FROM", "from")])
        return StatementOutcome(rendering: renderer.render(answer))
    }

    // MARK: Where an answer goes

    /// What stands behind `>` or `|` at the end of a line, and the line before it.
    struct Way: Equatable {
        var line: String
        var file: Word?
        var program: String?
    }

    /// Splits a line at its last lone `>`, or its first lone `|`. Claims have such words of their own.
    static func way(of text: String) -> Way {
        let plain = Way(line: text)
        guard let words = try? Tokenizer.words(in: text), let first = words.first,
            !["expect", "help", "watch", "?"].contains(first.text)
        else { return plain }
        if let bar = words.firstIndex(where: { !$0.isQuoted && $0.text == "|" }), bar > 0,
            bar + 1 < words.count
        {
            let place = words[bar].range.lowerBound
            return Way(line: String(text.prefix(place)), program: String(text.dropFirst(place + 1)))
        }
        guard words.count > 2, !words[words.count - 2].isQuoted, words[words.count - 2].text == ">" else {
            return plain
        }
        let place = words[words.count - 2].range.lowerBound
        return Way(line: String(text.prefix(place)), file: words.last)
    }

    /// The file that a word names; throws a complaint if it cannot be written.
    func writable(_ word: Word) throws -> URL {
        let file = interpreter.tools.file(word)
        let folder = file.deletingLastPathComponent()
        let files = FileManager.default
        var isFolder: ObjCBool = false
        func complaint(_ reason: String) -> Complaint {
            Complaint(code: "badFile", message: "\(word.text) cannot be written: \(reason)", span: word.range)
        }
        if files.fileExists(atPath: file.path, isDirectory: &isFolder) {
            if isFolder.boolValue { throw complaint("it is a folder; name a file in it") }
            if !files.isWritableFile(atPath: file.path) { throw complaint("it may not be changed") }
        } else {
            guard files.fileExists(atPath: folder.path, isDirectory: &isFolder), isFolder.boolValue else {
                throw complaint("there is no folder \(folder.path)")
            }
            if !files.isWritableFile(atPath: folder.path) { throw complaint("its folder may not be changed") }
        }
        return file
    }

    /// Takes the data of an outcome where it is to go.
    func sent(_ outcome: StatementOutcome, _ way: Way) async throws -> StatementOutcome {
        var outcome = outcome
        let data = outcome.rendering.data
        if let program = way.program {
            let result = try await ShellPipe.run(
                program, reading: data, output: .string(limit: 16 << 20), error: .string(limit: 1 << 20))
            outcome.rendering.data = result.standardOutput
            outcome.rendering.talk += result.standardError
        } else if let file = way.file.map(interpreter.tools.file) {
            try Data(data.utf8).writeForUser(to: file)
            outcome.rendering.data = ""
        } else if let file = state.current.output, !data.isEmpty {
            try Self.append(data, to: file)
            outcome.rendering.data = ""
        }
        return outcome
    }

    private static func append(_ text: String, to file: URL) throws {
        if !FileManager.default.fileExists(atPath: file.path) { try Data().writeForUser(to: file) }
        let handle = try FileHandle(forWritingTo: file)
        defer { try? handle.close() }
        try handle.seekToEnd()
        try handle.write(contentsOf: Data(text.utf8))
    }
}
