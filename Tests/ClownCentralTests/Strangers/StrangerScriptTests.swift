import Foundation
import Testing

@testable import CommandShell
@testable import ShellKit
@testable import TestKit

@Suite("Scripts and folders of strangers")
struct StrangerScriptTests {
    @Test("A dry run prints whole statements, runs no program after `|`, and changes no file")
    func rehearsal() async throws {
        try await ShellWorld.run { world in
            let folder = world.runner.environment.workFolder
            let (touched, kept) = (
                folder.appendingPathComponent("touched"), folder.appendingPathComponent("kept")
            )
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try Data("precious".utf8).write(to: kept)
            var runner = world.runner
            runner.isDryRun = true
            for line in [
                "party list | touch \(touched.path)", "party list > \(kept.path)",
                "config list > \(kept.path)",
            ] {
                let outcome = await runner.run(line)
                #expect(outcome.rendering.talk == "would do: \(line)\n")
            }
            #expect(!touched.exists)
            #expect(try String(contentsOf: kept, encoding: .utf8) == "precious")
            let wrong = await runner.run("party lis | touch \(touched.path)")
            #expect(wrong.shellError != nil)
        }
    }

    @Test("Only the user can read a process's temporary folder, and an existing folder is never used")
    func workFolder() throws {
        let files = FileManager.default
        let parent = try URL.newFolder()
        defer { parent.remove() }
        func path(_ process: Int32, _ number: UInt64) -> URL {
            WorkFolders.path(of: "my-app", process: process, number: number, in: parent)
        }
        let own = path(ProcessInfo.processInfo.processIdentifier, 7)
        try WorkFolders.create(own)
        let mode = try files.attributesOfItem(atPath: own.path)[.posixPermissions] as? Int
        #expect(mode == 0o700)
        #expect(throws: (any Error).self) { try WorkFolders.create(own) }
        #expect(own.lastPathComponent != path(ProcessInfo.processInfo.processIdentifier, 8).lastPathComponent)
        // No process has the greatest number that the type can hold.
        let ended = path(.max, 9)
        try WorkFolders.create(ended)
        WorkFolders.sweep(beside: own)
        #expect(files.fileExists(atPath: own.path) && !files.fileExists(atPath: ended.path))
    }
}
