import CommandShell
import Foundation

extension Answer {
    static func attendee(_ attendee: Attendee, party: Party) -> Answer {
        let fields = [
            Field("id", .text(attendee.id)), Field("name", .text(attendee.name)),
            Field("party", .text(attendee.partyID)), Field("partyName", .text(party.name)),
        ]
        let note = "\(attendee.name) joined \(party.name)"
        return Answer(form: .record, entries: [Entry(fields)], notes: [note])
    }
}
