import Foundation
import Testing

@testable import CloudletShell
@testable import ClownCentral
@testable import CommandShell
@testable import ShellKit
@testable import TestKit

@Suite("The README")
struct ReadmeTests {
    private static func text() throws -> String {
        try String(contentsOf: URL.package.appendingPathComponent("README.md"), encoding: .utf8)
    }

    @Test("shows a conversation as the shell prints it")
    func transcript() async throws {
        let block = try #require(
            try Self.text().split(separator: "```\n").first { $0.contains("alice@terminal> ") })
        let lines = block.split(separator: "\n").map(String.init).dropFirst()
        try await ShellWorld.run { world in
            await world.type("as alice")
            var printed: [String] = []
            for line in lines {
                guard let prompt = line.firstRange(of: "alice@terminal> ") else { continue }
                let outcome = await world.runner.run(String(line[prompt.upperBound...]))
                #expect(outcome.shellError == nil)
                let text = outcome.rendering.data + outcome.rendering.messages
                printed += [line] + text.split(separator: "\n").map(String.init)
            }
            #expect(printed == Array(lines))
        }
    }

    @Test("has the paths of the programs and the dependencies of a package")
    func calls() async throws {
        let text = try Self.text()
        let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("swift build && PATH=") })
        let path = line.dropFirst("swift build && ".count).prefix { $0 != " " }
        let end = try await Program.shell(
            "cd \(URL.package.path) && \(path) && clown-central --version && cloudlet --version")
        #expect(end.code == 0, "\(end.errors)")
        let manifests = try ["Newcomer/Package.swift", nil].map { file in
            guard let file else {
                let entity = try EntitySpec("Task:title")
                let template = AppTemplate(name: "App", entities: [entity], cloudlet: "../cloudlet")
                return template.files.first { $0.path == "Package.swift" }?.text ?? ""
            }
            let url = URL.package.appendingPathComponent("Tests/\(file)")
            return try String(contentsOf: url, encoding: .utf8)
        }
        let product = ".product(name: \"CloudKit\", package: \"cloudlet\")"
        #expect(text.contains(product) && manifests[0].contains(product))
        let kit = ".product(name: \"CloudletTesting\", package: \"cloudlet\")"
        let package = ".package(name: \"cloudlet\", path: \"../cloudlet\")"
        for part in [kit, package] { #expect(text.contains(part) && manifests[1].contains(part)) }
    }

    @Test("shows how to play the walkthrough step by step, as the page about the command lines does")
    func steps() throws {
        let page = URL.package.appendingPathComponent("Sources/Cloudlet/Documentation.docc/CommandLine.md")
        #expect(try Self.text().contains("Demo/run demo --step "))
        #expect(try String(contentsOf: page, encoding: .utf8).contains("`demo --step`"))
    }

    @Test("has entities that `new` can parse")
    func newApp() throws {
        let text = try Self.text()
        let call = try #require(text.firstMatch(of: /clown-central new \w+((?: --entity '?[^\s'`]+'?)+)/)).1
        for entity in call.matches(of: /--entity '?([^\s'`]+)/) { _ = try EntitySpec(String(entity.1)) }
    }
}
