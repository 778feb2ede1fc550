import CloudletServer
import Foundation
import RecordsWire
import SQLiteSupport
import Testing

@testable import ServerData
@testable import ServerKit
@testable import TestKit

@Suite("Backup, restore and doctor", .timeLimit(.minutes(2)))
struct BackupTests {
    /// Plays in a world whose data lies in `data` below a folder; there are records, files and a person.
    private func withData(
        _ body: (_ folder: URL, _ world: ServerWorld, _ alice: Person) async throws -> Void
    ) async throws {
        try await withFolder { folder in
            let world = try await ServerWorld.start(.loopback) {
                $0.storage = .folder(folder.appendingPathComponent("data"))
            }
            let alice = try await world.signIn("alice")
            for (database, name) in [("public", "p"), ("private", "q")] {
                for index in 1...3 {
                    let photo = "\(name)\(index)"
                    let receipt = try await world.upload(
                        Array("content of \(photo)".utf8), record: photo, database: database, as: alice)
                    let saved = try await world.modify(
                        "\(database)", [self.photo(world, photo, receipt)], as: alice)
                    #expect(saved.records == ["ok"])
                }
            }
            try await body(folder, world, alice)
            await world.stop()
        }
    }

    private func photo(_ world: ServerWorld, _ name: String, _ receipt: JSON) -> JSON {
        world.photo(name, receipt, ["title": text(name)])
    }

    private func findings(_ folder: URL, deep: Bool = false) -> [String] {
        DataCheck(of: folder, readsFiles: deep).findings.filter(\.isProblem).map {
            "\($0.subject): \($0.text)"
        }
    }

