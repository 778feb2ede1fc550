import CloudletServer
import Foundation
import Records
import RecordsWire
import SQLiteSupport
import Testing

@testable import ServerData
@testable import ServerKit
@testable import TestKit

@Suite("Backup, restore and doctor with damaged data", .timeLimit(.minutes(30)))
struct DamagedDataTests {
    /// The asset files below a data folder.
    private func assetFiles(_ data: URL) -> [URL] {
        let paths = FileManager.default.enumerator(atPath: data.path)?.compactMap { $0 as? String } ?? []
        return paths.sorted().filter { $0.contains("-assets/content/") && $0.split(separator: "/").count > 6 }
            .map { data.appendingPathComponent($0) }
    }

    @Test("A damaged backup is not restored, and the error names the file")
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
            #expect(error?.reason.contains("is damaged (1 finding): ") == true)
            #expect(error?.reason.contains("is not what was uploaded") == true)
            #expect(DataBackup.reason(of: POSIXError(.EACCES)) == "Permission denied")
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

    @Test("A backup names damaged and missing files, and is restored on request")
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

    @Test(
        "A backup fails if a folder of databases cannot be read",
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

    @Test("A backup of damaged data is made, with a failure that names the database")
    func damagedData() async throws {
        try await withData { folder, world, _ in
            await world.stop()
            let data = folder.appendingPathComponent("data")
            let place = data.appendingPathComponent("containers/iCloud.test/development/public.sqlite")
            var bytes = try Data(contentsOf: place)
            // The name is in a table and in its index. This changes only one of them.
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

    private static let people = "containers/iCloud.test/development/private/"

    /// Runs a test with the data of a stopped server, and with a person whose database the test damages.
    private func withVictim(
        _ body: (_ folder: URL, _ data: URL, _ path: String) async throws -> Void
    ) async throws {
        try await withData { folder, world, _ in
            let bob = try await world.signIn("bob")
            let saved = try await world.modify("private", [create("b")], as: bob)
            #expect(saved.records == ["ok"])
            await world.stop()
            let path = Self.people + bob.recordName + ".sqlite"
            try await body(folder, folder.appendingPathComponent("data"), path)
        }
    }

    /// Expects that a backup with a damaged database exists, and that its other databases can be restored.
    private func expectOthersKept(_ folder: URL, _ data: URL, without path: String) throws -> DataBackup {
        let backup = folder.appendingPathComponent("backup")
        let again = folder.appendingPathComponent("again")
        for url in [backup, again] { url.remove() }
        let made = try DataBackup.make(of: data, at: backup)
        #expect(made.damaged.allSatisfy { $0.hasPrefix(path) })
        let restored = try DataBackup.restore(backup, to: again, withDamage: true)
        #expect(restored.files == 6)
        #expect(findings(again, deep: true).allSatisfy { $0.hasPrefix(path) })
        return made
    }

    @Test("A damaged page in one database prevents neither a backup nor a restore of the others")
    func damagedPages() async throws {
        try await withVictim { folder, data, path in
            let file = data.appendingPathComponent(path)
            let sound = try Data(contentsOf: file)
            for page in [56, 27, 23, 22, 19, 16, 3, 1, 0] where page * 4096 + 512 <= sound.count {
                var bytes = sound
                let begin = page == 0 ? 100 : page * 4096
                bytes.replaceSubrange(begin..<begin + 512, with: Data(repeating: 0xa5, count: 512))
                try bytes.write(to: file)
                _ = try expectOthersKept(folder, data, without: path)
            }
            // The first page is damaged now.
            let backup = folder.appendingPathComponent("backup")
            let kept = try Data(contentsOf: backup.appendingPathComponent(path + ".damaged"))
            #expect(kept.count == sound.count)
            #expect(!backup.appendingPathComponent(path).exists)
            let damaged = findings(backup)
            #expect(damaged.count == 1 && damaged[0].hasPrefix(path + ".damaged: "))
            #expect(throws: ServerError.self) {
                try DataBackup.restore(backup, to: folder.appendingPathComponent("refused"))
            }
            // A backup of the backup keeps the damaged database.
            let second = folder.appendingPathComponent("second")
            #expect(try DataBackup.make(of: backup, at: second).damaged.count == 1)
            #expect(second.appendingPathComponent(path + ".damaged").exists)
            let again = folder.appendingPathComponent("again")
            let twin = try await ServerWorld.start(.loopback) { $0.storage = .folder(again) }
            let alice = try await twin.signIn("alice")
            let found = try await twin.call("private/records/lookup", names("q1", "q2", "q3"), as: alice)
            #expect(found.records == ["ok", "ok", "ok"])
            await twin.stop()
        }
    }

    @Test(
        "A database that cannot begin a new epoch is reported by the backup, and omitted by the restore",
        arguments: [
            "DROP TABLE grdb_migrations",
            "CREATE TRIGGER t BEFORE UPDATE ON store BEGIN SELECT RAISE(ABORT, 'no'); END",
        ])
    func foreignChanges(sql: String) async throws {
        try await withVictim { folder, data, path in
            try execute(sql, in: data.appendingPathComponent(path))
            #expect(findings(data).count == 1)
            let made = try expectOthersKept(folder, data, without: path)
            #expect(made.damaged.count == 1)
            #expect(!folder.appendingPathComponent("again").appendingPathComponent(path).exists)
        }
    }

    @Test("A damaged database prevents no saves of its owner in other containers, and can be deleted")
    func otherContainers() async throws {
        try await withVictim { _, data, path in
            var bytes = try Data(contentsOf: data.appendingPathComponent(path))
            bytes.replaceSubrange(0..<100, with: Data(count: 100))
            try bytes.write(to: data.appendingPathComponent(path))
            let world = try await ServerWorld.start(.loopback) {
                $0.storage = .folder(data)
                // Another seed, so that the tokens differ from those of the first server.
                $0.seed = 2
                $0.limits.quota = QuotaRules()
            }
            let bob = try await world.signIn("bob", container: "iCloud.other")
            let saved = try await world.call(
                "private/records/modify", batch([create("x")]), as: bob, container: "iCloud.other")
            #expect(saved.records == ["ok"])
            #expect(try await world.operate("GET", "people/bob").status == 200)
            try await world.server.people.remove("bob")
            #expect(!data.appendingPathComponent(path).exists)
            await world.stop()
        }
    }

    @Test("A folder with databases but without accounts is refused", arguments: [true, false])
    func missingDirectory(isEmpty: Bool) async throws {
        try await withVictim { _, data, _ in
            let directory = data.appendingPathComponent("directory.sqlite")
            directory.remove()
            if isEmpty { try Data().write(to: directory) }
            let error = #expect(throws: ServerError.self) { try DataFolder(data) }
            #expect(error?.code == .folderUnusable)
            #expect(error?.reason.hasPrefix("directory.sqlite is missing") == true)
            data.appendingPathComponent("containers").remove()
            try DataFolder(data).release()
        }
    }

    @Test("A backup without a readable directory keeps everything else, and is not restored")
    func damagedDirectory() async throws {
        try await withVictim { folder, data, path in
            let directory = data.appendingPathComponent("directory.sqlite")
            let bytes = Data(repeating: 7, count: 20_000)
            try bytes.write(to: directory)
            for ending in ["-wal", "-shm"] { URL(fileURLWithPath: directory.path + ending).remove() }
            let backup = folder.appendingPathComponent("backup")
            let made = try DataBackup.make(of: data, at: backup)
            #expect(made.damaged.count == 1, "\(made.damaged)")
            #expect(made.damaged.first?.hasPrefix("directory.sqlite: cannot be read: ") == true)
            #expect(made.missing == [])
            #expect(made.databases == 3)
            #expect(made.files == 6)
            #expect(backup.appendingPathComponent(path).exists)
            #expect(try Data(contentsOf: backup.appendingPathComponent("directory.sqlite.damaged")) == bytes)
            #expect(findings(backup).count == 2)
            let error = #expect(throws: ServerError.self) {
                try DataBackup.restore(
                    backup, to: folder.appendingPathComponent("again"), withDamage: true)
            }
            #expect(error?.reason.hasPrefix("directory.sqlite could not be read when the backup ") == true)
        }
    }

    @Test("`backup`, `doctor` and `serve` name a missing directory, also in a folder without a lock file")
    func lostDirectory() async throws {
        try await withVictim { folder, data, _ in
            for name in ["directory.sqlite", "cloudlet.lock"] { data.appendingPathComponent(name).remove() }
            let found = findings(data)
            #expect(found == ["directory.sqlite: it is missing, and with it the accounts and schemas"])
            let refused = #expect(throws: ServerError.self) {
                try DataBackup.make(of: data, at: folder.appendingPathComponent("backup"))
            }
            #expect(refused?.reason.hasPrefix("directory.sqlite is missing in the data folder ") == true)
            let error = #expect(throws: ServerError.self) { try DataFolder(data) }
            #expect(error?.reason == refused?.reason)
        }
    }

