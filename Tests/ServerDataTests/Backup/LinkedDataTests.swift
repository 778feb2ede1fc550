import CloudletServer
import Foundation
import RecordsWire
import Testing

@testable import ServerKit
@testable import TestKit

@Suite("Links in a data folder", .timeLimit(.minutes(30)))
struct LinkedDataTests {
    /// Runs a test with a data folder that a server has used, and removes the folder afterwards.
    private func withUsedFolder(_ body: (URL, Person) async throws -> Void) async throws {
        let folder = try URL.newFolder()
        defer { folder.remove() }
        let data = folder.appendingPathComponent("data")
        let world = try await ServerWorld.start(.loopback) { $0.storage = .folder(data) }
        let alice = try await world.signIn("alice")
        for database in ["public", "private"] {
            let receipt = try await world.upload(
                Array("content".utf8), record: "p", database: database, as: alice)
            let saved = try await world.modify("\(database)", [world.photo("p", receipt)], as: alice)
            #expect(saved.records == ["ok"])
        }
        await world.stop()
        try await body(data, alice)
    }

    /// Moves a file or folder out of the data folder, and puts a link to it in its place.
    private func replace(_ path: String, in data: URL) throws {
        let (place, victim) = (data.appendingPathComponent(path), data.appendingPathExtension("victim"))
        if place.exists {
            try FileManager.default.moveItem(at: place, to: victim)
        } else {
            try Data().write(to: victim)
        }
        try FileManager.default.createSymbolicLink(at: place, withDestinationURL: victim)
    }

    private func expectNamed(_ link: String, in data: URL) throws {
        let problems = DataCheck(of: data).findings.filter(\.isProblem)
        #expect(problems.map(\.subject) == [link])
        #expect(problems.first?.text.contains("link") == true)
        let copy = data.appendingPathExtension("copy")
        let error = #expect(throws: ServerError.self) { try DataBackup.make(of: data, at: copy) }
        #expect(error?.reason == "\(link) in the data folder \(data.path) is a link")
        #expect(!copy.exists)
    }

    @Test(
        "A database with a link among its files is not opened; server, doctor and backup name the link",
        arguments: [
            "", "/development", "/development/public.sqlite", "/development/public.sqlite-wal",
            "/development/public.sqlite-shm", "/development/public.sqlite-journal",
            "/development/public-assets", "/development/private",
        ])
    func database(path: String) async throws {
        try await withUsedFolder { data, alice in
            let link = "containers/iCloud.test" + path
            try replace(link, in: data)
            try expectNamed(link, in: data)
            let world = try await ServerWorld.start(.loopback) { $0.storage = .folder(data) }
            let database = path.hasSuffix("private") ? "private" : "public"
            let reply = try await world.lookup("\(database)", "p", as: alice)
            #expect(reply.status == 500)
            #expect(reply.text.contains("\(link) in the data folder is a link"))
            await world.stop()
        }
    }

    @Test("Doctor and backup name a file of a record that is a link")
    func file() async throws {
        try await withUsedFolder { data, _ in
            let paths = FileManager.default.enumerator(atPath: data.path)?.compactMap { $0 as? String } ?? []
            let file = try #require(
                paths.first { $0.contains("public-assets/content/") && $0.split(separator: "/").count > 6 })
            try replace(file, in: data)
            try expectNamed(file, in: data)
        }
    }

    @Test(
        "Doctor, backup and restore name a pipe, and do not wait for it",
        arguments: [
            "directory.sqlite", "containers/iCloud.test/development/public.sqlite-wal",
            "containers/iCloud.test/development/public-assets/content/ab",
        ])
    func pipe(path: String) async throws {
        try await withUsedFolder { data, _ in
            let place = data.appendingPathComponent(path)
            place.remove()
            #expect(mkfifo(place.path, 0o600) == 0)
            let reason = "\(path) in the data folder \(data.path) is neither a file nor a folder"
            let problems = DataCheck(of: data, readsFiles: true).findings.filter(\.isProblem)
            #expect(problems.count == 1)
            #expect(problems.first?.text.contains("neither a file nor a folder") == true)
            let copy = data.appendingPathExtension("copy")
            let backup = #expect(throws: ServerError.self) { try DataBackup.make(of: data, at: copy) }
            let restored = #expect(throws: ServerError.self) { try DataBackup.restore(data, to: copy) }
            #expect([backup?.reason, restored?.reason] == [reason, reason])
        }
    }

    @Test("Files behind a link are not deleted with a person's database")
    func deletion() async throws {
        try await withUsedFolder { data, _ in
            try replace("containers/iCloud.test/development/private", in: data)
            let victim = data.appendingPathExtension("victim")
            let files = try FileManager.default.contentsOfDirectory(atPath: victim.path).sorted()
            #expect(!files.isEmpty)
            let world = try await ServerWorld.start(.loopback) { $0.storage = .folder(data) }
            await #expect(throws: (any Error).self) { try await world.server.people.remove("alice") }
            #expect(try FileManager.default.contentsOfDirectory(atPath: victim.path).sorted() == files)
            await world.stop()
        }
    }
}
