// Owns the commands about a model; each answers with what it did.
import Foundation

struct Commands<Model: Typeable> {
    let device: Device

    func run(_ words: [String]) async throws {
        let rest = words.dropFirst()
        switch (words.first, rest.count) {
        case ("list", 0): try await list()
        case ("add", 1...): try await save(Model(id: UUID().uuidString), rest)
        case ("edit", 2...): try await save(try await find(words[1]), rest.dropFirst())
        case ("delete", 1):
            let model = try await find(words[1])
            try await device.repository.delete(model.id)
            print("deleted \(model.line)")
        default:
            let typed = ([Model.command] + words).joined(separator: " ")
            throw Trouble("`\(typed)` is no whole command, or too much of one\n\(Main.usage)")
        }
    }

    private func list() async throws {
        let models = try await device.repository.all(Model.self)
        for model in models { print(model.line) }
        guard models.isEmpty else { return }
        FileHandle.standardError.write(Data("there is no \(Model.command)\n".utf8))
    }

    /// The one whose ID begins so.
    private func find(_ beginning: String) async throws -> Model {
        let models = try await device.repository.all(Model.self)
        if let model = models.first(where: { $0.id == beginning }) { return model }
        let found = models.filter { $0.id.lowercased().hasPrefix(beginning.lowercased()) }
        if let model = found.first, found.count == 1, !beginning.isEmpty { return model }
        guard let model = found.first else {
            let kind = Model.command
            throw Trouble("there is no \(kind) \(beginning); `\(kind) list` shows all")
        }
        let lines = found.prefix(5).map { "  " + $0.line } + (found.count > 5 ? ["  …"] : [])
        let example = model.id.prefix(beginning.count + 4)
        throw Trouble(
            "which one? Type more of its ID, such as \(example):\n" + lines.joined(separator: "\n"))
    }

    private func save(_ model: Model, _ words: ArraySlice<String>) async throws {
        var model = model
        for word in words {
            let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2 else { throw Trouble("FIELD=VALUE, not \(word)") }
            try model.set(String(parts[0]), to: String(parts[1]))
        }
        try await device.repository.save(model)
        print(model.line)
    }
}
