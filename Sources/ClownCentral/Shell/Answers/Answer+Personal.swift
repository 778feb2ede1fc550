import CloudSync
import CommandShell
import Foundation
import LocalReplica

extension Answer {
    private static func fields(of note: Note) -> [AnswerField] {
        [
            AnswerField("id", .text(note.id)), AnswerField("text", .text(note.text)),
            AnswerField("party", Value(note.partyName ?? note.partyID)),
        ]
    }

    /// How to get the data of another device, which must send them first.
    static let fetchingOthers = "to get those of another device: sync there, then sync here"

    /// The answer with a note for each record that could not be read.
    func skipping(_ unreadable: [RepositoryError]) -> Answer {
        guard !unreadable.isEmpty else { return self }
        var answer = self
        answer.facts.append(AnswerField("skipped", .count(unreadable.count)))
        answer.notes += unreadable.map { "skipped: \(ShellError($0).message)" }
        return answer
    }

    /// The answer with one more note.
    func noting(_ note: String) -> Answer {
        var answer = self
        answer.notes.append(note)
        return answer
    }

    static func note(_ note: Note, _ what: String) -> Answer {
        Answer(form: .record, entries: [Entry(fields(of: note))], notes: [what])
    }

    static func notes(_ notes: [Note]) -> Answer {
        Answer(
            form: .list, entries: notes.map { Entry(fields(of: $0)) },
            columns: [
                Column("TEXT", "text", isFlexible: true), Column("PARTY", "party"), Column("ID", "id"),
            ],
            whenEmpty: "no notes on this device; write one: note add TEXT; \(fetchingOthers); "
                + "notes of other people are in: share list")
    }

    static func receipts(_ receipts: [Receipt], boxes: [Shoebox]) -> Answer {
        let names = Dictionary(boxes.map { ($0.id, $0.name) }, uniquingKeysWith: { first, _ in first })
        let entries = receipts.map { receipt in
            Entry([
                AnswerField("id", .text(receipt.id)), AnswerField("shop", .text(receipt.shop)),
                AnswerField("amount", .text(money(receipt.amount))),
                AnswerField("date", .moment(receipt.date)),
                AnswerField("shoebox", Value(receipt.shoeboxID.map { names[$0] ?? $0 })),
                AnswerField("photo", receipt.photoByteCount.map(Value.bytes) ?? .missing),
            ])
        }
        let total = money(receipts.reduce(0) { $0 + $1.amount })
        return Answer(
            form: .list, entries: entries,
            columns: [
                Column("SHOP", "shop", isFlexible: true), Column("AMOUNT", "amount", isRight: true),
                Column("DATE", "date"),
                Column("SHOEBOX", "shoebox"), Column("PHOTO", "photo"), Column("ID", "id"),
            ],
            facts: [AnswerField("total", .text(total))], notes: receipts.isEmpty ? [] : ["total \(total)"],
            whenEmpty: "no receipts on this device; add one: receipt add SHOP AMOUNT; \(fetchingOthers)")
    }

    static func shoeboxes(_ boxes: [Shoebox], receipts: [Receipt]) -> Answer {
        let entries = boxes.map { box in
            let inside = receipts.filter { $0.shoeboxID == box.id }
            return Entry([
                AnswerField("id", .text(box.id)), AnswerField("name", .text(box.name)),
                AnswerField("receipts", .count(inside.count)),
                AnswerField("total", .text(money(inside.reduce(0) { $0 + $1.amount }))),
            ])
        }
        return Answer(
            form: .list, entries: entries,
            columns: [
                Column("NAME", "name"), Column("RECEIPTS", "receipts"),
                Column("TOTAL", "total", isRight: true),
                Column("ID", "id"),
            ],
            whenEmpty: "no shoeboxes on this device; create one: shoebox add NAME; \(fetchingOthers)")
    }

    /// The amount with two decimals.
    private static func money(_ amount: Double) -> String {
        // Larger amounts would overflow the integer below. Other apps write this field too, and sums add up.
        guard abs(amount) < 9e15 else { return "\(amount)" }
        let cents = Int((abs(amount) * 100).rounded())
        let tail = cents % 100
        return "\(amount < 0 && cents > 0 ? "-" : "")\(cents / 100).\(tail < 10 ? "0" : "")\(tail)"
    }

