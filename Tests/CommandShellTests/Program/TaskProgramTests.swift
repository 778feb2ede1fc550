import Foundation
import TaskShell
import Testing

@testable import CommandShell
@testable import TestKit

@Suite("A small program with a shell")
struct TaskProgramTests {
    private func runner(isJSON: Bool = false) -> StatementRunner {
        let program = TaskProgram()
        let folder = URL.unused()
        let environment = ShellEnvironment(
            now: { Date(timeIntervalSince1970: 0) }, baseFolder: folder, workFolder: folder,
            home: folder.path,
            favourites: FavouriteFile(of: program.names, environment: [:], home: folder.path))
        return StatementRunner(program: program, environment: environment, isJSON: isJSON)
    }

    @Test("has commands, claims, variables and pipes")
    func commands() async {
        let runner = runner()
        #expect(await runner.run("task show").rendering.messages == "no tasks yet; try: task add TITLE\n")
        #expect(await runner.run("task add 'Buy paint'").rendering.messages == "added Buy paint\n")
        await _ = runner.run("set what Paint")
        await _ = runner.run("task add \"Mix $what\"")
        #expect(await runner.run("task show").rendering.data == "TITLE\nBuy paint\nMix Paint\n")
        #expect(await runner.run("expect count 2").isHeldClaim)
        #expect(await runner.run("task show | wc -l").rendering.data.contains("3"))
    }

    @Test("has help, and suggestions for mistyped words")
    func help() async {
        let runner = runner()
        #expect(await runner.run("help").rendering.data.hasPrefix("Tasks  task add|show\n"))
        #expect(await runner.run("help all").rendering.data.contains("  task add  "))
        let heading = await runner.run("help tasks").rendering.data
        #expect(heading.hasPrefix("Tasks\n  task add  "))
        #expect(heading.contains("task show"))
        #expect(!heading.contains("quit"))
        #expect(await runner.run("task add --help").rendering.data.contains("task add 'Buy paint'"))
        let shellError = await runner.run("task ad X").shellError
        #expect(shellError?.suggestions == ["task add"])
        #expect(shellError?.exit == .usage)
        #expect(await runner.run("quit 4").exitCode == 4)
    }

    @Test("answers as JSON and CSV")
    func formats() async {
        let runner = runner(isJSON: true)
        await _ = runner.run("task add Rest")
        #expect(await runner.run("task show").rendering.data == "[{\"title\":\"Rest\"}]\n")
        await _ = runner.run("mode csv")
        #expect(await runner.run("task show").rendering.data == "title\nRest\n")
    }

    @Test("completes commands and the names that it knows")
    func completion() async {
        let runner = runner()
        let completer = Completer(table: runner.table)
        #expect(completer.site(line: "ta", cursor: 2).source != .nothing)
        await _ = runner.run("task add Rest")
        let site = completer.site(line: "task show R", cursor: 11)
        guard case .live(let kind, _) = site.source else {
            Issue.record("tasks are looked up")
            return
        }
        let found = await runner.candidates(for: kind, beginningWith: site.typed).map(\.asName)
        #expect(completer.completion(at: site, among: found).insertion == "Rest ")
    }
}
