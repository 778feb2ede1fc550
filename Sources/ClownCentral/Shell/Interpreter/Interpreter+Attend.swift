// Owns doing the command that joins a party.
import Cloudlet
import Foundation

extension Interpreter {
    func attend(_ request: AttendRequest) async throws -> Answer {
        let party = try await party(request.party)
        guard let name = request.name ?? session.account?.person else {
            throw Complaint.usage("say who comes, since nobody is signed in", remedy: "attend PARTY NAME")
        }
        let attendees = AttendeeRepository(database: container.publicCloudDatabase)
        switch request.way {
        case .ownRecord:
            let attendee = Attendee(id: identifiers.next("attendee"), name: name, partyID: party.id)
            let joined = try await attendees.join(attendee)
            return Answer.attendee(joined, party: party)
        case .array(let merging):
            let copy = try await heldCopy(party.id, from: container.publicCloudDatabase)
            let outcome = try await attendees.joinByArray(name, party: copy, merging: merging)
            return answer(outcome, of: party)
        }
    }

    private func answer(_ outcome: SaveOutcome, of party: Party) -> Answer {
        switch outcome {
        case .saved(let record):
            keep(record)
            let saved = Answer.version("saved", record, Self.guestFields)
            return Answer(form: .record, entries: [saved], notes: ["wrote the list on \(party.name)"])
        case .conflict(let conflict):
            return Answer.conflict(conflict, remedy: "the same with --merge", fields: Self.guestFields)
        case .merged(let record, let conflict):
            keep(record)
            return Answer.merged(record, conflict, fields: Self.guestFields)
        }
    }

    private static func guestFields(_ party: CKRecord) -> [Field] {
        [Field("guests", .texts(AttendeeRepository.guests(of: party)))]
    }
}