    static func pending(_ changes: [PendingChange]) -> Answer {
        let entries = changes.map { change in
            Entry([
                AnswerField("what", .text(change.kind.rawValue)), AnswerField("type", .text(change.type)),
                AnswerField("id", .text(change.id.name)), AnswerField("edits", .count(change.edits)),
                AnswerField("zone", .text(change.id.zone.name)),
                AnswerField("refused", Value(change.refusal)),
                AnswerField("waits", Value(change.closure.map { waiting($0, for: change.id.zone.name) })),
            ])
        }
        return Answer(
            form: .list, entries: entries,
            columns: [
                Column("WHAT", "what"), Column("TYPE", "type"), Column("ID", "id"),
                Column("EDITS", "edits"), Column("REFUSED", "refused", isWrapped: true),
                Column("WAITS", "waits", isWrapped: true),
            ],
            whenEmpty: "this device has no unsent changes")
    }

    /// The reason why a zone's changes are not sent, and the command that sends them again.
    private static func waiting(_ closure: ReplicaZone.Closure, for zone: String) -> String {
        switch closure {
        case .purged: "its data was removed; to send again: sync resume \(zone)"
        case .deleted: "the zone was deleted on another device; to create it again: sync resume \(zone)"
        }
    }

    static func conflicts(_ conflicts: [ResolvedConflict]) -> Answer {
        let entries = conflicts.map { conflict in
            Entry([
                AnswerField("type", .text(conflict.type)), AnswerField("id", .text(conflict.id.name)),
                AnswerField("what", .text(conflict.summary)),
                AnswerField("fields", conflict.fields.isEmpty ? .missing : .text(fields(of: conflict))),
            ])
        }
        return Answer(
            form: .list, entries: entries,
            columns: [
                Column("TYPE", "type"), Column("ID", "id"), Column("WHAT", "what", isWrapped: true),
                Column("FIELDS", "fields", isWrapped: true),
            ],
            whenEmpty: "this device has resolved no conflicts; the device that syncs last resolves them")
    }

    /// The results for the fields. The field of a note's text is only a copy: the text itself is made of the
    /// edits of all devices.
    private static func fields(of conflict: ResolvedConflict) -> String {
        guard conflict.type == Note.recordType else { return conflict.fields }
        let results = conflict.fields.components(separatedBy: "; ")
        return results.map { result in
            result.hasPrefix("\(Note.Key.text): ")
                ? "\(Note.Key.text): made of the edits of both devices" : result
        }.joined(separator: "; ")
    }

    /// The result of a sync: its state, its counts and the next step.
    static func synced(
        _ status: SyncStatus, _ total: SyncProgress, pending: [PendingChange], now: Date
    ) -> Answer {
        let wait = status.until.map { Int(max(0, $0.timeIntervalSince(now)).rounded(.up)) }
        let fields = [
            AnswerField("state", .text("\(status.activity)")), AnswerField("why", .text(status.why)),
            AnswerField("sent", .count(total.sent)), AnswerField("fetched", .count(total.fetched)),
            AnswerField("merged", .count(total.merged)), AnswerField("pending", .count(pending.count)),
            AnswerField("again", wait.map { .text("in \($0) s") } ?? .missing),
        ]
        var answer = Answer(form: .record, entries: [Entry(fields)])
        if status.activity == .waiting {
            answer.notes = ["`sync --wait` waits for it; `sync start` syncs automatically"]
        }
        if status.activity == .blocked {
            let closed = Set(pending.filter { $0.closure != nil }.map(\.id.zone.name)).sorted()
            answer.notes = closed.map { "to use \($0) again: sync resume \($0)" }
            var shellError = SyncBlocked(status: status).shellError
            if status.accountProblem == nil, status.stall == nil, let zone = closed.first {
                shellError.remedy = "sync resume \(Quoting.name(zone) ?? "ZONE")"
            }
            answer.failures = [shellError]
        }
        let refused = pending.filter { $0.refusal != nil }
        if status.activity == .idle, !refused.isEmpty { answer.failures = [refusal(of: refused)] }
        return answer
    }

    /// The error about edits that the server refused, with the reason for the first.
    private static func refusal(of changes: [PendingChange]) -> ShellError {
        let first = changes.first.map { "; \($0.type) \($0.id.name): \($0.refusal ?? "")" } ?? ""
        return ShellError(
            code: "editRefused", message: "the server refused \(counted(changes.count, "edit"))\(first)",
            remedy: "pending, for all reasons; then edit these records again, which sends them")
    }
}
