import Cloudlet
import Foundation
import Records
import Synchronization

/// P18: records per second that a sync engine delivers to its delegate in a device's first fetch. The
/// server's responses are in memory, and the delegate counts the records.
struct EngineFirstFetch: BenchmarkRow {
    static let name = "P18"
    static let title = "sync engine delivering a first fetch, decoding included"

    let lab: Lab
    private let zone = "Bench"
    /// The number of records per response.
    private let page = Limits().recordsPerResponse

    init(lab: Lab) {
        self.lab = lab
    }

    func run() async throws -> RowReport {
        let count = lab.scaled(100_000, by: page)
        var report = RowReport(Self.self)
        report.unit = "records/s"
        report.targets = ["operation": .ratio(0.9)]
        let byEngine = try await lab.recordFirstSync(of: count, in: zone) { transport, token in
            _ = try await fetch(lab.container(transport, token: token), expecting: count)
        }
        let byOperation = try await lab.recordFirstSync(of: count, in: zone) { transport, token in
            _ = try await fetchAlone(lab.container(transport, token: token), expecting: count)
        }
        var operation = Samples()
        for _ in 0..<lab.runs {
            let container = lab.container(byEngine.replay)
            report.value.add(Double(count) / (try await fetch(container, expecting: count)))
            let other = lab.container(byOperation.replay)
            operation.add(Double(count) / (try await fetchAlone(other, expecting: count)))
        }
        report.baselines = [.init(name: "operation", samples: operation, unit: "records/s")]
        report.parameters = [
            "\(count) records", "pages of \(page) as the server sends them", "seed \(lab.seed)",
        ]
        report.notes = ["operation is CKFetchRecordZoneChangesOperation on the same zone, without an engine"]
        return report
    }

    /// Fetches with an engine. Returns the elapsed seconds.
    private func fetch(_ container: CKContainer, expecting count: Int) async throws -> Double {
        let counter = RecordCounter()
        var configuration = CKSyncEngine.Configuration(
            database: container.privateCloudDatabase, stateSerialization: nil, delegate: counter)
        configuration.automaticallySync = false
        let engine = CKSyncEngine(configuration)
        let stopwatch = Stopwatch()
        try await engine.fetchChanges()
        let seconds = stopwatch.seconds
        try check(counter.count, count)
        return seconds
    }

    /// Fetches with an operation. Returns the elapsed seconds.
    private func fetchAlone(_ container: CKContainer, expecting count: Int) async throws -> Double {
        let zone = CKRecordZone.ID(zoneName: zone)
        let counter = RecordCounter()
        let stopwatch = Stopwatch()
        let end: Result<Void, any Error> = await withCheckedContinuation { continuation in
            let operation = CKFetchRecordZoneChangesOperation(
                recordZoneIDs: [zone], configurationsByRecordZoneID: [:])
            operation.recordWasChangedBlock = { _, result in
                if case .success = result { counter.add(1) }
            }
            operation.fetchRecordZoneChangesResultBlock = { continuation.resume(returning: $0) }
            container.privateCloudDatabase.add(operation)
        }
        try end.get()
        let seconds = stopwatch.seconds
        try check(counter.count, count)
        return seconds
    }

    private func check(_ found: Int, _ expected: Int) throws {
        guard found == expected else {
            throw BenchmarkError("the client received \(found) of \(expected) records")
        }
    }
}

/// Counts the records that an engine fetches, and keeps none.
private final class RecordCounter: CKSyncEngineDelegate {
    private let records = Mutex(0)

    var count: Int { records.withLock { $0 } }

    func add(_ number: Int) { records.withLock { $0 += number } }

    func handleEvent(_ event: CKSyncEngine.Event, syncEngine: CKSyncEngine) async {
        if case .fetchedRecordZoneChanges(let changes) = event { add(changes.modifications.count) }
    }

    func nextRecordZoneChangeBatch(
        _ context: CKSyncEngine.SendChangesContext, syncEngine: CKSyncEngine
    ) async -> CKSyncEngine.RecordZoneChangeBatch? {
        nil
    }
}
