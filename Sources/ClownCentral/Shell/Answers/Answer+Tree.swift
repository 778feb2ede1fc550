import CommandShell
import Foundation

extension Answer {
    /// The items in the order in which the server stored them, each with its position in the request.
    static func tree(_ items: [ProgramItem], places: [Int], stored: Int, requests: Int) -> Answer {
        let rows = zip(items, places).enumerated().map { index, row in
            (item: row.0, sent: index + 1, stored: row.1)
        }
        let entries = rows.sorted { $0.stored < $1.stored }.map { row in
            Entry([
                AnswerField("stored", .count(row.stored)),
                AnswerField("sent", .count(row.sent)),
                AnswerField("depth", .count(row.item.depth)),
                AnswerField("line", .text(String(repeating: "  ", count: row.item.depth) + row.item.title)),
                AnswerField("title", .text(row.item.title)),
                AnswerField("id", .text(row.item.id)),
                AnswerField("parent", Value(row.item.parentID)),
            ])
        }
        let isInOrder = rows.allSatisfy { row in
            rows.allSatisfy { $0.item.id != row.item.parentID || $0.stored < row.stored }
        }
        return Answer(
            form: .list,
            entries: entries,
            columns: [
                Column("STORED", "stored"), Column("SENT", "sent"), Column("TITLE", "line"),
                Column("ID", "id"),
            ],
            facts: [
                AnswerField("whole", .flag(stored == items.count)), AnswerField("inOrder", .flag(isInOrder)),
                AnswerField("requests", .count(requests)),
            ],
            notes: [
                "\(stored) of \(items.count) records are stored, with \(counted(requests, "request")), "
                    + (isInOrder ? "each after its parent" : "some before their parents")
            ]
        )
    }
}
