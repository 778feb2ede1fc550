import CloudletServer
import Foundation
import RecordsWire
import SQLiteSupport
import Testing

@testable import ServerData
@testable import ServerKit
@testable import TestKit

@Suite("Backup, restore and doctor", .timeLimit(.minutes(30)))
struct BackupTests {
    @Test("The data of a running server is copied, and served again from another folder")
    func roundTrip() async throws {
        try await withData { folder, world, alice in
            let backup = folder.appendingPathComponent("backup")
            let report = try DataBackup.make(of: folder.appendingPathComponent("data"), at: backup)
            #expect(report.databases == 3)
            #expect(report.files == 6)
            #expect(report.missing == [])
            // Later changes are not in the backup.
            _ = try await world.modify("public", [create("late")], as: alice)
            await world.stop()
            let again = folder.appendingPathComponent("again")
            #expect(try DataBackup.restore(backup, to: again) == report)
            #expect(findings(again, deep: true) == [])
            let twin = try await ServerWorld.start(.loopback) { $0.storage = .folder(again) }
            let alice = try await twin.signIn("alice")
            for (database, name) in [("public", "p1"), ("private", "q2")] {
                let found = try await twin.call(
                    "\(database)/records/lookup", names(name, "late"), as: alice)
                #expect(found.records == ["ok", "NOT_FOUND: Record not found"])
                let address = try #require(
                    found.json["records"][0]["fields"]["file"]["value"]["downloadURL"].text)
                #expect(try await twin.send("GET", address).text == "content of \(name)")
            }
            await twin.stop()
        }
    }

    @Test("Backups are intact while records and files are added and deleted")
    func whileWriting() async throws {
        try await withData { folder, world, alice in
            let data = folder.appendingPathComponent("data")
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    for index in 1...40 {
                        let name = "w\(index)"
                        let receipt = try await world.upload(
                            Array("written \(index)".utf8), record: name, as: alice)
                        _ = try await world.modify("public", [world.photo(name, receipt)], as: alice)
                        if index > 3 {
                            _ = try await world.modify("public", [forceDelete("w\(index - 3)")], as: alice)
                        }
                    }
                }
                for index in 1...4 {
                    let backup = folder.appendingPathComponent("backup-\(index)")
                    let report = try DataBackup.make(of: data, at: backup)
                    #expect(report.missing == [])
                    #expect(findings(backup, deep: true) == [])
                }
                let bin = data.appendingPathComponent("removed").path
                #expect(try FileManager.default.contentsOfDirectory(atPath: bin) == [])
                try await group.waitForAll()
            }
        }
    }

    @Test(
        "A container with any name is copied, even one like that of a database or a folder of files",
        arguments: ["iCloud.org.example.game-assets", "iCloud.org.example.sqlite"])
    func awkwardName(container: String) async throws {
        try await withData { folder, world, _ in
            let alice = try await world.signIn("alice", container: container)
            let saved = try await world.call(
                "private/records/modify", batch([create("x")]), as: alice, container: container)
            #expect(saved.records == ["ok"])
            let backup = folder.appendingPathComponent("backup")
            _ = try DataBackup.make(of: folder.appendingPathComponent("data"), at: backup)
            await world.stop()
            let again = folder.appendingPathComponent("again")
            _ = try DataBackup.restore(backup, to: again)
            #expect(findings(again) == [])
            let twin = try await ServerWorld.start(.loopback) { $0.storage = .folder(again) }
            let person = try await twin.signIn("alice", container: container)
            let found = try await twin.call(
                "private/records/lookup", names("x"), as: person, container: container)
            #expect(found.records == ["ok"])
            await twin.stop()
        }
    }

    @Test("Existing folders are not overwritten, and an incomplete copy is removed")
    func refusals() async throws {
        try await withData { folder, world, _ in
            let data = folder.appendingPathComponent("data")
            let taken = folder.appendingPathComponent("taken")
            try FileManager.default.createDirectory(at: taken, withIntermediateDirectories: true)
            try Data("mine".utf8).write(to: taken.appendingPathComponent("file"))
            let over = #expect(throws: ServerError.self) { try DataBackup.make(of: data, at: taken) }
            #expect(over?.reason.contains("exists already") == true)
            let none = folder.appendingPathComponent("none")
            #expect(throws: ServerError.self) {
                try DataBackup.make(of: none, at: folder.appendingPathComponent("x"))
            }
            await world.stop()
            let back = #expect(throws: ServerError.self) { try DataBackup.restore(data, to: taken) }
            #expect(back?.reason.contains("exists already") == true)
            let backup = folder.appendingPathComponent("backup")
            let older = folder.appendingPathComponent("backup.partial")
            try FileManager.default.createDirectory(at: older, withIntermediateDirectories: true)
            try Data("mine".utf8).write(to: older.appendingPathComponent("file"))
            try DataBackup.make(of: data, at: backup)
            #expect(try FileManager.default.contentsOfDirectory(atPath: older.path) == ["file"])
            try Data("99\n".utf8).write(to: backup.appendingPathComponent("format"))
            let newer = #expect(throws: ServerError.self) {
                try DataBackup.restore(backup, to: folder.appendingPathComponent("y"))
            }
            #expect(newer?.code == .folderTooNew)
            let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
            #expect(names == ["backup", "backup.partial", "data", "taken"])
        }
    }

    @Test("A backup removes the copies of killed backups beside it, but no other folder and none in use")
    func abandonedCopies() async throws {
        try await withData { folder, _, _ in
            func makeCopy(_ name: String, _ entry: String) throws -> URL {
                let copy = folder.appendingPathComponent(name)
                try FileManager.default.createDirectory(at: copy, withIntermediateDirectories: true)
                try Data().write(to: copy.appendingPathComponent(entry))
                return copy
            }
            let killed = try makeCopy("a.partial-0123456789abcdef", "directory.sqlite")
            let foreign = try makeCopy("b.partial-0123456789abcdef", "letter")
            let named = try makeCopy("c.partial-letters", "directory.sqlite")
            let used = try makeCopy("d.partial-0123456789abcdef", "format")
            let lock = try #require(HeldFiles.locked(used))
            let data = folder.appendingPathComponent("data")
            try DataBackup.make(of: data, at: folder.appendingPathComponent("backup"))
            #expect([killed, foreign, named, used].map(\.exists) == [false, true, true, true])
            close(lock)
            try DataBackup.make(of: data, at: folder.appendingPathComponent("second"))
            #expect(!used.exists)
        }
    }

    @Test("Files that a server deletes during a backup are copied from links, which are removed afterwards")
    func heldFiles() async throws {
        try await withFolder { folder in
            let file = folder.appendingPathComponent("photo")
            try Data("photo".utf8).write(to: file)
            let held = try #require(HeldFiles(in: folder))
            for _ in 1...2 { held.hold(["a/b": file, "c": folder.appendingPathComponent("none")]) }
            try FileManager.default.removeItem(at: file)
            #expect(held.holds("a/b"))
            #expect(!held.holds("c"))
            #expect(try Data(contentsOf: held.place(of: "a/b")) == Data("photo".utf8))
            held.release()
            #expect(!held.holds("a/b"))
            let bin = folder.appendingPathComponent("removed").path
            #expect(try FileManager.default.contentsOfDirectory(atPath: bin) == [])
        }
    }

    @Test("The databases of a backup have no log, so that they can be read on a read-only disk")
    func plainFiles() async throws {
        try await withData { folder, _, _ in
            let backup = folder.appendingPathComponent("backup")
            try DataBackup.make(of: folder.appendingPathComponent("data"), at: backup)
            let all = FileManager.default.enumerator(atPath: backup.path)
            let paths = all?.compactMap { $0 as? String } ?? []
            let journals = paths.filter { $0.hasSuffix("-wal") || $0.hasSuffix("-shm") }
            #expect(journals == [])
            let databases = paths.filter { $0.hasSuffix(".sqlite") }
            #expect(databases.count == 3)
            for path in databases {
                // The versions in the header: 1 for a rollback journal, 2 for a write-ahead log.
                let bytes = try Data(contentsOf: backup.appendingPathComponent(path))
                #expect(Array(bytes[18..<20]) == [1, 1])
            }
        }
    }

    @Test("After a stop, each database file is complete, and the logs are empty")
    func emptyLogs() async throws {
        try await withData { folder, world, _ in
            await world.stop()
            let data = folder.appendingPathComponent("data")
            let paths = FileManager.default.enumerator(atPath: data.path)?.compactMap { $0 as? String } ?? []
            let logs = paths.filter { $0.hasSuffix(".sqlite-wal") }
            #expect(logs.contains("directory.sqlite-wal"))
            for path in logs {
                let log = try Data(contentsOf: data.appendingPathComponent(path))
                #expect(log.isEmpty, "\(path)")
                data.appendingPathComponent(path).remove()
                data.appendingPathComponent(String(path.dropLast(4)) + "-shm").remove()
            }
            #expect(findings(data, deep: true) == [])
            #expect(DataCheck(of: data).findings == [])
        }
    }

    @Test("The folder of a running server is not restored, and no copy is made inside its source")
    func wrongFolders() async throws {
        try await withData { folder, world, _ in
            let data = folder.appendingPathComponent("data")
            let running = #expect(throws: ServerError.self) {
                try DataBackup.restore(data, to: folder.appendingPathComponent("again"))
            }
            #expect(running?.code == .folderInUse)
            #expect(running?.reason == "a server uses the folder \(data.path), so it is not a backup")
            let inside = #expect(throws: ServerError.self) {
                try DataBackup.make(of: data, at: data.appendingPathComponent("backup"))
            }
            #expect(inside?.reason.contains("would be inside the folder that is copied") == true)
            #expect(inside?.nextStep == "name a folder outside of it")
        }
    }

    @Test("Root's backup gives its folders to the server's user", .enabled(if: geteuid() == 0))
    func heldByRoot() async throws {
        try await withFolder { folder in
            #expect(chown(folder.path, 4321, 4321) == 0)
            let held = try #require(HeldFiles(in: folder))
            let links = held.place(of: "a").deletingLastPathComponent()
            for place in [folder.appendingPathComponent("removed"), links] {
                var info = stat()
                #expect(stat(place.path, &info) == 0)
                #expect(info.st_uid == 4321)
            }
            held.release()
        }
    }

    @Test("The links of a killed backup are reported and removed by the next one; a running backup's stay")
    func abandonedLinks() async throws {
        try await withData { folder, world, _ in
            let data = folder.appendingPathComponent("data")
            let bin = data.appendingPathComponent("removed")
            let running = try #require(HeldFiles(in: data))
            let links = running.place(of: "a").deletingLastPathComponent()
            let killed = bin.appendingPathComponent("backup-killed")
            try FileManager.default.createDirectory(at: killed, withIntermediateDirectories: true)
            let reported = DataCheck(of: data).findings.filter { $0.subject == "removed" }
            #expect(reported.map(\.isProblem) == [false])
            _ = try DataBackup.make(of: data, at: folder.appendingPathComponent("backup"))
            #expect(!killed.exists)
            let subjects = DataCheck(of: data).findings.map(\.subject)
            #expect(!subjects.contains("removed"))
            await world.stop()
            let again = try await ServerWorld.start(.loopback) { $0.storage = .folder(data) }
            #expect(links.exists)
            await again.stop()
            running.release()
            #expect(!links.exists)
        }
    }

    @Test("A server refuses a backup as its data folder, and accepts a restored one")
    func servedBackup() async throws {
        try await withData { folder, world, _ in
            await world.stop()
            let backup = folder.appendingPathComponent("backup")
            try DataBackup.make(of: folder.appendingPathComponent("data"), at: backup)
            let error = #expect(throws: ServerError.self) { try DataFolder(backup) }
            #expect(error?.reason == "the data folder \(backup.path) is a backup")
            #expect(findings(backup, deep: true) == [])
            // A backup can be made from a backup, too.
            let second = folder.appendingPathComponent("second")
            try DataBackup.make(of: backup, at: second)
            #expect(throws: ServerError.self) { try DataFolder(second) }
            let again = folder.appendingPathComponent("again")
            try DataBackup.restore(second, to: again)
            let data = try DataFolder(again)
            data.release()
        }
    }

    @Test("The commands report the same results, with their exit codes")
    func commands() async throws {
        try await withData { folder, world, _ in
            let data = folder.appendingPathComponent("data").path
            let backup = folder.appendingPathComponent("backup").path
            let made = try await Program.cloudlet("backup", backup, "--data", data)
            #expect(made.code == 0)
            #expect(made.output.contains("databases  3"))
            #expect(made.errors.contains("backed up to"))
            let again = folder.appendingPathComponent("again").path
            let restored = try await Program.cloudlet("restore", backup, "--data", again, "--json")
            #expect(restored.code == 0)
            #expect(try JSON(Array(restored.output.utf8))["files"] == 6)
            let twice = try await Program.cloudlet("restore", backup, "--data", again)
            #expect(twice.code == 1)
            #expect(twice.errors.contains("exists already"))
            let well = try await Program.cloudlet("doctor", "--data", again, "--deep")
            #expect(well.code == 0)
            #expect(well.errors.contains("no problem in 3 databases and 6 files"))
            let running = try await Program.cloudlet("doctor", "--data", data, "--json")
            #expect(running.code == 0)
            #expect(try JSON(Array(running.output.utf8))["inUse"] == true)
            let nothing = try await Program.cloudlet("doctor", "--data", folder.path)
            #expect(nothing.code == 1)
            #expect(nothing.output.contains("problem"))
        }
    }
}
