import Foundation
import Testing

@testable import ShellKit
@testable import TestKit

/// The texts of the programs name commands for what to do next.
@Suite("Commands that texts name", .timeLimit(.minutes(2)))
struct NamedCommandTests {
    /// Words that follow the name of a program and are no command.
    private static let plainWords: Set = [
        "cloudlet is", "cloudlet encrypted", "cloudlet commands", "clown-central has",
    ]

    /// The commands of both programs by their whole names.
    private static func commands() async throws -> [String: DescribedCommand] {
        var commands: [String: DescribedCommand] = [:]
        for (variable, name) in [("cloudlet", "cloudlet"), ("app", "clown-central")] {
            for (path, command) in try await DescribedCommand.of(variable).all {
                commands[path.isEmpty ? name : "\(name) \(path)"] = command
            }
        }
        return commands
    }

    /// A source text without the lines that are comments, with the pieces of each literal joined.
    private static func joined(_ text: String) -> String {
        text.split(separator: "\n").filter { !$0.drop { $0 == " " }.hasPrefix("//") }
            .joined(separator: "\n")
            .replacing(/\\\n */, with: "")
            .replacing(/"\s*\+ "/, with: "")
    }

    @Test("Every command that a text of the sources names exists, with its flags")
    func named() async throws {
        let commands = try await Self.commands()
        #expect(commands["cloudlet schema deploy"] != nil && commands["clown-central demo"] != nil)
        let folder = URL.package.appending(path: "Sources")
        let files = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
            .filter { $0.hasSuffix(".swift") }.sorted()
        var (count, plain) = (0, Set<String>())
        for file in files {
            let text = try String(contentsOf: folder.appending(path: file), encoding: .utf8)
            for mention in Mention.all(in: Self.joined(text)) {
                if Self.plainWords.contains(mention.words(2)) {
                    plain.insert(mention.words(2))
                    continue
                }
                count += 1
                let problem = mention.problem(commands)
                #expect(problem == nil, "\(file): \(problem ?? "")")
            }
        }
        #expect(count > 100)
        #expect(plain == Self.plainWords, "a word in the list of plain words is in no text")
    }

    @Test(
        "A command or flag that does not exist is found, and one that exists is not",
        arguments: [
            ("make one: cloudlet key add CONTAINER", "there is no `cloudlet key add`"),
            ("see `cloudlet keys`", "there is no `cloudlet keys`"),
            ("with: cloudlet serve --nothing, or without", "`cloudlet serve` has no flag --nothing"),
            ("type: cloudlet exec --schema FILE -- swift test --filter A", nil),
            ("`cloudlet container`, `token` and `user`", nil), ("clown-central demo --list", nil),
        ] as [(String, String?)])
    func found(text: String, problem: String?) async throws {
        let commands = try await Self.commands()
        let mentions = Mention.all(in: text)
        #expect(mentions.count == 1)
        #expect(mentions.first?.problem(commands) == problem)
    }
}

/// A part of a text that names a program, followed by a word.
private struct Mention {
    /// The program and the words behind it that can be names of commands.
    let path: [String]
    /// The rest of the command, up to a mark that ends it.
    let rest: String

    static func all(in text: String) -> [Mention] {
        text.matches(of: /(?:^|[^\w\/.~-])((?:cloudlet|clown-central)(?: [a-z][a-z-]*)+)/).map { match in
            let path = match.output.1.split(separator: " ").map { String($0) }
            let rest = String(text[match.range.upperBound...].prefix { !"`\"\n;,".contains($0) })
            return Mention(path: path, rest: rest.components(separatedBy: " -- ")[0])
        }
    }

    func words(_ count: Int) -> String { path.prefix(count).joined(separator: " ") }

    /// Describes the missing command or flag; nil if the command and its flags exist.
    func problem(_ commands: [String: DescribedCommand]) -> String? {
        var length = 1
        while length < path.count, commands[words(length)]?.subcommands?.isEmpty == false {
            length += 1
            if commands[words(length)] == nil { return "there is no `\(words(length))`" }
        }
        // A command takes the flags of the commands above it, too.
        let known = Set((1...length).flatMap { commands[words($0)]?.flags ?? [] } + ["--help"])
        for flag in rest.matches(of: /--[a-z][a-z-]*/) where !known.contains(String(flag.output)) {
            return "`\(words(length))` has no flag \(flag.output)"
        }
        return nil
    }
}
