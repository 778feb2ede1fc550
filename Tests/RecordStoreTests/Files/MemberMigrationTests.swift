import Foundation
import GRDB
import RecordStore
import RecordStoreSQLite
import Records
import RecordsWire
import SQLiteSupport
import Testing

@testable import TestKit

@Suite("Members of shares from before version 13")
struct MemberMigrationTests {
    /// Reverts the changes of schema version 13 in a file.
    private static func makeOld(_ file: URL, _ sql: String) throws {
        let queue = try DatabaseQueue(path: file.path)
        try queue.write { database in
            try database.execute(sql: "DELETE FROM grdb_migrations WHERE identifier LIKE '13:%'")
            try database.execute(sql: sql)
        }
        try queue.close()
    }

    @Test("A membership without a permission ends, and its token expires; others stay valid")
    func withoutPermission() async throws {
        try await withFolder { folder in
            let file = folder.appendingPathComponent("test.sqlite")
            let before = World(store: try StoreKind.sqlite.open(in: folder))
            try await before.shareNote()
            try await before.commit(
                [
                    create("two"),
                    share("t", of: "two", with: [invited("_bob"), invited("_carol", .readOnly)]),
                ], zone: "Z")
            for person in ["_bob", "_carol"] {
                try await before.commit([accept("t", by: person)], zone: "Z")
            }
            let (bob, carol) = (
                try await before.shared(with: "_bob").token, try await before.shared(with: "_carol").token
            )
            try await before.commit(
                [invite([invited("_bob", Participant.Permission.none), invited("_carol")], to: "t")],
                zone: "Z")
            try await before.finish()
            try Self.makeOld(file, "UPDATE share_member SET ended = NULL")

            let after = World(store: try StoreKind.sqlite.open(in: folder), time: 1_000_000)
            let open = try await after.store.memberships(of: "_bob").filter { $0.left == nil }
            #expect(open.map(\.name) == ["s"])
            #expect(try await after.shared(with: "_bob", since: bob).changes == ["-two", "-t"])
            #expect(try await after.shared(with: "_carol", since: carol).changes == ["t"])
            try await after.finish()
        }
    }

    @Test("The horizon of a zone becomes that of its members")
    func horizon() async throws {
        try await withFolder { folder in
            let before = World(store: try StoreKind.sqlite.open(in: folder))
            try await before.shareNote()
            let old = try await before.shared(with: "_bob").token
            try await before.commit([create("x", parent: "note")], zone: "Z")
            let new = try await before.shared(with: "_bob").token
            let seen = try await before.store.memberships(of: "_bob")[0].end
            try await before.finish()
            try Self.makeOld(
                folder.appendingPathComponent("test.sqlite"),
                "UPDATE zone SET share_horizon = \(seen) WHERE name = 'Z'")

            let after = World(store: try StoreKind.sqlite.open(in: folder), time: 1_000_000)
            await #expect(throws: Records.RecordError.changeTokenExpired("Z")) {
                try await after.shared(with: "_bob", since: old)
            }
            #expect(try await after.shared(with: "_bob", since: new).changes == [])
            try await after.finish()
        }
    }
}
