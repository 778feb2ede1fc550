import Foundation
import Testing

@testable import CommandShell

@Suite("Completion")
struct CompleterTests {
    private let completer = Completer(table: .tasks)

    private func names(_ line: String) -> [String]? {
        let site = completer.site(line: line, cursor: line.count)
        guard case .words(let words) = site.source else { return nil }
        let completion = completer.completion(at: site, among: words)
        return completion.candidates.isEmpty
            ? [completion.insertion].compactMap { $0 } : completion.candidates.map(\.text)
    }

    @Test(
        "completes commands, verbs, flags and choices",
        arguments: [
            ("statu", ["status "]), ("task c", ["create "]),
            ("task ", ["create", "list", "show", "edit", "delete"]),
            ("task list --s", ["--search", "--sort"]), ("task list --sort d", ["date", "distance"]),
            ("task list --limit 3 --n", []), ("status --", ["--json "]), ("status --json ", []),
            ("task list --json --lim", ["--limit "]), ("task list --limit 3 --json --j", []),
            ("task delete Tea --", ["--yes", "--json"]), ("task create X --starts t", ["today", "tomorrow"]),
            ("task edit X pl", ["place="]), ("help fi", ["file "]), ("help file s", ["save "]),
            ("expect co", ["count", "contains"]), ("bogus ", []),
        ]
    )
    func words(line: String, expected: [String]) {
        #expect(names(line) == expected)
    }

    @Test(
        "offers the verbs of a group whose first word is a command too, before its flags and values",
        arguments: [
            ("sync ", ["start", "stop", "--wait", "--say", "--json"]), ("sync s", ["start", "stop"]),
            ("sync sta", ["start "]), ("sync --", ["--wait", "--say", "--json"]),
            ("sync start ", ["--json "]),
            ("play ", ["all "]),
        ]
    )
    func verbsOfCommands(line: String, expected: [String]) {
        let completer = Completer(table: .syncs)
        let site = completer.site(line: line, cursor: line.count)
        guard case .words(let words) = site.source else {
            Issue.record("the source is \(site.source)")
            return
        }
        let completion = completer.completion(at: site, among: words)
        let isWhole = completion.candidates.isEmpty
        let names = isWhole ? [completion.insertion].compactMap(\.self) : completion.candidates.map(\.text)
        #expect(names == expected)
    }

    @Test("inserts a common prefix only if it begins with the typed text")
    func commonPrefix() {
        let completer = Completer(table: .syncs)
        let site = completer.site(line: "sync s", cursor: 6)
        let flags = completer.completion(at: site, among: [Candidate("--say"), Candidate("--json")])
        #expect(flags.insertion == nil)
        #expect(flags.candidates.map(\.text) == ["--say", "--json"])
        let verbs = completer.completion(at: site, among: [Candidate("Start"), Candidate("stop")])
        #expect(verbs.insertion == "St")
    }

    @Test(
        "takes names from the program and files where they are expected",
        arguments: [
            ("task show Te", CompletionSite.Source.live(.task), "Te"),
            ("task show \"Tea for t", .live(.task), "Tea for t"), ("file move Plan --to ", .live(.task), ""),
            ("file add Tea ", .files, ""), ("file add Tea a.jpg b", .files, "b"),
            ("status # x", .nothing, ""),
            ("task create ", .nothing, ""),
        ]
    )
    func sources(line: String, source: CompletionSite.Source, typed: String) {
        let site = completer.site(line: line, cursor: line.count)
        #expect(site.source == source)
        if source != .nothing { #expect(site.typed == typed) }
    }

    @Test("quotes a name with blanks, and closes the quotes when it is complete")
    func quotes() {
        let site = completer.site(line: "task show tea", cursor: 13)
        let several = [Candidate("Tea Party"), Candidate("Tea Tray")]
        let partial = completer.completion(at: site, among: several)
        #expect(partial.range == 10..<13)
        #expect(partial.insertion == "\"Tea ")
        #expect(partial.candidates.count == 2)
        let whole = completer.completion(at: site, among: [several[0]])
        #expect(whole.insertion == "\"Tea Party\" ")
    }

    @Test("works after an address")
    func asSomebody() {
        #expect(names("alice@phone: task c") == ["create "])
        #expect(names("alice@phone: statu") == ["status "])
        let hint = ArgumentHint(table: .tasks)
        #expect(hint.text(after: "alice@phone: file move Plan --to") == " TASK")
        #expect(hint.text(after: "alice@phone:") == nil)
    }

    @Test("lists the words that are used most in each position first")
    func usage() {
        let usage = WordUsage([
            "note list", "note list", "bob@mac: note list", "task show Ball", "task show Ball",
            "task show Tea", "NOTE add x",
        ])
        func ranked(_ names: [String], _ head: String...) -> [String] {
            usage.ranked(names.map { Candidate($0) }, after: head).map(\.text)
        }
        #expect(ranked(["as", "task", "note", "file"]) == ["note", "task", "as", "file"])
        #expect(ranked(["create", "list", "show"], "task") == ["show", "create", "list"])
        #expect(ranked(["create", "add", "list"], "Note") == ["list", "add", "create"])
        #expect(ranked(["Aha", "Tea", "ball"], "file", "move") == ["ball", "Tea", "Aha"])
        #expect(ranked(["Aha", "Tea", "Ball"], "task", "show") == ["Ball", "Tea", "Aha"])
    }

    @Test("a list that is too long says how to see the others")
    func longList() {
        let names = (1...43).map { Candidate("party-\($0)") }
        let lines = CandidateList.text(names, width: 80).split(separator: "\n")
        #expect(lines.last == "… and 3 more; type a part of the word, then Tab again")
        #expect(!CandidateList.text(Array(names.prefix(40)), width: 80).contains("more"))
    }

    @Test("replaces only the word under the cursor")
    func middle() {
        let site = completer.site(line: "tas list", cursor: 3)
        #expect(site.range == 0..<3)
        #expect(site.typed == "tas")
    }

    @Test("works inside an open quote")
    func openQuote() {
        let site = completer.site(line: "task show \"Tea P", cursor: 16)
        #expect(site.range == 10..<16)
        let completion = completer.completion(at: site, among: [Candidate("Tea Party")])
        #expect(completion.insertion == "\"Tea Party\" ")
    }
}
