import CloudService
import Foundation
import Records
import RecordsWire
import Testing

@testable import ServerData
@testable import TestKit

@Suite("The file with the counts of requests", .timeLimit(.minutes(30)))
struct SQLiteTelemetryStoreTests {
    /// 2026-11-25T11:30:00Z, in minutes.
    private static let now: Int64 = 29_926_770

    private static func key(
        _ operation: String = "records/query", in container: String = "iCloud.a"
    )
        -> TelemetryKey
    {
        TelemetryKey(
            container: container, environment: .production, database: .private, operation: operation)
    }

    private static func minute(
        _ number: Int64, requests: Int64, keys: [TelemetryKey] = [key()], people: [String] = []
    ) -> TelemetryMinute {
        var minute = TelemetryMinute(number: number)
        for key in keys {
            minute.add(to: key, limit: 1000) { counts in
                counts.requests += requests
                counts.errors[.conflict, default: 0] += 1
                counts.latency.add(1000 + number % 4000, times: requests)
                counts.requestBytes.add(200 + number % 100, times: requests)
                counts.responseBytes.add(5000 + number % 9000, times: requests)
            }
        }
        for name in people {
            minute.people[.init(container: "iCloud.a", environment: .production), default: DistinctCount()]
                .add(name)
        }
        return minute
    }

    /// The requests of each period, oldest first.
    private func requests(
        _ store: SQLiteTelemetryStore, _ period: TelemetryPeriod,
        _ change: (inout TelemetryQuery) -> Void = { _ in }
    ) async throws -> [Int64] {
        var question = TelemetryQuery(period: period)
        change(&question)
        let rows = try await store.counts(question, from: .min, to: .max)
        return Dictionary(grouping: rows, by: \.number).sorted { $0.key < $1.key }
            .map { $0.value.reduce(0) { $0 + $1.counts.requests } }
    }

    @Test("Counts are added to the minute, hour, day, week and month that contain them")
    func rollups() async throws {
        try await withFolder { folder in
            let store = SQLiteTelemetryStore(file: folder.appendingPathComponent("telemetry.sqlite"))
            #expect(try await requests(store, .hour) == [])
            let minutes = [0, 0, 29, 30, 24 * 60].map { Self.minute(Self.now + $0, requests: 10) }
            try await store.add(Array(minutes.prefix(2)))
            try await store.add(Array(minutes.dropFirst(2)))
            #expect(try await requests(store, .minute) == [10])
            #expect(try await requests(store, .hour) == [30, 10, 10])
            #expect(try await requests(store, .day) == [40, 10])
            #expect(try await requests(store, .week) == [50])
            #expect(try await requests(store, .month) == [50])
            let rows = try await store.counts(TelemetryQuery(period: .week), from: .min, to: .max)
            #expect(rows.map(\.key) == [Self.key()])
            #expect(rows.first?.counts.errors == [.conflict: 5])
            #expect(rows.first?.counts.latency.count == 50)
            await store.close()
        }
    }

    @Test("A query selects container, environment, database and operation")
    func selection() async throws {
        try await withFolder { folder in
            let store = SQLiteTelemetryStore(file: folder.appendingPathComponent("telemetry.sqlite"))
            let keys = [
                Self.key(), Self.key("records/modify"), Self.key(in: "iCloud.b"),
                TelemetryKey(container: nil, environment: nil, database: nil, operation: "GET /limits"),
            ]
            try await store.add([Self.minute(Self.now, requests: 1, keys: keys)])
            #expect(try await requests(store, .day) == [4])
            #expect(try await requests(store, .day) { $0.container = "iCloud.a" } == [2])
            #expect(try await requests(store, .day) { $0.operation = "records/query" } == [2])
            #expect(try await requests(store, .day) { $0.scope = .private } == [3])
            #expect(try await requests(store, .day) { $0.scope = .public } == [])
            #expect(try await requests(store, .day) { $0.environment = .production } == [3])
            #expect(try await requests(store, .day) { $0.container = "' OR 1=1 --" } == [])
            try await store.remove("iCloud.a")
            #expect(try await requests(store, .month) == [2])
            await store.close()
        }
    }

    @Test("A person counts once in each day, week and month, and the file contains no names")
    func people() async throws {
        try await withFolder { folder in
            let file = folder.appendingPathComponent("telemetry.sqlite")
            let store = SQLiteTelemetryStore(file: file)
            try await store.add([Self.minute(Self.now, requests: 1, people: ["_ann-name", "_bob-name"])])
            try await store.add([Self.minute(Self.now + 1440, requests: 1, people: ["_ann-name"])])
            for (period, wanted) in [
                (TelemetryPeriod.day, [2, 1]), (.week, [2]), (.month, [2]), (.hour, []),
            ] {
                let found = try await store.people(
                    TelemetryQuery(container: "iCloud.a", period: period), from: .min, to: .max)
                let counts = found.sorted { $0.key < $1.key }.map { Int($0.value.count) }
                #expect(counts == wanted, "\(period)")
            }
            await store.close()
            let bytes = try Data(contentsOf: file)
            #expect(bytes.range(of: Data("ann-name".utf8)) == nil)
            #expect(bytes.range(of: Data("iCloud.a".utf8)) != nil)
        }
    }

