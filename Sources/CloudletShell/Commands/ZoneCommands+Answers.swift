import Cloudlet
import CommandShell
import Foundation

// The presentation of zones, and of the zone caches of devices, in answers.
extension Answer {
    /// Lists the zones that were changed or deleted, one entry each.
    static func zoneChanges(_ changes: [ZoneEvent]) -> Answer {
        let entries = changes.map { news in
            Entry([AnswerField("zone", .text(news.zone)), AnswerField("what", .text(news.change))])
        }
        return Answer(
            form: .list, entries: entries, columns: [Column("ZONE", "zone"), Column("WHAT", "what")],
            whenEmpty: "no zone has changed since this device's last fetch"
        )
    }

    /// Lists the outcome for each record of an atomic batch.
    static func atomic(_ outcomes: [(name: String, result: Result<Void, any Error>)]) -> Answer {
        let entries = outcomes.map { name, result in
            let code = if case .failure(let error) = result { ShellError(error).code } else { "saved" }
            return Entry([AnswerField("record", .text(name)), AnswerField("outcome", .text(code))])
        }
        var answer = Answer(
            form: .list, entries: entries,
            columns: [Column("RECORD", "record"), Column("OUTCOME", "outcome")], isBatch: true)
        guard entries.contains(where: { $0.value(["outcome"]) != .text("saved") }) else { return answer }
        answer.failures = [
            ShellError(
                code: "partialFailure", message: "one record of the atomic batch failed, so none is saved",
                remedy: "correct the record with an error of its own, then send all again")
        ]
        return answer
    }

    /// The result of a fetch, including one that failed midway.
    static func zone(
        _ zone: String, before: ZoneCache, after: ZoneCache, error: (any Error)?
    ) -> Answer {
        let new = after.recordNames.subtracting(before.recordNames).count
        let fields = [
            AnswerField("zone", .text(zone)),
            AnswerField("from", .text(before.token == nil ? "the beginning" : "the last token")),
            AnswerField("pages", .count(after.pageCount)),
            AnswerField("new", .count(new)),
            AnswerField("twice", .count(after.repeatedCount)),
            AnswerField("kept", .count(after.recordNames.count)),
        ]
        let how =
            if error == nil {
                "fetched completely"
            } else if before.token != nil && after.token == nil {
                "the pages are dropped; the next fetch starts from the beginning"
            } else {
                "interrupted; the pages that arrived are kept"
            }
        var answer = Answer(form: .record, entries: [Entry(fields)], notes: ["\(zone): \(how)"])
        answer.failures = error.map { [ShellError($0)] } ?? []
        return answer
    }
}
