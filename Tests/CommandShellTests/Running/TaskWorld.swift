import Foundation
import TaskShell

@testable import CommandShell
@testable import TestKit

/// A shell for tasks with its own home folder.
struct TaskWorld {
    static let now = Date(timeIntervalSince1970: 1_783_188_000)

    let folder: URL
    var runner: StatementRunner

    /// Runs `body` with a world, and deletes its folder.
    static func run(_ body: (TaskWorld) async throws -> Void) async throws {
        let folder = try URL.newFolder()
        defer { folder.remove() }
        // As each shell does: a program may end before it has read everything.
        StandardOutput.surviveClosedPipes()
        let program = TaskProgram()
        let environment = ShellEnvironment(
            now: { now }, baseFolder: folder, workFolder: folder, home: folder.path,
            favourites: FavouriteFile(of: program.names, environment: [:], home: folder.path))
        try await body(
            TaskWorld(folder: folder, runner: StatementRunner(program: program, environment: environment)))
    }

    func type(_ lines: String...) async {
        for line in lines { _ = await runner.run(line) }
    }

    /// The data that a line prints.
    func data(_ line: String) async -> String { await runner.run(line).rendering.data }

    /// The data and the messages that a line prints.
    func said(_ line: String) async -> String {
        let outcome = await runner.run(line)
        return outcome.rendering.data + outcome.rendering.messages
    }

    func text(of file: String) throws -> String {
        try String(contentsOf: folder.appendingPathComponent(file), encoding: .utf8)
    }
}
