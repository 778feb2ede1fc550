import Cloudlet
import CommandShell
import Foundation

extension Answer {
    /// The row for one version of a record: its name, its change tag and the given fields.
    static func version(_ name: String, _ record: CKRecord, _ fields: (CKRecord) -> [AnswerField]) -> Entry {
        Entry(
            [AnswerField("version", .text(name)), AnswerField("tag", Value(record.recordChangeTag))]
                + fields(record))
    }

    /// The answer about a refused save: its three versions, and an error with the next step.
    static func conflict(
        _ conflict: SaveConflict, remedy: String, fields: (CKRecord) -> [AnswerField]
    ) -> Answer {
        var shellError = ShellError(
            code: "serverRecordChanged",
            message: "somebody saved this record after this device fetched it; nothing was saved",
            exit: .conflict
        )
        shellError.remedy = remedy
        var answer = versions(of: conflict, fields)
        answer.failures = [shellError]
        answer.isBatch = true
        return answer
    }

    /// The answer about a resolved conflict: the merged version that was saved, and the three versions of the
    /// conflict.
    static func merged(
        _ record: CKRecord, _ conflict: SaveConflict, fields: (CKRecord) -> [AnswerField]
    ) -> Answer {
        var answer = versions(of: conflict, fields)
        answer.entries.insert(version("merged", record, fields), at: 0)
        answer.notes = ["somebody else saved first; your change was merged into that version and saved"]
        return answer
    }

    private static func versions(of conflict: SaveConflict, _ fields: (CKRecord) -> [AnswerField]) -> Answer {
        var entries = [
            version("client", conflict.client, fields), version("server", conflict.server, fields),
        ]
        if let ancestor = conflict.ancestor { entries.append(version("ancestor", ancestor, fields)) }
        let names = entries[0].fields.map(\.name)
        return Answer(form: .list, entries: entries, columns: names.map { Column($0.uppercased(), $0) })
    }
}
