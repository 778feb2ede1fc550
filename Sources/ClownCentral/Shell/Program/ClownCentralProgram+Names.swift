import Cloudlet
import CloudletShell
import CommandShell
import Foundation

extension ValueKind {
    static let party = ValueKind("party")
    static let clown = ValueKind("clown")
    static let photo = ValueKind("photo")
    static let note = ValueKind("note")
    static let receipt = ValueKind("receipt")
    static let shoebox = ValueKind("shoebox")
    static let seedSet = ValueKind("seedSet")
}

extension ClownCentralProgram {
    /// Completion candidates for an argument; empty if they cannot be fetched.
    func candidates(
        for kind: ValueKind, beginningWith typed: String, behind words: [String]
    ) async -> [Candidate] {
        switch kind {
        case .party:
            return await names(typed, in: await app.parties.table) { party in
                let details = [party.starts.map(MomentText.short), party.place].compactMap { $0 }
                return Candidate(party.name, details.joined(separator: ", "))
            }
        case .clown:
            return await names(typed, in: await app.clowns.table) { Candidate($0.name, $0.act ?? "") }
        case .photo:
            return await names(typed, in: await app.photos.table) {
                Candidate($0.name, Value.pixels(Value.Size($0.size)).text)
            }
        case .note:
            let notes = (try? await app.personalData().repository.notes().models) ?? []
            // The first line is enough: a note is also found by its beginning.
            return notes.map { note in
                Candidate(String(note.text.prefix { !$0.isNewline }), note.partyName ?? "")
            }
        case .receipt:
            let receipts = (try? await app.personalData().repository.receipts().models) ?? []
            return receipts.map { Candidate($0.shop, MomentText.short($0.date)) }
        case .shoebox:
            let boxes = (try? await app.personalData().repository.shoeboxes().models) ?? []
            return boxes.map { Candidate($0.name) }
        case .seedSet:
            guard let folder = try? app.seedFolder.get() else { return [] }
            return SeedSet.names(in: folder).map { Candidate($0) }
        default:
            return await app.cloud.candidates(for: kind, behind: words)
        }
    }

    /// Fetches the names that begin with the text, then those that do so without regard to case. So exact
    /// matches come first.
    private func names<Model>(
        _ typed: String,
        in table: RecordTable<Model>,
        candidate: (Model) -> Candidate
    ) async -> [Candidate] {
        let limit = CloudSession.candidateLimit
        var models = (try? await table.names(beginningWith: typed, limit: limit)) ?? []
        if !typed.isEmpty { models += (try? await table.names(ignoringCase: typed)) ?? [] }
        var found: [Candidate] = []
        for name in models.map(candidate) where !found.contains(where: { $0.text == name.text }) {
            found.append(name)
        }
        return Array(found.prefix(limit))
    }
}
