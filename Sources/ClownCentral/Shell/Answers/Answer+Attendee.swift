import CommandShell
import Foundation

extension Answer {
    static func attendee(_ attendee: Attendee, party: Party) -> Answer {
        let fields = [
            AnswerField("id", .text(attendee.id)), AnswerField("name", .text(attendee.name)),
            AnswerField("party", .text(attendee.partyID)), AnswerField("partyName", .text(party.name)),
        ]
        let note = "\(attendee.name) joined \(party.name)"
        return Answer(form: .record, entries: [Entry(fields)], notes: [note])
    }
}
