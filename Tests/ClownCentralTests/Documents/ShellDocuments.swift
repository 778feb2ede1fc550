import Foundation
import RecordsWire

@testable import CloudletShell
@testable import ClownCentral
@testable import CommandShell
@testable import ShellKit
@testable import TestKit

/// The shapes of all documents that were printed.
struct PrintedDocuments {
    private(set) var shapes: [String: DocumentShape] = [:]
    /// The shape of the `error` objects.
    private(set) var errors: DocumentShape?

    /// Adds the output of a command: one document per line.
    mutating func add(_ name: String, _ output: String) throws {
        for line in output.split(separator: "\n") {
            let shape = DocumentShape(try JSONDocument(Array(line.utf8)).root)
            if shape.hasOnly("error"), let error = shape["error"] {
                errors = errors?.merged(error) ?? error
            } else {
                let name = name + shape.variant
                shapes[name] = shapes[name]?.merged(shape) ?? shape
            }
        }
    }

    /// The same shapes, without the suffix of lists for commands that print only lists.
    var settled: PrintedDocuments {
        var settled = self
        for (name, shape) in shapes where name.hasSuffix(DocumentShape.list) {
            let bare = String(name.dropLast(DocumentShape.list.count))
            guard shapes[bare] == nil else { continue }
            settled.shapes[bare] = shape
            settled.shapes[name] = nil
        }
        return settled
    }

    mutating func add(_ others: PrintedDocuments) {
        shapes.merge(others.shapes) { $0.merged($1) }
        if let error = others.errors { errors = errors?.merged(error) ?? error }
    }
}

extension DocumentShape {
    static let list = " (list)"
    static let batch = " (batch)"

    /// The suffix after a command's name for lists and batches, whose documents differ from others.
    fileprivate var variant: String {
        if elements != nil { return Self.list }
        return members?.map(\.name) == ["records", "failures"] ? Self.batch : ""
    }
}

extension PrintedDocuments {
    /// The commands that run other commands and print their answers.
    static let wrappers: Set = ["watch", "read", "favourite run", "app run", "edit"]

    /// Commands for documents that no scene prints.
    private static let rest = """
        help quit
        version
        config list
        clear
        request-rate 40 --seconds 10
        status
        request-rate
        sign-in alice
        status
        party create Tea --summary Hot --place Pier --at 1,1 --starts now --ends +2h
        party show Tea
        party create Milk
        party edit Tea place=Garden
        party edit Milk name=Milk
        photo add Tea Data/Seeds/photos/01-bozo.jpg
        photo show 01-bozo.jpg
        record save Ball b1 size=3 name=Red
        subscribe zone Notes --badge
        subscriptions
        card create Bozo street=A city=B phone=C hometown=D
        card edit Bozo phone=E
        shoebox add Summer
        receipt add Hats 3.50 --box Summer --photo Data/Seeds/photos/01-bozo.jpg
        receipt edit Hats amount=4
        receipt list
        note add Hello --party Tea
        pending
        receipt delete Hats --yes
        sync reset --send-all
        fault add unavailable
        status
        fault clear
        schema
        expect ok
        quit
        """

    /// The scenes and `rest`, which together run every command.
    static var scripts: [String] {
        get throws {
            let folder = URL.package.appendingPathComponent("Demo/scenes")
            let files = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
            let scenes = try files.filter { $0.hasSuffix(".clown") }.map {
                try String(contentsOf: folder.appendingPathComponent($0), encoding: .utf8)
            }
            return scenes + [rest]
        }
    }

    /// The shapes of all documents that these scripts print.
    static func ofShell() async throws -> PrintedDocuments {
        var all = PrintedDocuments()
        for script in try scripts { all.add(try await of(script)) }
        return all.settled
    }

    private static func of(_ script: String) async throws -> PrintedDocuments {
        try await ShellWorld.run(isJSON: true) { world in
            var printed = PrintedDocuments()
            for statement in Statement.statements(in: script) {
                var text = statement.text
                var outcome = await world.runner.run(text)
                let redirection = StatementRunner.redirection(of: text)
                // The scene sends measured times to a file. The command prints them when it runs again.
                if redirection.file != nil, text.hasPrefix("telemetry"), !text.contains("--plain") {
                    text = redirection.line
                    outcome = await world.runner.run(text)
                }
                guard let name = name(of: text), !wrappers.contains(name) else { continue }
                try printed.add(name, outcome.rendering.data)
                world.runner.state.change { $0.mode = nil }
            }
            return printed
        }
    }

    /// The name of the command in a line; nil if its answer is redirected.
    static func name(of line: String) -> String? {
        let redirection = StatementRunner.redirection(of: line)
        guard redirection.program == nil, redirection.file == nil else { return nil }
        let text = redirection.line.replacing(/^\s*[\w.-]+@[\w.-]+:\s+/, with: "")
        guard let words = try? Tokenizer.words(in: text), !words.isEmpty else { return nil }
        return try? CommandTable.standard.command(for: words).name
    }
}
