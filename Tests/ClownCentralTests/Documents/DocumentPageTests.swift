import Foundation
import RecordsWire
import Testing

@testable import CloudletShell
@testable import ClownCentral
@testable import CommandShell
@testable import ShellKit
@testable import TestKit

@Suite("The documents of --json", .timeLimit(.minutes(30)))
struct DocumentPageTests {
    /// The environment variable with which these tests update the page. Read the difference before you commit
    /// it.
    private static let variable = "CLOUDLET_MAKE_JSON_PAGE"

    private var isUpdating: Bool { ProcessInfo.processInfo.environment[Self.variable] != nil }

    @Test(
        "Every command of the shell prints what the page says, and the page says nothing else",
        .enabled(if: ShellWorld.hasThumbnailer, "vipsthumbnail is not installed"))
    func shell() async throws {
        let names = CommandTable.standard.commands.map(\.name)
        let printed = try await PrintedDocuments.ofShell()
        try compare(printed, .shell, names.filter { !PrintedDocuments.wrappers.contains($0) })
    }

    @Test("Every command of cloudlet that takes --json prints what the page says, and nothing else")
    func server() async throws {
        let names = try await DescribedCommand.of("cloudlet").leaves(taking: "json")
            // `cloudlet shell` has no documents of its own: it prints those of the commands that are typed.
            // `cloudlet migrate` and `cloudlet new-epoch` need PostgreSQL, without which they print only
            // errors: their documents are in the page "From one machine to many", and
            // `Tests/postgresql --migrate` and `Tests/postgresql --restore` read them.
            .filter { !["shell", "migrate", "new-epoch"].contains($0) }
        try compare(try await PrintedDocuments.ofServer(), .server, names)
    }

    private func compare(
        _ printed: PrintedDocuments, _ program: DocumentPage.Program, _ names: [String]
    ) throws {
        var page = try DocumentPage()
        if isUpdating { try page.update(with: printed, program, names) }
        let shapes = page.shapes(of: program)
        let remedy = "if it is meant: \(Self.variable)=1 swift test --filter DocumentPageTests"
        for name in names {
            if printed.shapes[name] == nil, printed.shapes[name + DocumentShape.batch] != nil { continue }
            guard let seen = printed.shapes[name] else {
                Issue.record("no scene and no line of these tests has `\(name)` print a document; add one")
                continue
            }
            guard let shape = shapes[name] else {
                Issue.record("the page has nothing about `\(name)`; \(remedy)")
                continue
            }
            for objection in shape.objections(to: seen) { Issue.record("\(name): \(objection); \(remedy)") }
        }
        let variants = printed.shapes.keys.filter { !names.contains($0) }
        for name in variants {
            guard let shape = shapes[name], let seen = printed.shapes[name] else {
                Issue.record("the page has nothing about `\(name)`; \(remedy)")
                continue
            }
            for objection in shape.objections(to: seen) { Issue.record("\(name): \(objection); \(remedy)") }
        }
        let gone = shapes.keys.filter { !names.contains($0) && !variants.contains($0) }.sorted()
        #expect(gone.isEmpty, "the page has unknown commands; \(remedy)")
        let keys = Set(printed.errors?.members?.map(\.name) ?? [])
        #expect(!keys.isEmpty && keys.isSubset(of: page.errorKeys), "the page lacks keys of errors")
    }

    @Test("Output that continues is one JSON object per line")
    func streams() async throws {
        try await ShellWorld.run(isJSON: true) { world in
            #expect(await world.data("watch 'party list' --times 3") == "[]\n[]\n[]\n")
        }
        let end = try await Program.shell(
            "$app --ephemeral --json --verbose -c 'party list' -c 'monitor on' -c 'party list'")
        #expect(end.output == "[]\n{}\n[]\n")
        let requests = end.errors.split(separator: "\n").filter { $0.hasPrefix("{") }
        #expect(requests.count == 2)
        let shape = DocumentShape(
            text: "{ request: string, status: number | null, sent: number, received: number }")
        for request in requests {
            let seen = DocumentShape(try JSONDocument(Array(request.utf8)).root)
            #expect(shape?.objections(to: seen) == [])
        }
        #expect(
            try String(contentsOf: DocumentPage.file, encoding: .utf8).contains(
                "\n{ request: string, status: number | null, sent: number, received: number }\n"))
    }

    @Test(
        "A shape's text is parsed to the same shape",
        arguments: [
            "string", "{}", "[]", "[{\n  id: string\n  at?: { latitude: number } | null\n}]",
            "{\n  values: { *: string | number }\n  list: [string]\n}",
        ])
    func spelling(text: String) {
        #expect(DocumentShape(text: text)?.text == text)
    }

    @Test("A new, missing, retyped or sometimes missing key is reported by its name")
    func objections() throws {
        let shape = try #require(
            DocumentShape(text: "[{ id: string, at: { x: number }, sum: number | null }]"))
        func objections(_ json: String) throws -> [String] {
            shape.objections(to: DocumentShape(try JSONDocument(Array(json.utf8)).root))
        }
        #expect(try objections(#"[{"id":"1","at":{"x":1},"sum":null}]"#).isEmpty)
        #expect(try objections(#"[{"id":"1","at":{"x":1},"sum":1,"new":1}]"#) == ["the key `[].new` is new"])
        #expect(try objections(#"[{"id":1,"at":{"x":1},"sum":1}]"#) == ["`[].id` may be a number, too"])
        #expect(try objections(#"[{"id":"1","at":{},"sum":1}]"#) == ["the key `[].at.x` is gone"])
        let two = #"[{"id":"1","at":{"x":1},"sum":1},{"id":"1","at":{"x":1}}]"#
        #expect(try objections(two) == ["the key `[].sum` is not always there"])
    }
}
