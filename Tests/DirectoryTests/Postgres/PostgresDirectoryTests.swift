import Directory
import Foundation
import PostgreSQLSupport
import Records
import Testing

@testable import DirectoryPostgres
@testable import TestKit

@Suite("The directory of several processes", .needsPostgres)
struct PostgresDirectoryTests {
    /// Runs a test with two directories on the same tables, as two processes have them.
    private func withTwo(
        _ body: (_ one: PostgresDirectory, _ other: PostgresDirectory, _ address: String) async throws -> Void
    ) async throws {
        try await withFolder { folder in
            let schema = try PostgresSchema(of: folder)
            let (one, other) = (try schema.directory(), try schema.directory(process: 2))
            try await body(one, other, schema.address)
            for directory in [one, other] { try await directory.close() }
            try schema.drop()
        }
    }

    private func first(_ count: Int, of directory: PostgresDirectory) async -> [DirectoryChange] {
        var changes = directory.changes.makeAsyncIterator()
        var found: [DirectoryChange] = []
        while found.count < count, let change = await changes.next() { found.append(change) }
        return found
    }

    @Test("What one process writes, the other reads, also after a restart")
    func shared() async throws {
        try await withTwo { one, other, address in
            let anna = try await one.addUser("anna", email: "a@example.org", password: "secret")
            try await other.signIn(1, anna)
            try await one.addDevice("x", of: "anna", session: 1)
            _ = try await other.addContainer("c", at: time(1))
            let state = try await one.state()
            #expect(try await other.state() == state)
            let again = try PostgresDirectory(address: address, process: 3, connections: 1)
            #expect(try await again.state() == state)
            #expect(try await again.hasSession([1]))
            try await again.close()
        }
    }

