// Owns finding the one record that a word of the line stands for.
import Cloudlet
import CommandText
import Foundation

extension Interpreter {
    /// The party that a word names.
    func party(_ word: Word) async throws -> Party {
        try await find(word, kind: "party", on: parties.shelf, name: \.name) { party in
            [party.id, party.starts.map(MomentText.short), party.place].compactMap { $0 }
        }
    }

    /// The clown that a word names.
    func clown(_ word: Word) async throws -> Clown {
        try await find(word, kind: "clown", on: clowns.shelf, name: \.name) { clown in
            [clown.id, clown.act, "at \(clown.partyID)"].compactMap { $0 }
        }
    }

    /// The photo that a word names.
    func photo(_ word: Word) async throws -> Photo {
        try await find(word, kind: "photo", on: photos.shelf, name: \.name) { photo in
            [photo.id, "of \(photo.partyID)"]
        }
    }

    private func find<Model>(
        _ word: Word,
        kind: String,
        on shelf: Shelf<Model>,
        name: (Model) -> String,
        details: (Model) -> [String]
    ) async throws -> Model {
        switch try await shelf.lookup(word.text) {
        case .found(let model):
            return model
        case .ambiguous(let models):
            throw Complaint(
                code: "ambiguousName",
                message: "`\(word.text)` could be any of these; give an identifier",
                span: word.range,
                candidates: models.map { "\(name($0)) (\(details($0).joined(separator: ", ")))" }
            )
        case .missing:
            let near = try await shelf.names(beginningWith: String(word.text.prefix(1)), limit: Batch.largest)
            throw Complaint(
                code: "notFound",
                message: "there is no \(kind) `\(word.text)`",
                span: word.range,
                suggestions: DidYouMean.suggestions(for: word.text, among: near.map(name)),
                remedy: "\(kind) list"
            )
        }
    }
}
