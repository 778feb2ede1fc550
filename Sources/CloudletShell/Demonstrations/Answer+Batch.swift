import CommandShell
import Foundation

extension Answer {
    /// Shows a tree of batches, one line for each batch that was tried.
    static func batch(_ tree: BatchTree, requests: Int) -> Answer {
        let rows = lines(of: tree, indent: "", branch: "", below: "")
        let parts = tree.savedBatchCount
        let cut = parts == 1 ? "in one batch" : "in \(parts) batches"
        return batches(rows, count: tree.recordCount, requests: requests, how: cut)
    }

    /// The result of saving records in a loop.
    static func oneByOne(_ count: Int, requests: Int) -> Answer {
        batches([row("\(count) times 1", 1, "saved")], count: count, requests: requests, how: "one by one")
    }

    private static func batches(_ rows: [Entry], count: Int, requests: Int, how: String) -> Answer {
        Answer(
            form: .list,
            entries: rows,
            columns: [Column("BATCH", "batch"), Column("OUTCOME", "outcome")],
            facts: [
                AnswerField("saved", .count(count)), AnswerField("tried", .count(rows.count)),
                AnswerField("requests", .count(requests)),
            ],
            notes: ["saved \(counted(count, "record")) \(how), with \(counted(requests, "request"))"]
        )
    }

    private static func lines(
        of tree: BatchTree, indent: String, branch: String, below: String
    ) -> [Entry] {
        let batch = indent + branch + "\(tree.recordCount)"
        switch tree {
        case .saved(let count):
            return [row(batch, count, "saved")]
        case .halved(let count, let first, let second):
            let inner = indent + below
            return [row(batch, count, "limit exceeded: halved")]
                + lines(of: first, indent: inner, branch: "├─ ", below: "│  ")
                + lines(of: second, indent: inner, branch: "└─ ", below: "   ")
        }
    }

    private static func row(_ batch: String, _ count: Int, _ outcome: String) -> Entry {
        Entry([
            AnswerField("batch", .text(batch)), AnswerField("records", .count(count)),
            AnswerField("outcome", .text(outcome)),
        ])
    }
}
