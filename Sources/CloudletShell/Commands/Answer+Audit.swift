import CommandShell
import Foundation

extension Answer {
    /// Lists the requests by endpoint, the most frequent first, each with its share of all requests.
    static func stats(_ counts: RequestCounts, isPlain: Bool) -> Answer {
        let rows = counts.tallies.sorted { ($1.value.requests, $0.key) < ($0.value.requests, $1.key) }
        let all = rows.reduce(0) { $0 + $1.value.requests }
        let failed = rows.reduce(0) { $0 + $1.value.failures }
        let entries = rows.map { endpoint, tally in
            let share = Double(tally.requests) / Double(max(all, 1))
            return Entry([
                AnswerField("endpoint", .text(endpoint)), AnswerField("requests", .count(tally.requests)),
                AnswerField("share", isPlain ? .share(share) : .bar(share)),
                AnswerField("failed", .count(tally.failures)), AnswerField("sent", .bytes(tally.sentBytes)),
                AnswerField("received", .bytes(tally.receivedBytes)),
            ])
        }
        return Answer(
            form: .list, entries: entries,
            columns: [
                Column("ENDPOINT", "endpoint"), Column("REQUESTS", "requests"), Column("SHARE", "share"),
                Column("FAILED", "failed"), Column("SENT", "sent"), Column("RECEIVED", "received"),
            ],
            facts: [AnswerField("requests", .count(all)), AnswerField("failed", .count(failed))],
            notes: entries.isEmpty ? [] : ["\(counted(all, "request")), \(failed) failed"],
            whenEmpty: "nothing was sent yet; try: record find Note")
    }

    /// Lists the rules for using the service well, and whether this session's requests follow them.
    static func checklist(_ counts: RequestCounts) -> Answer {
        let rules = Rule.all(counts)
        let entries = rules.map { rule in
            Entry([
                AnswerField("rule", .text(rule.what)), AnswerField("found", .text(rule.found)),
                AnswerField("kept", .flag(rule.isKept)),
                AnswerField("advice", rule.isKept ? .missing : .text(rule.advice)),
            ])
        }
        let kept = rules.count(where: \.isKept)
        return Answer(
            form: .list, entries: entries,
            columns: [
                Column("RULE", "rule"), Column("FOUND", "found"), Column("KEPT", "kept"),
                Column("ADVICE", "advice", isWrapped: true),
            ],
            facts: [AnswerField("rules", .count(rules.count)), AnswerField("keptRules", .count(kept))],
            notes: ["\(kept) of \(rules.count) rules kept"])
    }

    /// One rule for using the service well, with the measured result.
    private struct Rule {
        let what: String
        let found: String
        let isKept: Bool
        let advice: String

        static func all(_ counts: RequestCounts) -> [Rule] {
            let all = counts.tallies.values.reduce(0) { $0 + $1.requests }
            return [
                errors(counts, of: all),
                Rule(
                    what: "set quality of service",
                    found: "\(counts.unconfigured) of \(counted(counts.operations, "operation")) without",
                    isKept: counts.unconfigured == 0,
                    advice: "user-initiated if a person waits for the result, utility for a sync"),
                Rule(
                    what: "design the schema",
                    found: "\(counted(counts.referenceLists, "save")) with a list of references, "
                        + "\(counts.bigSaves) with more than 100 kB a record",
                    isKept: counts.referenceLists == 0 && counts.bigSaves == 0,
                    advice: "let each child refer to its parent, and keep big values in assets"),
                Rule(
                    what: "save in batches", found: "\(counts.singles.longest) saves of one record in a row",
                    isKept: counts.singles.longest < 10, advice: "save them in one request: batch save N"),
                Rule(
                    what: "compare versions",
                    found: "\(counts.forcedSaves) of \(counted(counts.saves, "save")) forced",
                    isKept: counts.forcedSaves * 2 <= counts.saves,
                    advice: "use the default save policy, and merge conflicts"),
                Rule(
                    what: "limit queries",
                    found: "\(counts.boundlessQueries) of \(counts.queries) queries without fields and limit",
                    isKept: counts.boundlessQueries == 0,
                    advice: "name the fields that you need, and a limit"),
                Rule(
                    what: "subscribe, do not poll",
                    found: "the same request \(counts.repeats.longest + 1) times in a row",
                    isKept: counts.repeats.longest < 10, advice: "subscribe, and fetch when a push arrives"),
            ]
        }

        /// An error code counts as handled unless the same request was sent again and received it again.
        private static func errors(_ counts: RequestCounts, of all: Int) -> Rule {
            let came = counts.errors.sorted { $0.key < $1.key }.map { code, count in
                let again = counts.unhandled[code].map { ", \($0) unhandled" } ?? ""
                return "\(code) \(count)\(again)"
            }
            return Rule(
                what: "handle errors",
                found: came.isEmpty
                    ? "no error codes in \(counted(all, "request"))" : came.joined(separator: "; "),
                isKept: counts.unhandled.isEmpty,
                advice: "act on the code before the same request is sent again")
        }
    }

    /// Lists the outcomes of the operations of a chain.
    static func chain(_ outcomes: [Result<Void, any Error>], waited: Int) -> Answer {
        let entries = outcomes.enumerated().map { index, outcome in
            let word =
                switch outcome {
                case .success: "saved"
                case .failure(let error): ShellError(error).code
                }
            return Entry([AnswerField("link", .count(index + 1)), AnswerField("outcome", .text(word))])
        }
        let saved = outcomes.count { if case .success = $0 { true } else { false } }
        return Answer(
            form: .list, entries: entries,
            columns: [Column("LINK", "link"), Column("OUTCOME", "outcome")],
            facts: [AnswerField("saved", .count(saved)), AnswerField("waited", .count(waited))],
            notes: ["saved \(saved) of \(outcomes.count) and waited \(waited) s"])
    }
}
