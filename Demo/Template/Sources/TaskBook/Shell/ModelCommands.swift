import CommandShell
import Foundation
import Records

/// The commands for one entity.
struct ModelCommands<Kind: Model>: Sendable {
    let device: Device
    let environment: ShellEnvironment

    private var word: String { Kind.word }
    private var one: ArgumentSpec { ArgumentSpec(word.uppercased(), ValueKind(word)) }

    private func values(_ arity: ArgumentSpec.Arity) -> ArgumentSpec {
        ArgumentSpec("FIELD=VALUE", ValueKind("\(word) values"), arity)
    }

    var commands: [CommandSpec] {
        let sample = Kind.properties.first.map { "\($0.key)=\($0.kind.form)" } ?? ""
        return [
            command("list", "list all, or those with these values", [values(.any)], "", list),
            command("show", "show one, with its ID and the files of its photos", [one], "Tea", show),
            command("add", "create one with these values", [values(.many)], sample, add),
            command(
                "edit", "change values; FIELD= removes one", [one, values(.many)], "Tea \(sample)", edit),
            command("delete", "delete one and those that refer to it", [one], "Tea", delete),
        ]
    }

    private func command(
        _ verb: String, _ summary: String, _ arguments: [ArgumentSpec], _ example: String,
        _ work: @escaping @Sendable (ParsedArguments) async throws -> Answer
    ) -> CommandSpec {
        let forms = Kind.properties.map { "\($0.key)=\($0.kind.form)" }.joined(separator: " ")
        return CommandSpec(
            [word, verb], group: Kind.recordType, summary: summary, arguments: arguments,
            details: "\(word.uppercased()) is a name, its beginning, or an ID. Values: \(forms)",
            examples: ["\(word) \(verb) \(example)"]
        ) { arguments in
            .work { try await work(arguments) }
        }
    }

    @Sendable private func list(_ arguments: ParsedArguments) async throws -> Answer {
        let wanted = try await assignments(arguments)
        let models = try await device.repository.all(Kind.self).filter { model in
            wanted.allSatisfy { property, value in property.get(model) == value }
        }.sorted { $0.displayName < $1.displayName }
        let names = try await device.repository.names()
        return Answer(
            form: .list, entries: models.map { entry(of: $0, names) },
            columns: Kind.properties.map { Column($0.key.uppercased(), $0.key) },
            whenEmpty: "there is no such \(word); create one: \(word) add FIELD=VALUE…")
    }

    @Sendable private func show(_ arguments: ParsedArguments) async throws -> Answer {
        let model = try await find(arguments)
        var entry = entry(of: model, try await device.repository.names())
        entry.fields.append(AnswerField("id", .text(model.id)))
        for property in Kind.properties {
            guard case .asset(let photo)? = property.get(model) else { continue }
            let file = device.repository.replica.file(of: photo)?.path
            entry.fields.append(AnswerField("\(property.key)File", Value(file)))
        }
        return Answer(form: .record, entries: [entry])
    }

    @Sendable private func add(_ arguments: ParsedArguments) async throws -> Answer {
        try await save(Kind(id: UUID().uuidString), arguments, "added")
    }

    @Sendable private func edit(_ arguments: ParsedArguments) async throws -> Answer {
        try await save(try await find(arguments), arguments, "changed")
    }

    @Sendable private func delete(_ arguments: ParsedArguments) async throws -> Answer {
        let model = try await find(arguments)
        let count = try await device.repository.family(of: model.id).count
        let what = model.displayName + (count > 1 ? " and \(count - 1) that refer to it" : "")
        if let confirm = environment.confirm, !(try confirm("delete \(what)?")) {
            return .message("nothing was deleted")
        }
        try await device.repository.delete(model.id)
        return .message("deleted \(what)", facts: [AnswerField("deleted", .count(count))])
    }
}

extension ModelCommands {
    private func find(_ arguments: ParsedArguments) async throws -> Kind {
        try await device.repository.find(Kind.self, try arguments.requiredWord(word.uppercased()))
    }

    private func save(_ model: Kind, _ arguments: ParsedArguments, _ done: String) async throws -> Answer {
        var model = model
        for (property, value) in try await assignments(arguments) { property.set(&model, value) }
        try await device.repository.save(model)
        return .message("\(done) \(model.displayName)", facts: [AnswerField("id", .text(model.id))])
    }

    /// The properties and values of the arguments FIELD=VALUE.
    private func assignments(
        _ arguments: ParsedArguments
    ) async throws -> [(property: Property<Kind>, value: FieldValue?)] {
        let reader = ValueReader(
            repository: device.repository, environment: environment, now: arguments.now)
        var assignments: [(Property<Kind>, FieldValue?)] = []
        for word in arguments.words(from: "FIELD=VALUE") {
            let parts = word.text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, let property = Kind.properties.first(where: { $0.key == parts[0] }) else {
                let keys = Kind.properties.map { $0.key + "=" }
                throw ShellError.usage(
                    "\(self.word) takes \(keys.joined(separator: " ")), not `\(word.text)`", at: word.range,
                    suggestions: DidYouMean.suggestions(for: parts[0] + "=", among: keys))
            }
            let text = Word(String(parts[1]), range: word.range)
            assignments.append((property, try await reader.value(of: text, property.kind)))
        }
        return assignments
    }

    private func entry(of model: Kind, _ names: [String: String]) -> Entry {
        Entry(Kind.properties.map { AnswerField($0.key, $0.kind.shown($0.get(model), names)) })
    }
}
