import CloudletServer
import Foundation
import RecordsWire
import Testing

@testable import ServerData
@testable import ServerKit
@testable import TestKit

/// Runs a test with a server whose data is in the subfolder `data`, with records, files and a person.
func withData(
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
                    database, [world.photo(photo, receipt, ["title": text(photo)])], as: alice)
                #expect(saved.records == ["ok"])
            }
        }
        try await body(folder, world, alice)
        await world.stop()
    }
}

/// The problems of a data folder, as `subject: text`.
func findings(_ folder: URL, deep: Bool = false) -> [String] {
    DataCheck(of: folder, readsFiles: deep).findings.filter(\.isProblem).map {
        "\($0.subject): \($0.text)"
    }
}
