// Owns doing the commands about clowns.
import Cloudlet
import Foundation

extension Interpreter {
    private static let listLimit = 1000

    func assignClown(_ name: String, to word: Word, act: String?) async throws -> Answer {
        let party = try await party(word)
        let clown = Clown(id: identifiers.next("clown"), name: name, act: act, partyID: party.id)
        let saved = try await clowns.assign(clown)
        return Answer.clown(saved, party: party, note: "\(saved.name) performs at \(party.name)")
    }

    func listClowns(_ word: Word?) async throws -> Answer {
        var party: Party?
        if let word { party = try await self.party(word) }
        let found = try await clowns.list(party: party?.id, limit: Self.listLimit)
        var known: [Party.ID: Party] = [:]
        if let party {
            known[party.id] = party
        } else {
            let ids = Set(found.clowns.models.map(\.partyID))
            known = try await parties.shelf.models(ids: ids.sorted())
        }
        return Answer.clowns(found.clowns.models, parties: known, of: party, hasMore: found.hasMore)
            .skipping(found.clowns.unreadable)
    }

    func removeClown(_ word: Word) async throws -> Answer {
        let clown = try await clown(word)
        let database = container.publicCloudDatabase
        let record = try await database.record(for: CKRecord.ID(recordName: clown.id))
        try await clowns.remove(clown.id)
        await keepUndo(of: clown.name, PartyTree(records: [record]))
        let fields = [Field("id", .text(clown.id)), Field("name", .text(clown.name))]
        return Answer(form: .record, entries: [Entry(fields)], notes: ["removed \(clown.name)"])
    }
}
