import Foundation
import RecordStore
import RecordStorePostgres
import Records
import RecordsWire
import Testing

@testable import TestKit

/// Row level security, tried with hand-written SQL through the connections of the store.
@Suite("Row level security between databases", .needsPostgres)
struct PostgresWallTests {
    private static let tables = [
        "database", "zone", "record_type", "record_field", "record", "record_0", "record_7", "binding",
        "asset_owner", "person_usage", "client_batch", "entry_integer", "entry_integer_0", "entry_real",
        "entry_bytes", "entry_place", "share", "share_feed", "share_member", "short_guid", "subscription",
        "notification", "notification_owner",
    ]

    /// A database with a row in most tables.
    private func fill(_ folder: URL) async throws -> World {
        let world = World(store: try StoreKind.postgres.open(in: folder))
        try await world.shareNote()
        try await world.subscribe(query("q"))
        let fields: Fields = [
            "n": number(1), "d": real(2), "t": text("tea"), "at": place(1, 2), "file": file("A"),
        ]
        try await world.commit(
            [create("a", fields)], zone: "Z", from: "phone", named: ClientChange(token: [1]))
        return world
    }

    @Test("A transaction that names a database reads and changes no row of another", arguments: tables)
    func apart(table: String) async throws {
        try await withFolder { mine in
            try await withFolder { other in
                let (world, victim) = (try await fill(mine), try await fill(other))
                let engine = try PostgresKind.engine.get()
                let (own, foreign) = (PostgresKind.number(of: mine), PostgresKind.number(of: other))
                let column = table == "database" ? "id" : "database"
                let read = try await engine.texts(
                    "SELECT DISTINCT \(column)::text FROM \(table)", in: own)
                #expect(Set(read).isSubset(of: [String(own)]))
                let before = try await victim.state()
                let changed = try await engine.texts(
                    "DELETE FROM \(table) WHERE \(column) = \(foreign) RETURNING \(column)::text", in: own)
                #expect(changed == [])
                #expect(try await victim.state() == before)
                try await victim.store.close()
                try await world.store.close()
            }
        }
    }

    @Test("A row for another database is refused by the engine")
    func insertion() async throws {
        try await withFolder { mine in
            let world = try await fill(mine)
            let (engine, own) = (try PostgresKind.engine.get(), PostgresKind.number(of: mine))
            let error = await #expect(throws: RecordError.self) {
                try await engine.texts(
                    "INSERT INTO released_asset (database, checksum) VALUES (\(own + 1), 'x')", in: own)
            }
            #expect(error?.diagnosis?.hasSuffix("(42501)") == true)
            try await world.finish()
        }
    }

    @Test("A name with the character NUL is refused")
    func nullCharacter() async throws {
        try await withWorld(.postgres) { world in
            let error = await #expect(throws: RecordError.self) {
                try await world.store.records(named: ["a\u{0}b"], in: ZoneID.defaultName)
            }
            #expect(error?.code == .badRequest)
            #expect(error?.reason.contains("NUL") == true)
        }
    }
}
