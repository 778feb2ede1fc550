import CommandShell
import Foundation

extension Answer {
    /// The answer about one party, with a note about the action.
    static func party(_ party: Party, note: String?) -> Answer {
        Answer(form: .record, entries: [Entry(fields(of: party))], notes: [note].compactMap { $0 })
    }

    /// The answer of a list. With `filter.near`, each party shows its distance from that point.
    static func parties(_ parties: [Party], filter: PartyFilter, hasMore: Bool) -> Answer {
        let entries = parties.map { party in
            var fields = fields(of: party)
            if let near = filter.near {
                let distance = party.location.map { Value.distance($0.distance(to: near)) } ?? .missing
                fields.append(AnswerField("distance", distance))
            }
            return Entry(fields)
        }
        let limit = "\(firstShown(parties.count)); --limit N shows more"
        return Answer(
            form: .list,
            entries: entries,
            columns: [
                Column("NAME", "name"), Column("STARTS", "starts"), Column("DISTANCE", "distance"),
                Column("PLACE", "place", isFlexible: true), Column("SUMMARY", "summary", isFlexible: true),
                Column("ID", "id"),
            ],
            facts: [AnswerField("more", .flag(hasMore))],
            notes: hasMore ? [limit] : [],
            whenEmpty: filter.isUnconditional
                ? "no parties yet; create one: party create \"Balloon Ball\" --at 37.78,-122.40"
                : "no party matches; try fewer conditions, or all of them: party list"
        )
    }

    private static func fields(of party: Party) -> [AnswerField] {
        [
            AnswerField("id", .text(party.id)),
            AnswerField("name", .text(party.name)),
            AnswerField("summary", Value(party.summary)),
            AnswerField("place", Value(party.place)),
            AnswerField("location", Value(party.location)),
            AnswerField("starts", Value(party.starts)),
            AnswerField("ends", Value(party.ends)),
        ]
    }
}