    @Test("What a running server keeps is copied and served again from another folder")
    func roundTrip() async throws {
        try await withData { folder, world, alice in
            let backup = folder.appendingPathComponent("backup")
            let report = try DataBackup.make(of: folder.appendingPathComponent("data"), at: backup)
            #expect(report.databases == 3)
            #expect(report.files == 6)
            #expect(report.missing == [])
            // What comes after it is not in it.
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

    @Test("Copies made while records and files come and go are sound, each of them")
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
        "A container is copied whatever its name, one like a folder of files or a database too",
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

    @Test("Nothing is written over, and nothing half done is left")
    func refusals() async throws {
        try await withData { folder, world, _ in
            let data = folder.appendingPathComponent("data")
            let taken = folder.appendingPathComponent("taken")
            try FileManager.default.createDirectory(at: taken, withIntermediateDirectories: true)
            try Data("mine".utf8).write(to: taken.appendingPathComponent("file"))
            let over = #expect(throws: ServerError.self) { try DataBackup.make(of: data, at: taken) }
            #expect(over?.reason.contains("is there already") == true)
            let back = #expect(throws: ServerError.self) { try DataBackup.restore(data, to: taken) }
            #expect(back?.reason.contains("is there already") == true)
            let none = folder.appendingPathComponent("none")
            #expect(throws: ServerError.self) {
                try DataBackup.make(of: none, at: folder.appendingPathComponent("x"))
            }
            await world.stop()
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

    @Test("A damaged backup is not restored, and the finding names the file")
    func damage() async throws {
        try await withData { folder, world, _ in
            await world.stop()
            let backup = folder.appendingPathComponent("backup")
            try DataBackup.make(of: folder.appendingPathComponent("data"), at: backup)
            let content = try #require(
                FileManager.default.enumerator(atPath: backup.path)?.compactMap { $0 as? String }
                    .first { $0.contains("public-assets/content/") && $0.split(separator: "/").count > 6 })
            let file = backup.appendingPathComponent(content)
            try Data("tampered".utf8).write(to: file)
            #expect(findings(backup) == [])
            #expect(findings(backup, deep: true).count == 1)
            let error = #expect(throws: ServerError.self) {
                try DataBackup.restore(backup, to: folder.appendingPathComponent("again"))
            }
            #expect(error?.reason.contains("is not what was uploaded") == true)
            try FileManager.default.removeItem(at: file)
            #expect(findings(backup).count == 1)
            #expect(findings(backup)[0].contains("that records name is missing"))
        }
    }

    @Test("A full disk is a problem, a nearly full one is a notice, and both name the folder")
    func disk() {
        var check = DataCheck(of: URL(fileURLWithPath: "/none"))
        let before = check.findings.count
        check.check(DiskRoom(freeBytes: 60_000_000_000, totalBytes: 100_000_000_000))
        #expect(check.findings.count == before)
        check.check(DiskRoom(freeBytes: 70_000_000, totalBytes: 10_000_000_000))
        check.check(DiskRoom(freeBytes: 0, totalBytes: 10_000_000_000))
        let found = check.findings.suffix(2)
        #expect(found.map(\.isProblem) == [false, true])
        #expect(found.first?.text == "the disk is nearly full: 70 MB are free")
        #expect(found.last?.nextStep == "free space on the disk of /none")
    }

    /// The asset files below a data folder.
    private func assetFiles(_ data: URL) -> [URL] {
        let paths = FileManager.default.enumerator(atPath: data.path)?.compactMap { $0 as? String } ?? []
        return paths.sorted().filter { $0.contains("-assets/content/") && $0.split(separator: "/").count > 6 }
            .map { data.appendingPathComponent($0) }
    }

    @Test("A backup names files that are damaged or missing, and is restored when that is wanted")
    func damagedFiles() async throws {
        try await withData { folder, world, _ in
            await world.stop()
            let data = folder.appendingPathComponent("data")
            let files = assetFiles(data).filter { $0.path.contains("public-assets") }
            try #require(files.count == 3)
            try Data("tampered".utf8).write(to: files[0])
            try FileManager.default.removeItem(at: files[1])
            let backup = folder.appendingPathComponent("backup").path
            let made = await (try Command("backup", backup, "--data", data.path)).end()
            #expect(made.code == 1)
            #expect(made.errors.contains("is not what was uploaded"))
            #expect(made.errors.contains("a file that records name is missing"))
            #expect(made.errors.contains("with the damage"))
            let again = folder.appendingPathComponent("again")
            let refused = await (try Command("restore", backup, "--data", again.path)).end()
            #expect(refused.code == 1)
            #expect(refused.errors.contains("is damaged (2 findings)"))
            #expect(refused.errors.contains("--with-damage"))
            #expect(!FileManager.default.fileExists(atPath: again.path))
            let way = try Command("restore", backup, "--data", again.path, "--with-damage", "--json")
            let restored = await way.end()
            #expect(restored.code == 0)
            let report = try JSON(Array(restored.output.utf8))
            #expect(report["files"] == 5)
            #expect(report["missing"].elements.count == 1)
            #expect(report["damaged"].elements.count == 1)
            #expect(findings(again, deep: true).count == 2)
            let twin = try await ServerWorld.start(.loopback) { $0.storage = .folder(again) }
            let alice = try await twin.signIn("alice")
            let found = try await twin.call(
                "public/records/lookup", names("p1", "p2", "p3"), as: alice)
            #expect(found.records == ["ok", "ok", "ok"])
            await twin.stop()
        }
    }

    @Test("Files that a server deletes during a backup are copied from their links, which go with it")
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

    @Test("The links of a killed backup are reported, and the next backup removes them, but no running one's")
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
            #expect(DataCheck(of: data).findings.filter { $0.subject == "removed" }.isEmpty)
            await world.stop()
            let again = try await ServerWorld.start(.loopback) { $0.storage = .folder(data) }
            #expect(links.exists)
            await again.stop()
            running.release()
            #expect(!links.exists)
        }
    }

    @Test(
        "A folder of databases that cannot be read stops a backup, which would lack it",
        .enabled(if: geteuid() != 0, "root may read everything"))
    func unreadableFolder() async throws {
        try await withData { folder, _, _ in
            let data = folder.appendingPathComponent("data")
            let container = data.appendingPathComponent("containers/iCloud.test")
            #expect(chmod(container.path, 0) == 0)
            defer { chmod(container.path, 0o700) }
            let error = #expect(throws: ServerError.self) {
                try DataBackup.make(of: data, at: folder.appendingPathComponent("backup"))
            }
            #expect(error?.reason.hasPrefix("containers/iCloud.test in the data folder") == true)
        }
    }

    @Test("A server refuses a backup as its data folder, and uses what was restored from it")
    func servedBackup() async throws {
        try await withData { folder, world, _ in
            await world.stop()
            let backup = folder.appendingPathComponent("backup")
            try DataBackup.make(of: folder.appendingPathComponent("data"), at: backup)
            let error = #expect(throws: ServerError.self) { try DataFolder(backup) }
            #expect(error?.reason == "the data folder \(backup.path) is a backup")
            #expect(findings(backup, deep: true) == [])
            // A backup of a backup is one, too.
            let second = folder.appendingPathComponent("second")
            try DataBackup.make(of: backup, at: second)
            #expect(throws: ServerError.self) { try DataFolder(second) }
            let again = folder.appendingPathComponent("again")
            try DataBackup.restore(second, to: again)
            let data = try DataFolder(again)
            data.release()
        }
    }

    @Test("A backup of damaged data fails by name, and is there")
    func damagedData() async throws {
        try await withData { folder, world, _ in
            await world.stop()
            let data = folder.appendingPathComponent("data")
            let place = data.appendingPathComponent("containers/iCloud.test/development/public.sqlite")
            var bytes = try Data(contentsOf: place)
            // A name that stands in a table and in its index; in one of them it is another now.
            let name = try #require(bytes.range(of: Data("p2".utf8)))
            bytes.replaceSubrange(name, with: Data("pX".utf8))
            try bytes.write(to: place)
            let backup = folder.appendingPathComponent("backup").path
            let made = try await Program.cloudlet("backup", backup, "--data", data.path)
            #expect(made.code == 1)
            #expect(made.errors.contains("damaged: containers/iCloud.test/development/public.sqlite: "))
            #expect(made.errors.contains("backed up to \(backup), with the damage"))
            #expect(FileManager.default.fileExists(atPath: backup + "/directory.sqlite"))
            let json = try await Program.cloudlet("backup", backup + "2", "--data", data.path, "--json")
            #expect(json.code == 1)
            #expect(try JSON(Array(json.output.utf8))["damaged"].elements.isEmpty == false)
            for offset in stride(from: 4096, to: bytes.count, by: 64) { bytes[offset] ^= 0xff }
            try bytes.write(to: place)
            let unread = try await Program.cloudlet("backup", backup + "3", "--data", data.path)
            #expect(unread.code == 1)
            #expect(unread.errors.contains("containers/iCloud.test/development/public.sqlite"))
        }
    }

    @Test("The doctor finds what is wrong with a folder, and says what to do about each")
    func doctor() async throws {
        try await withData { folder, world, _ in
            let data = folder.appendingPathComponent("data")
            #expect(DataCheck(of: data).isInUse)
            #expect(findings(data, deep: true) == [])
            await world.stop()
            let check = DataCheck(of: data)
            #expect(!check.isInUse)
            #expect(check.databases == 3)
            #expect(check.files == 6)
            #expect(check.findings == [])
            let manager = FileManager.default
            try manager.setAttributes(
                [.posixPermissions: 0o644], ofItemAtPath: data.appendingPathComponent("operator.key").path)
            try manager.setAttributes([.posixPermissions: 0o755], ofItemAtPath: data.path)
            let place = data.appendingPathComponent("containers/iCloud.test/development/public.sqlite")
            var bytes = try Data(contentsOf: place)
            for offset in stride(from: 4096, to: bytes.count, by: 512) { bytes[offset] ^= 0xff }
            try bytes.write(to: place)
            let found = DataCheck(of: data).findings
            #expect(found.allSatisfy { !$0.nextStep.isEmpty })
            let subjects = Set(found.map(\.subject))
            #expect(
                subjects.isSuperset(of: [
                    "operator.key", ".", "containers/iCloud.test/development/public.sqlite",
                ]))
            #expect(findings(folder).count == 1)
        }
    }

    @Test("The commands say the same, and end with the code for it")
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
            #expect(twice.errors.contains("is there already"))
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
