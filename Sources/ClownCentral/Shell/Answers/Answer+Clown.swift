import CommandShell
import Foundation

extension Answer {
    /// The answer about one clown, with a note about the action.
    static func clown(_ clown: Clown, party: Party?, note: String) -> Answer {
        Answer(form: .record, entries: [Entry(fields(of: clown, party: party))], notes: [note])
    }

    /// The answer of a list. A clown whose party was deleted shows "party not found".
    static func clowns(
        _ clowns: [Clown], parties: [Party.ID: Party], of party: Party?, hasMore: Bool
    ) -> Answer {
        let target = party.flatMap { Quoting.name($0.name) } ?? "PARTY"
        return Answer(
            form: .list,
            entries: clowns.map { Entry(fields(of: $0, party: parties[$0.partyID])) },
            columns: [
                Column("NAME", "name"), Column("ACT", "act"), Column("PARTY", "partyName"),
                Column("ID", "id"),
            ],
            facts: [AnswerField("more", .flag(hasMore))],
            notes: hasMore ? [firstShown(clowns.count)] : [],
            whenEmpty: "no clowns yet; add one: clown assign Bozo --to \(target) --act juggling"
        )
    }

    private static func fields(of clown: Clown, party: Party?) -> [AnswerField] {
        [
            AnswerField("id", .text(clown.id)),
            AnswerField("name", .text(clown.name)),
            AnswerField("act", Value(clown.act)),
            AnswerField("party", .text(clown.partyID)),
            AnswerField("partyName", .text(party?.name ?? "party not found")),
        ]
    }
}