    @Test("Calls of two processes at once have the effect of the same calls in some order")
    func together() async throws {
        try await withTwo { one, other, _ in
            let found = try await withThrowingTaskGroup(of: Account.self) { group in
                for number in 0..<40 {
                    let directory = number.isMultiple(of: 2) ? one : other
                    group.addTask {
                        try await directory.account(named: "anna", newID: "#\(number)", at: time(0))
                    }
                }
                return try await group.reduce(into: Set<Account>()) { $0.insert($1) }
            }
            #expect(found.count == 1)
            let anna = try #require(found.first)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<40 as Range<UInt8> {
                    let directory = number.isMultiple(of: 2) ? one : other
                    group.addTask { try await directory.signIn(number, anna, seen: 0, limit: 5) }
                    group.addTask {
                        _ = try await directory.changeBadges(
                            ["_": 1], of: "c", in: .development, atMost: 100)
                    }
                }
                try await group.waitForAll()
            }
            #expect(try await one.removeSessions(of: anna.id).hashes.count == 5)
            #expect(
                try await other.changeBadges(["_": 0], of: "c", in: .development, atMost: 100) == ["_": 40])
        }
    }

    @Test("A process is told what others have changed, once it is committed, and not what it changed itself")
    func changes() async throws {
        try await withTwo { one, other, _ in
            let anna = try await one.addUser("anna", email: "a@example.org")
            try await one.signIn(1, anna)
            try await other.addDevice("x y", of: "anna", session: 1)
            try await one.save([.users], of: "c", in: .production)
            await expect(.notFound) { try await one.revokeServerKey(id: "none", at: time(0)) }
            _ = try await one.setPassword("new", of: anna.id)
            _ = try await one.removeContainer("d")
            _ = try await one.removeAccount(anna.id)
            let place = ContainerKey(container: "c", environment: .development)
            let expected: [DirectoryChange] = [
                .missed, .schema("c"), .sessionsEnded([[1]]), .device("x y", place), .containerRemoved("d"),
                .people,
            ]
            #expect(await first(expected.count, of: other) == expected)
            #expect(await first(2, of: one) == [.missed, .device("x y", place)])
        }
    }

    @Test("After a restore, all sessions and registrations of devices end, and other processes forget them")
    func restored() async throws {
        try await withTwo { one, other, _ in
            let anna = try await one.addUser("anna", email: "a@example.org", password: "secret")
            let before = try await one.state()
            for number in 1...3 as ClosedRange<UInt8> { try await one.signIn(number, anna) }
            try await one.addDevice("x", of: "anna", session: 1)
            #expect(try await one.state() != before)
            #expect(try await one.endSessions() == 3)
            #expect(try await one.state() == before)
            #expect(try await other.hasSession([1]) == false)
            let place = ContainerKey(container: "c", environment: .development)
            #expect(await first(3, of: other) == [.missed, .device("x", place), .missed])
        }
    }

    @Test("A process whose connection was lost is told that it may have missed changes, and hears later ones")
    func lost() async throws {
        try await withTwo { one, other, address in
            try PostgresConnection(address).execute(
                """
                SELECT pg_terminate_backend(pid)
                FROM pg_stat_activity
                WHERE query = 'LISTEN "cloudlet_directory_' || md5(current_schema()) || '"'
                """)
            var changes = other.changes.makeAsyncIterator()
            #expect(await changes.next() == .missed)
            #expect(await changes.next() == .missed)
            _ = try await one.removeContainer("d")
            #expect(await changes.next() == .containerRemoved("d"))
        }
    }

    @Test("A directory that is told of no changes says so, until it listens again, and after it was closed")
    func obstacle() async throws {
        try await withFolder { folder in
            let schema = try PostgresSchema(of: folder)
            let directory = try schema.directory()
            #expect(directory.obstacle == nil)
            // No connection can be made to tables that a newer release has changed.
            let connection = try PostgresConnection(schema.address)
            try connection.execute("INSERT INTO directory_migration (number, title) VALUES (99, 'later')")
            try connection.execute(
                """
                SELECT pg_terminate_backend(pid)
                FROM pg_stat_activity
                WHERE query = 'LISTEN "cloudlet_directory_' || md5(current_schema()) || '"'
                """)
            while directory.obstacle == nil { await Task.yield() }
            #expect(directory.obstacle?.code == .tryAgainLater)
            try connection.execute("DELETE FROM directory_migration WHERE number = 99")
            while directory.obstacle != nil { await Task.yield() }
            try await directory.close()
            #expect(directory.obstacle?.code == .tryAgainLater)
            try schema.drop()
        }
    }

    @Test("A transaction of a record database sees nothing of the directory")
    func hidden() async throws {
        try await withTwo { one, _, address in
            let anna = try await one.addUser("anna", email: "a@example.org", password: "secret")
            try await one.signIn(1, anna)
            let connection = try PostgresConnection(address)
            for (table, count) in [("account", 1), ("session", 1), ("container_user", 2)] {
                let rows = try connection.read(on: nil) {
                    try $0.connection.run("SELECT 1 FROM \(table)", []).count
                }
                #expect(rows == count, "\(table)")
                let hidden = try connection.read(on: 7) {
                    try $0.connection.run("SELECT 1 FROM \(table)", []).count
                }
                #expect(hidden == 0, "\(table)")
            }
        }
    }

    @Test("Tables of a newer release are refused, unless they are compatible with this one")
    func newer() async throws {
        try await withTwo { one, _, address in
            let addition = PostgresMigrator.Step(
                "2: nicknames", compatibleFrom: 1, "ALTER TABLE account ADD COLUMN nickname text")
            let migrator = PostgresMigrator(
                notedIn: PostgresDirectoryMigrations.table, PostgresDirectoryMigrations.steps + [addition])
            try migrator.migrate(PostgresConnection(address), attempts: 1)
            let anna = try await one.addUser("anna", email: "a@example.org")
            let other = try PostgresDirectory(address: address, process: 3, connections: 1)
            try await other.signIn(1, anna)
            #expect(try await one.hasSession([1]))
            try await other.close()

            try PostgresConnection(address).execute(
                "INSERT INTO directory_migration (number, title) VALUES (99, 'later')")
            let error = #expect(throws: RecordError.self) {
                _ = try PostgresDirectory(address: address, process: 3)
            }
            #expect(error?.culprit == "directory_migration")
            #expect(error?.nextStep == "start the newer release")
        }
    }
}
