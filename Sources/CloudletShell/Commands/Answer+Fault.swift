import CommandShell
import Foundation
import RecordsWire

extension Answer {
    /// Lists the faults of a server, with a note about the change that a command made.
    static func faults(_ faults: [FaultsReport.Entry], note: String?, ended: Int? = nil) -> Answer {
        Answer(
            form: .list,
            entries: faults.map { Entry(fields(of: $0)) },
            columns: [
                Column("NAME", "name"), Column("ON", "on"), Column("DEVICE", "device"),
                Column("AFTER", "after"), Column("TIMES", "times"), Column("STRUCK", "struck"),
                Column("STATE", "state"),
            ],
            facts: ended.map { [AnswerField("ended", .count($0))] } ?? [],
            notes: [note].compactMap { $0 },
            whenEmpty: ended == nil
                ? "no fault is active; try: fault add zone-busy --times 1" : nil
        )
    }

    private static func fields(of fault: FaultsReport.Entry) -> [AnswerField] {
        [
            AnswerField("id", .count(fault.id)),
            AnswerField("name", .text(fault.name)),
            AnswerField("on", Value(fault.endpoint)),
            AnswerField("device", Value(fault.device)),
            AnswerField("after", .count(fault.first - 1)),
            AnswerField("times", fault.count.map(Value.count) ?? .missing),
            AnswerField("struck", .count(fault.affectedCalls)),
            AnswerField("state", .text(fault.isUsedUp ? "used up" : "active")),
        ]
    }
}
