import CloudletServer
import Foundation
import Records
import RecordsWire
import Testing

@testable import ServerData
@testable import ServerKit
@testable import TestKit

@Suite("Counts of requests in the data folder", .timeLimit(.minutes(30)))
struct TelemetryBackupTests {
    private func uploads(_ world: ServerWorld) async throws -> Int64 {
        let reply = try await world.operate("GET", "telemetry?operation=assets%2Fsend&period=month")
        return try TelemetryReport(bytes: reply.bytes).total.requests
    }

    @Test("A backup contains the counts, and a restored server continues them")
    func backup() async throws {
        try await withData { folder, world, _ in
            #expect(try await uploads(world) == 6)
            let backup = folder.appendingPathComponent("backup")
            let report = try DataBackup.make(of: folder.appendingPathComponent("data"), at: backup)
            #expect(report.databases == 3)
            #expect(report.damaged == [])
            let again = folder.appendingPathComponent("again")
            #expect(try DataBackup.restore(backup, to: again) == report)
            let twin = try await ServerWorld.start(.loopback) { $0.storage = .folder(again) }
            #expect(try await uploads(twin) == 6)
            await twin.stop()
        }
    }

    @Test("Damaged counts stop neither the server nor a backup, and `doctor` names the remedy")
    func damage() async throws {
        try await withData { folder, world, alice in
            _ = try await uploads(world)
            await world.stop()
            let data = folder.appendingPathComponent("data")
            for ending in ["-wal", "-shm"] {
                data.appendingPathComponent("telemetry.sqlite" + ending).remove()
            }
            let file = data.appendingPathComponent("telemetry.sqlite")
            try Data(repeating: 7, count: 20_000).write(to: file)
            let found = findings(data)
            #expect(found.count == 1)
            #expect(found.first?.hasPrefix("telemetry.sqlite: ") == true)
            let again = try await ServerWorld.start(.loopback) { $0.storage = .folder(data) }
            let saved = try await again.modify(
                "public", [create("later")], as: try await again.signIn("alice"))
            #expect(saved.records == ["ok"])
            #expect(try await again.operate("GET", "telemetry").status == 500)
            let backup = folder.appendingPathComponent("backup")
            let report = try DataBackup.make(of: data, at: backup)
            #expect(report.damaged.count == 1, "\(report.damaged)")
            #expect(report.databases == 3)
            await again.stop()
            let restored = folder.appendingPathComponent("restored")
            #expect(try DataBackup.restore(backup, to: restored).damaged == [])
        }
    }
}
