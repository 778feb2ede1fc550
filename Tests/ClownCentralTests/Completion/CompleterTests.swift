// Owns the tests of what Tab does.
import Foundation
import Testing

@testable import ClownCentral

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
