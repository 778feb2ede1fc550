// Owns doing the commands about parties.
import Cloudlet
import Foundation

extension Interpreter {
    func createParty(_ draft: PartyDraft) async throws -> Answer {
        let party = try await parties.create(draft.party(id: identifiers.next("party")))
        return Answer.party(party, note: "created \(party.name)")
    }

    func listParties(_ filter: PartyFilter) async throws -> Answer {
        var filter = filter
        if let limit = session.profile.listLimit { filter.limit = min(filter.limit, limit) }
        let found = try await parties.list(filter)
        return Answer.parties(found.parties.models, filter: filter, hasMore: found.hasMore)
            .skipping(found.parties.unreadable)
    }

    func showParty(_ word: Word) async throws -> Answer {
        let party = try await party(word)
        let clowns = try await clowns.list(party: party.id, limit: Batch.largest).clowns
        let photos = try await count(Photo.recordType, Photo.Key.party, of: party)
        let database = container.publicCloudDatabase
        let attendees = try await AttendeeRepository(database: database).list(party: party.id)
        let record = try await fetchAndKeep(party.id, from: database)
        var answer = Answer.party(party, note: nil)
        answer.entries[0].fields += [
            Field(
                "clowns",
                .texts(clowns.models.map { [$0.name, $0.act].compactMap { $0 }.joined(separator: ": ") })),
            Field("attendees", .texts(attendees.models.map(\.name))),
            Field("guests", .texts(AttendeeRepository.guests(of: record))),
            Field("photos", .count(photos)),
        ]
        return answer.skipping(clowns.unreadable + attendees.unreadable)
    }

    func editParty(_ word: Word, _ changes: [PartyChange]) async throws -> Answer {
        var planned = try await party(word)
        for change in changes { change.apply(to: &planned) }
        if let starts = planned.starts, let ends = planned.ends, ends < starts {
            throw Complaint.usage("a party cannot end before it starts")
        }
        let edited = try await parties.edit(planned.id, changes)
        return Answer.party(edited, note: "changed \(edited.name)")
    }

    func deleteParty(_ word: Word, isSure: Bool) async throws -> Answer {
        let party = try await party(word)
        let clowns = try await count(Clown.recordType, Clown.Key.party, of: party)
        let photos = try await count(Photo.recordType, Photo.Key.party, of: party)
        let attendances = try await count(Attendee.recordType, Attendee.Key.party, of: party)
        var with = [Answer.counted(clowns, "clown"), Answer.counted(photos, "photo")]
            .joined(separator: attendances == 0 ? " and " : ", ")
        if attendances > 0 { with += " and \(Answer.counted(attendances, "attendance"))" }
        if !isSure, let confirm = tools.confirm, try !confirm("delete \(party.name) and with it \(with)?") {
            return Answer.talk("nothing was deleted")
        }
        let database = container.publicCloudDatabase
        let tree = try await PartyTree.read(party.id, from: database)
        try await parties.delete(party.id)
        await keepUndo(of: party.name, tree)
        if session.photoList?.party.id == party.id { session.photoList = nil }
        let fields = [
            Field("id", .text(party.id)), Field("name", .text(party.name)),
            Field("clowns", .count(clowns)), Field("photos", .count(photos)),
            Field("attendances", .count(attendances)),
        ]
        return Answer(
            form: .record,
            entries: [Entry(fields)],
            notes: ["deleted \(party.name) and with it \(with)"]
        )
    }

    /// Keeps the way back of what was deleted from the public database.
    func keepUndo(of what: String, _ tree: PartyTree) async {
        let container = container
        let me = try? await container.userRecordID().recordName
        session.undo = Session.Undo(what: what, others: tree.countOfOthers(than: me)) {
            try await tree.restore(to: container.publicCloudDatabase)
        }
    }

    private func count(
        _ type: CKRecord.RecordType, _ key: CKRecord.FieldKey, of party: Party
    ) async throws -> Int {
        try await BackReference.count(type, key, to: party.id, in: container.publicCloudDatabase)
    }
}
