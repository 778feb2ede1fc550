import CloudletServer
import Foundation
import Testing

@testable import ServerKit
@testable import TestKit

@Suite("The command cloudlet migrate")
struct MigrateCommandTests {
    private func migrate(_ from: String, _ to: String, _ more: String...) async throws -> Program.End {
        try await Command(["migrate", "--from", from, "--to", to] + more).end()
    }

    private let address = "postgresql://nobody:secret@127.0.0.1:1/none"

    @Test("It takes a folder and an address; two of a kind, or an empty value, are wrong usage")
    func places() async throws {
        for (from, to) in [("a", "b"), (address, address), ("", address)] {
            let end = try await migrate(from, to)
            #expect(end.code == 2)
            #expect(end.output == "")
            #expect(!end.errors.contains("secret"))
        }
        #expect(try await migrate("a", "b").errors.contains("postgresql://USER@HOST/NAME"))
    }

    @Test("A folder without data is refused before the address is used")
    func noData() async throws {
        try await withFolder { folder in
            let end = try await migrate(folder.appendingPathComponent("none").path, address)
            #expect(end.code == 1)
            #expect(end.errors.contains("there is no server's data in"))
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
        }
    }

    @Test("An engine that does not answer is named, and errors can be JSON")
    func unreachable() async throws {
        try await withFolder { folder in
            let world = try await ServerWorld.start(.loopback) { $0.storage = .folder(folder) }
            _ = try await world.signIn("alice")
            await world.stop()
            let end = try await migrate(folder.path, address, "--json")
            #expect(end.code == 1)
            let error = try JSON(Array(end.errors.utf8))["error"]
            #expect(error["message"].text?.contains("the PostgreSQL database cannot be used") == true)
            #expect(error["remedy"].text?.contains("check the address") == true)
        }
    }
}
