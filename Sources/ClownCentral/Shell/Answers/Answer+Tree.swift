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
                Field("stored", .count(row.stored)),
                Field("sent", .count(row.sent)),
                Field("depth", .count(row.item.depth)),
                Field("line", .text(String(repeating: "  ", count: row.item.depth) + row.item.title)),
                Field("title", .text(row.item.title)),
                Field("id", .text(row.item.id)),
                Field("parent", Value(row.item.parentID)),
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
                Field("whole", .flag(stored == items.count)), Field("inOrder", .flag(isInOrder)),
                Field("requests", .count(requests)),
            ],
            notes: [
                "\(stored) of \(items.count) records are stored, with \(counted(requests, "request")), "
                    + (isInOrder ? "each after its parent" : "some before their parents")
            ]
        )
    }
}
