import Foundation
import Testing

@testable import CloudletShell
@testable import ClownCentral
@testable import CommandShell
@testable import ShellKit

@Suite("Tab")
struct CompleterTests {
    private let completer = Completer(table: .standard)

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
            ("statu", ["status "]),
            ("p", ["party", "photo", "pending", "push", "profile"]),
            ("party c", ["create "]),
            ("party ", ["create", "list", "show", "edit", "delete"]),
            ("party list --s", ["--search", "--sort"]),
            ("party list --sort d", ["date", "distance"]),
            ("party list --near 1,2 --n", []),
            ("status --", ["--json "]),
            ("status --json ", []),
            ("party list --json --lim", ["--limit "]),
            ("party list --limit 3 --json --j", []),
            ("party delete Tea --", ["--yes", "--json"]),
            ("party create X --starts t", ["today", "tomorrow"]),
            ("party edit X pl", ["place="]),
            ("help ph", ["photo "]),
            ("help photo s", ["save", "show"]),
            ("expect co", ["count", "contains"]),
            ("bogus ", []),
            ("sign", ["sign-out", "sign-in"]),
        ]
    )
    func words(line: String, expected: [String]) {
        #expect(names(line) == expected)
    }

    @Test(
        "knows where live names and files belong",
        arguments: [
            ("party show Cof", CompletionSite.Source.live(.party), "Cof"),
            ("party show \"Balloon B", .live(.party), "Balloon B"),
            ("clown assign Bozo --to ", .live(.party), ""),
            ("clown remove B", .live(.clown), "B"),
            ("photo save A", .live(.photo), "A"),
            ("photo add Coffee ", .files, ""),
            ("photo add Coffee a.jpg b", .files, "b"),
            ("as al", .live(.person), "al"),
            ("seed # x", .nothing, ""),
            ("party create ", .nothing, ""),
        ]
    )
    func sources(line: String, source: CompletionSite.Source, typed: String) {
        let site = completer.site(line: line, cursor: line.count)
        #expect(site.source == source)
        if source != .nothing { #expect(site.typed == typed) }
    }

    @Test("puts a name with blanks into quotes, and closes them when the name is whole")
    func quotes() {
        let site = completer.site(line: "party show ball", cursor: 15)
        let several = [Candidate("Balloon Ball"), Candidate("Balloon Race")]
        let partial = completer.completion(at: site, among: several)
        #expect(partial.range == 11..<15)
        #expect(partial.insertion == "\"Balloon ")
        #expect(partial.candidates.count == 2)
        let whole = completer.completion(at: site, among: [several[0]])
        #expect(whole.insertion == "\"Balloon Ball\" ")
    }

    @Test("goes on behind the person and device that a command is done as")
    func asSomebody() {
        #expect(names("alice@phone: party c") == ["create "])
        #expect(names("alice@phone: statu") == ["status "])
        let hint = ArgumentHint(table: .standard)
        #expect(hint.text(behind: "alice@phone: clown assign Bozo --to") == " PARTY")
        #expect(hint.text(behind: "alice@phone:") == nil)
    }

    @Test("shows what is used most first, each in its place")
    func usage() {
        let usage = WordUsage([
            "note list", "note list", "bob@mac: note list", "party show Ball",
            "party show Ball",
            "party show Tea", "NOTE add x",
        ])
        func ranked(_ names: [String], _ head: String...) -> [String] {
            usage.ranked(names.map { Candidate($0) }, behind: head).map(\.text)
        }
        #expect(ranked(["as", "party", "note", "photo"]) == ["note", "party", "as", "photo"])
        #expect(ranked(["create", "list", "show"], "party") == ["show", "create", "list"])
        #expect(ranked(["create", "add", "list"], "Note") == ["list", "add", "create"])
        #expect(ranked(["Aha", "Tea", "ball"], "clown", "assign") == ["ball", "Tea", "Aha"])
        #expect(ranked(["Aha", "Tea", "Ball"], "party", "show") == ["Ball", "Tea", "Aha"])
    }

    @Test("knows the record type that fields and records belong to")
    func types() {
        func source(_ line: String) -> CompletionSite.Source {
            completer.site(line: line, cursor: line.count).source
        }
        func given(_ line: String) -> [String] { completer.site(line: line, cursor: line.count).given }
        #expect(source("record save Prop ") == .live(.record))
        #expect(given("record save Prop ") == ["Prop"])
        #expect(source("record save Prop hoop na") == .live(.fieldValue))
        #expect(given("record save Prop hoop na") == ["Prop", "hoop"])
        #expect(source("schema delete Prop ") == .live(.field))
        #expect(given("schema delete Prop ") == ["Prop"])
        #expect(source("record show ") == .live(.record))
        #expect(given("record show ") == [])
        #expect(source("record show hoop --zone ") == .live(.zone))
        #expect(source("use ") == .live(.database))
        #expect(source("fault clear ") == .live(.fault))
        guard case .words(let faults) = source("fault add ") else {
            Issue.record("faults are words")
            return
        }
        #expect(faults.allSatisfy { !$0.summary.isEmpty })
    }

    @Test("completes the word under the cursor and leaves the rest of the line alone")
    func middle() {
        let site = completer.site(line: "par list", cursor: 3)
        #expect(site.range == 0..<3)
        #expect(site.typed == "par")
    }

    @Test("goes on inside an open quote")
    func openQuote() {
        let site = completer.site(line: "party show \"Balloon B", cursor: 21)
        #expect(site.range == 11..<21)
        let completion = completer.completion(at: site, among: [Candidate("Balloon Ball")])
        #expect(completion.insertion == "\"Balloon Ball\" ")
    }
}
