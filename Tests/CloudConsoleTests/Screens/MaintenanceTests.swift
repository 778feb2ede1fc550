import CloudService
import CloudletServer
import Foundation
import Records
import RecordsWire
import Testing

@testable import ServerKit
@testable import TestKit

@Suite("Settings and maintenance in the console", .timeLimit(.minutes(30)))
struct MaintenanceTests {
    @Test("The web page of a container is set, shown and removed, and a bad address is refused")
    func webPage() async throws {
        try await withServer(.loopback, { $0.fallbackURL = "https://all.example/" }) { world in
            try await world.createContainer()
            let visitor = ConsoleVisitor(world)
            let path = ServerWorld.place + "/settings"
            var page = try await visitor.get(path)
            #expect(page.text.contains("https://all.example/"))
            _ = try await visitor.post(path, ["action": "set", "url": "https://app.example/open/"])
            page = try await visitor.get(path)
            #expect(page.text.contains("value=\"https://app.example/open/\""))
            let refused = try await visitor.post(path, ["action": "set", "url": "javascript:alert(1)"])
            #expect(refused.status == 400)
            _ = try await visitor.post(path, ["action": "set", "url": ""])
            let known = try await world.service.containers.container("iCloud.test").fallbackURL
            #expect(known == nil)
            let log = try await world.service.operators.audit(of: "iCloud.test", before: nil)
            #expect(log.map(\.action) == ["container.web-page", "container.web-page"])
            #expect(log.map(\.after) == [nil, "https://app.example/open/"])
        }
    }

    /// A server with a folder of its own. An ephemeral server locks its databases, so that no check can read
    /// them.
    private func withKeptData(_ scenario: (ServerWorld) async throws -> Void) async throws {
        try await withFolder { folder -> Void in
            try await withServer(
                .loopback, { $0.storage = .folder(folder.appendingPathComponent("data")) }, scenario)
        }
    }

    @Test("The check finds what doctor finds, and names no private database")
    func check() async throws {
        try await withKeptData { world in
            let ann = try await world.signIn("ann")
            try await world.save("p", ["name": ["value": "x"]], as: ann)
            try await world.call(
                "private/records/modify",
                [
                    "operations": [
                        ["operationType": "create", "record": ["recordName": "r", "recordType": "P"]]
                    ]
                ],
                as: ann)
            let visitor = ConsoleVisitor(world)
            _ = try await visitor.get("/console/maintenance")
            let page = try await visitor.post("/console/maintenance", ["action": "check"])
            #expect(page.text.contains("databases and 0 files were checked."), "\(page.text)")
            #expect(Self.problems(page).isEmpty, "\(page.text)")
            #expect(!page.text.contains(ann.recordName))
            #expect(page.text.contains("without a folder for backups"))
            let refused = try await visitor.post("/console/maintenance", ["action": "back-up"])
            #expect(refused.status == 400)
        }
    }

    @Test("An ephemeral server has nothing to check, which is no problem")
    func ephemeral() async throws {
        try await withServer(.loopback) { world in
            try await world.createContainer()
            let visitor = ConsoleVisitor(world)
            _ = try await visitor.get("/console/maintenance")
            let page = try await visitor.post("/console/maintenance", ["action": "check"])
            #expect(page.status == 200)
            #expect(page.text.contains("<td>notice</td>"), "\(page.text)")
            #expect(page.text.contains("an ephemeral server has nothing to check"), "\(page.text)")
            for word in ["<td>problem</td>", "busy", "restore"] {
                #expect(page.text.components(separatedBy: "<h2>Backups</h2>")[0].contains(word) == false)
            }
        }
    }

    /// The problems in databases that a page shows, by their place.
    private static func problems(_ page: Reply) -> [String: String] {
        let rows = page.text.matches(
            of: /<td>problem<\/td><td><bdi>([^<]*)<\/bdi><\/td><td><bdi>([^<]*)</)
        return rows.filter { $0.1.hasPrefix("containers/") }
            .reduce(into: [:]) { $0[String($1.1)] = String($1.2) }
    }

    @Test(
        "The check shows a lost file with its place, and of a private database only that there is a problem")
    func damage() async throws {
        try await withKeptData { world in
            let ann = try await world.signIn("ann")
            for (database, name) in [("public", "seen"), ("private", "secret")] {
                let receipt = try await world.upload(
                    Array("bytes of \(name)".utf8), record: name, database: database, as: ann)
                let saved = try await world.modify(database, [world.photo(name, receipt)], as: ann)
                try #require(saved.records == ["ok"], "\(saved.text)")
            }
            let visitor = ConsoleVisitor(world)
            _ = try await visitor.get("/console/maintenance")
            let sound = try await visitor.post("/console/maintenance", ["action": "check"])
            #expect(Self.problems(sound).isEmpty, "\(sound.text)")
            let files = world.contentFiles
            #expect(files.count == 2)
            for file in files {
                try FileManager.default.removeItem(at: world.server.dataFolder.appendingPathComponent(file))
            }
            let page = try await visitor.post("/console/maintenance", ["action": "check"])
            let found = Self.problems(page)
            #expect(found.count == 2, "\(page.text)")
            let ofPublic = try #require(found.first { !$0.key.contains("private") })
            #expect(ofPublic.key.contains("iCloud.test/development"), "\(found)")
            #expect(ofPublic.value.contains("missing"), "\(found)")
            #expect(found.contains { $0.value == "a private database has a problem" }, "\(found)")
            #expect(!page.text.contains(ann.recordName))
        }
    }

    @Test("If the folder for backups is a file, the error has the system's reason")
    func fileForBackups() async throws {
        try await withFolder { folder in
            let place = folder.appendingPathComponent("backups")
            try Data().write(to: place)
            try await withServer(
                .loopback,
                {
                    $0.storage = .folder(folder.appendingPathComponent("data"))
                    $0.backups = place
                }
            ) { world in
                let visitor = ConsoleVisitor(world)
                _ = try await visitor.get("/console/maintenance")
                let refused = try await visitor.post("/console/maintenance", ["action": "back-up"])
                #expect(refused.status == 400)
                #expect(refused.text.contains("data could not be copied to "), "\(refused.text)")
                #expect(!refused.text.contains("NSCocoaErrorDomain"), "\(refused.text)")
            }
        }
    }

    @Test("A backup of the running server is made in the folder of its settings, and can be restored")
    func backUp() async throws {
        try await withFolder { folder in
            let place = folder.appendingPathComponent("backups")
            try await withServer(
                .loopback,
                {
                    $0.storage = .folder(folder.appendingPathComponent("data"))
                    $0.backups = place
                }
            ) { world in
                let ann = try await world.signIn("ann")
                try await world.save("p", ["name": ["value": "x"]], as: ann)
                let visitor = ConsoleVisitor(world)
                _ = try await visitor.get("/console/maintenance")
                let done = try await visitor.post("/console/maintenance", ["action": "back-up"])
                #expect(done.status == 303, "\(done.text)")
                let page = try await visitor.get("/console/maintenance")
                let name = try #require(page.text.firstMatch(of: /<li>(backup-[^<]*)<\/li>/)?.1)
                let backup = place.appendingPathComponent(String(name))
                let report = try DataBackup.restore(backup, to: folder.appendingPathComponent("again"))
                #expect(report.databases >= 2 && report.damaged.isEmpty)
                let log = try await world.service.operators.audit(of: nil, before: nil)
                #expect(log.first?.action == "server.back-up")
            }
        }
    }
}
