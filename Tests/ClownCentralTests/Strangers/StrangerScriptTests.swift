import Foundation
import Testing

@testable import ClownCentral
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
                #expect(outcome.rendering.messages == "would do: \(line)\n")
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
        let process = ProcessInfo.processInfo.processIdentifier
        let own = path(process, 7)
        let lock = try WorkFolders.create(own)
        defer { close(lock) }
        let mode = try files.attributesOfItem(atPath: own.path)[.posixPermissions] as? Int
        #expect(mode == 0o700)
        #expect(throws: (any Error).self) { try WorkFolders.create(own) }
        #expect(own.lastPathComponent != path(process, 8).lastPathComponent)
        // No process has the greatest number of the type as its ID.
        let running = path(.max, 8)
        let otherLock = try WorkFolders.create(running)
        defer { close(otherLock) }
        let ended = path(.max, 9)
        close(try WorkFolders.create(ended))
        WorkFolders.sweep(beside: own)
        #expect(own.exists && running.exists && !ended.exists)
    }

    @Test(
        "Another user's scenes and seeds above the program are skipped where everybody can create folders",
        .enabled(if: geteuid() == 0), arguments: [0o1777, 0o755])
    func scenesOfOthers(mode: Int) throws {
        let parent = try URL.newFolder()
        defer { parent.remove() }
        let (demo, program) = (parent.appending(path: "Demo"), parent.appending(path: "build"))
        let (data, scenes) = (parent.appending(path: "Data"), demo.appending(path: "scenes"))
        let seeds = data.appending(path: "Seeds")
        for folder in [scenes, seeds, program] {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        }
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: parent.path)
        func found() throws -> URL {
            try SceneFolder(
                of: ProgramNames("my-app", title: "My App"), argument: nil, environment: [:],
                executable: program.appending(path: "my-app").path
            ).url
        }
        func foundSeeds() throws -> URL {
            try SeedSet.folder(environment: [:], executable: program.appending(path: "my-app").path)
        }
        #expect(try found().lastPathComponent == "scenes")
        #expect(try foundSeeds().lastPathComponent == "Seeds")
        for folder in [demo, scenes, data, seeds] { #expect(chown(folder.path, 4321, 4321) == 0) }
        for own in [try? found(), try? foundSeeds()] {
            #expect((own?.path.hasPrefix(parent.path) ?? false) == (mode == 0o755))
        }
    }

    @Test("A folder that somebody else made is never removed, whatever its name")
    func foldersOfOthers() throws {
        let parent = try URL.newFolder()
        defer { parent.remove() }
        func path(_ number: UInt64) -> URL {
            WorkFolders.path(of: "my-app", process: .max, number: number, in: parent)
        }
        let names = ["my-app-backup-20261122", "my-app-photos-2025", "my-app-2"]
        let kept = names.map { parent.appendingPathComponent($0) } + [path(1)]
        for folder in kept {
            try FileManager.default.createDirectory(
                at: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
            try Data("precious".utf8).write(to: folder.appendingPathComponent("file"))
        }
        // A folder of an ended process to which others have access, and a link to such a folder.
        close(try WorkFolders.create(path(2)))
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path(2).path)
        try FileManager.default.createSymbolicLink(at: path(3), withDestinationURL: path(2))
        WorkFolders.sweep(beside: path(9))
        for folder in kept + [path(2), path(3)] { #expect(folder.exists, "\(folder.lastPathComponent)") }
    }
}
