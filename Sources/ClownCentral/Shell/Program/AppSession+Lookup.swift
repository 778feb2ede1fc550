import Cloudlet
import CommandShell
import Foundation

extension AppSession {
    /// The party that a word names: by ID, name or the beginning of a name. Throws a
    /// `ShellError` with suggestions if there is not exactly one.
    nonisolated func party(_ word: Word) async throws -> Party {
        try await find(word, kind: "party", in: await parties.table, name: \.name, remedy: "party list") {
            party in
            [party.id, party.starts.map(MomentText.short), party.place].compactMap { $0 }
        }
    }

    /// The clown that a word names, found in the same way.
    nonisolated func clown(_ word: Word) async throws -> Clown {
        try await find(word, kind: "clown", in: await clowns.table, name: \.name, remedy: "clown list") {
            clown in
            [clown.id, clown.act, "at \(clown.partyID)"].compactMap { $0 }
        }
    }

    /// The photo that a word names, found in the same way.
    nonisolated func photo(_ word: Word) async throws -> Photo {
        do {
            return try await find(
                word, kind: "photo", in: await photos.table, name: \.name, remedy: "photo list PARTY"
            ) { photo in
                [photo.id, "of \(photo.partyID)"]
            }
        } catch var shellError as ShellError where shellError.code == "notFound" {
            if case .found = try await parties.table.lookup(word.text) {
                shellError.remedy = "photo list \(Quoting.name(word.text) ?? "PARTY")"
            }
            throw shellError
        }
    }

    nonisolated private func find<Model>(
        _ word: Word,
        kind: String,
        in table: RecordTable<Model>,
        name: (Model) -> String,
        remedy: String,
        details: (Model) -> [String]
    ) async throws -> Model {
        switch try await table.lookup(word.text) {
        case .found(let model):
            return model
        case .ambiguous(let models):
            throw ShellError(
                code: "ambiguousName",
                message: "`\(word.text)` could be any of these",
                span: word.range,
                candidates: models.map { "\(name($0)) (\(details($0).joined(separator: ", ")))" },
                remedy: "give an identifier"
            )
        case .missing:
            let near = try await table.names(
                beginningWith: String(word.text.prefix(1)), limit: Batch.maximumRecords)
            throw ShellError(
                code: "notFound",
                message: "there is no \(kind) `\(word.text)`",
                span: word.range,
                suggestions: DidYouMean.suggestions(for: word.text, among: near.map(name)),
                remedy: remedy
            )
        }
    }
}

extension Word {
    /// The model whose ID or whole name equals the word, otherwise the only one whose name begins with it.
    /// The comparison of names ignores case. Throws a `ShellError` unless there is exactly one.
    func pick<Model>(
        _ kind: String, from all: [Model], remedy: String, id: (Model) -> String, name: (Model) -> String
    ) throws -> Model {
        if let exact = all.first(where: { id($0) == text }) { return exact }
        let typed = text.lowercased()
        let same = all.filter { name($0).lowercased() == typed }
        let found = same.isEmpty ? all.filter { name($0).lowercased().hasPrefix(typed) } : same
        if found.count == 1, let only = found.first { return only }
        if found.isEmpty {
            throw ShellError(
                code: "notFound", message: "there is no \(kind) `\(text)`", span: range,
                suggestions: DidYouMean.suggestions(for: text, among: all.map(name)), remedy: remedy)
        }
        throw ShellError(
            code: "ambiguousName", message: "`\(text)` could be any of these",
            span: range, candidates: found.map { "\(name($0)) (\(id($0)))" }, remedy: "give an identifier")
    }
}