    @Test("Stored counts survive a kill, and old periods are removed")
    func reopening() async throws {
        try await withFolder { folder in
            let file = folder.appendingPathComponent("telemetry.sqlite")
            // Opened twice without being closed, as after a kill.
            let killed = SQLiteTelemetryStore(file: file)
            try await killed.add([Self.minute(Self.now, requests: 5)])
            let store = SQLiteTelemetryStore(file: file)
            #expect(try await requests(store, .minute) == [5])
            let kept = Int64(TelemetryPeriod.minute.kept)
            try await store.add([Self.minute(Self.now + kept - 1, requests: 1)])
            #expect(try await requests(store, .minute) == [5, 1])
            try await store.add([Self.minute(Self.now + kept, requests: 1)])
            #expect(try await requests(store, .minute) == [1, 1])
            #expect(try await requests(store, .month) == [7])
            await store.close()
            await killed.close()
        }
    }

    @Test("100 million requests in a year fit into the maximum size, and all are counted")
    func year() async throws {
        try await withFolder { folder in
            let file = folder.appendingPathComponent("telemetry.sqlite")
            let store = SQLiteTelemetryStore(file: file)
            let keys = (0..<12).map { Self.key("operation\($0)") }
            // One minute of each day, then of each hour of the last week, then each minute of the last hours.
            let days = (0..<350).map { Self.now - 365 * 1440 + Int64($0) * 1440 }
            let hours = (0..<190).map { Self.now - 191 * 60 + Int64($0) * 60 }
            let minutes = (0..<180).map { Self.now - 179 + Int64($0) }
            let steps = days + hours + minutes
            let each = Int64(100_000_000 / (steps.count * keys.count) + 1)
            for start in stride(from: 0, to: steps.count, by: 60) {
                let batch = steps[start..<min(start + 60, steps.count)]
                try await store.add(batch.map { Self.minute($0, requests: each, keys: keys) })
            }
            let months = try await requests(store, .month)
            #expect(months.reduce(0, +) == each * Int64(steps.count * keys.count))
            #expect(months.reduce(0, +) >= 100_000_000)
            #expect(try await requests(store, .minute).count == 180)
            #expect(try size(file) < Limits().telemetryBytes / 4)
            await store.close()
        }
    }

    /// The size of a file with its log and the index of its log.
    private func size(_ file: URL) throws -> Int {
        try ["", "-wal", "-shm"].reduce(0) { sum, end in
            let path = file.path + end
            if !FileManager.default.fileExists(atPath: path) { return sum }
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            return sum + (try #require(attributes[.size] as? NSNumber)).intValue
        }
    }

    @Test(
        "The file never has more than the maximum size; the oldest counts of short periods are removed first")
    func bound() async throws {
        try await withFolder { folder in
            var limits = Limits()
            limits.telemetryBytes = 160_000
            let file = folder.appendingPathComponent("telemetry.sqlite")
            let store = SQLiteTelemetryStore(file: file, limits: limits)
            let keys = (0..<20).map { Self.key("operation\($0)") }
            for number in 0..<160 {
                try await store.add([Self.minute(Self.now + Int64(number), requests: 1, keys: keys)])
                let size = try size(file)
                #expect(size <= limits.telemetryBytes, "after \(number) minutes: \(size)")
            }
            let kept = try await requests(store, .minute).count
            #expect((1..<160).contains(kept), "\(kept)")
            #expect(try await requests(store, .month) == [3200])
            // Many minutes at once, as after an hour in which the disk was full.
            let late = (160..<220).map { Self.minute(Self.now + $0, requests: 1, keys: keys) }
            try await store.add(late)
            #expect(try size(file) <= limits.telemetryBytes)
            #expect(try await requests(store, .month) == [4400])
            await store.close()
            #expect(try size(file) <= limits.telemetryBytes)
        }
    }

    @Test("Unreadable counts cause an error that names the file, and `doctor` reports them")
    func damaged() async throws {
        try await withFolder { folder in
            let file = folder.appendingPathComponent("telemetry.sqlite")
            try Data("no database at all, but long enough to be looked at".utf8).write(to: file)
            let store = SQLiteTelemetryStore(file: file)
            await #expect(throws: RecordError.self) {
                try await store.add([Self.minute(Self.now, requests: 1)])
            }
            let found = DatabaseFile(kind: .telemetry, file: file, path: "telemetry.sqlite")
            #expect(throws: (any Error).self) { try found.faults(codec: FieldJSON()) }
        }
    }
}