    @Test("`doctor` notes a database without an owner")
    func nobodysDatabase() async throws {
        try await withVictim { _, data, path in
            let copy = Self.people + "_nobody.sqlite"
            try FileManager.default.copyItem(
                at: data.appendingPathComponent(path), to: data.appendingPathComponent(copy))
            let found = DataCheck(of: data).findings
            #expect(found.map(\.subject) == [copy])
            #expect(found.map(\.isProblem) == [false])
        }
    }

    /// The first table of a new file, before any migration was completed.
    private static let begun = "CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY)"

    @Test(
        "A database whose creation was interrupted prevents no backup, and is a notice",
        arguments: ["", "PRAGMA user_version = 1", begun])
    func unusedDatabase(sql: String) async throws {
        try await withData { folder, _, _ in
            let data = folder.appendingPathComponent("data")
            let path = "containers/iCloud.test/development/private/new.sqlite"
            let file = data.appendingPathComponent(path)
            try Data().write(to: file)
            if !sql.isEmpty { try execute(sql, in: file) }
            let backup = folder.appendingPathComponent("backup")
            let report = try DataBackup.make(of: data, at: backup)
            #expect(report.databases == 3)
            #expect(report.damaged == [])
            #expect(!backup.appendingPathComponent(path).exists)
            let found = DataCheck(of: data).findings
            #expect(found.map(\.subject) == [path])
            #expect(found.map(\.isProblem) == [false])
            let again = folder.appendingPathComponent("again")
            #expect(try DataBackup.restore(backup, to: again).databases == 3)
        }
    }

    @Test("`doctor` reports each problem of a folder, with the remedy")
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
}
