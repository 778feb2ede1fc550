import Foundation
import RecordStore
import RecordStorePostgres
import Records
import Synchronization

/// N1: saved records per second, 200 in a batch, one batch after the other.
struct PostgreSQLBatchedSaves: PostgreSQLRow {
    static let name = "N1"
    static let title = "PostgreSQL: batched saves"

    let lab: Lab

    init(lab: Lab) {
        self.lab = lab
    }

    func measure(_ subject: PostgreSQLSubject, _ report: inout RowReport) async throws {
        let (batch, count) = (200, lab.scaled(20_000, by: 200))
        let records = (0..<count).map { SampleRecord(number: $0, seed: lab.seed) }
        var raw = Samples()
        for _ in 0..<lab.runs {
            let store = try subject.newStore()
            try await store.prepare(Array(PostgreSQLSubject.schema.types.values))
            let batches = stride(from: 0, to: count, by: batch).map {
                subject.batch(records[$0..<$0 + batch])
            }
            let stopwatch = Stopwatch()
            for batch in batches { try subject.check(await store.apply(batch)) }
            report.value.add(Double(count) / stopwatch.seconds)

            let connection = try RawConnection(subject.address)
            let rows = try RawRecords(connection, of: store.number, items: count)
            try rows.prepare(connection)
            let other = Stopwatch()
            for start in stride(from: 0, to: count, by: batch) {
                try rows.save(start..<start + batch, connection)
            }
            raw.add(Double(count) / other.seconds)
            report.note("rows of a record: \(rows.summary)")
        }
        report.unit = "records/s"
        report.baselines = [.init(name: "raw", samples: raw, unit: "records/s")]
        report.targets = ["raw": .ratio(0.6)]
        report.parameters = ["\(count) records", "\(batch) a batch"]
    }
}

/// N2: saves per second with one record each, from many writers of one zone at once.
struct PostgreSQLSingleSaves: PostgreSQLRow {
    static let name = "N2"
    static let title = "PostgreSQL: single saves of many writers"

    let lab: Lab
    private let writers = 64

    init(lab: Lab) {
        self.lab = lab
    }

    func measure(_ subject: PostgreSQLSubject, _ report: inout RowReport) async throws {
        let count = lab.scaled(20_000, by: writers)
        let records = (0..<count).map { SampleRecord(number: $0, seed: lab.seed) }
        var raw = Samples()
        for _ in 0..<lab.runs {
            let store = try subject.newStore()
            try await store.prepare(Array(PostgreSQLSubject.schema.types.values))
            let batches = (0..<count).map { subject.batch(records[$0...$0]) }
            let stopwatch = Stopwatch()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for writer in 0..<writers {
                    group.addTask {
                        for index in stride(from: writer, to: count, by: writers) {
                            try subject.check(await store.apply(batches[index]))
                        }
                    }
                }
                try await group.waitForAll()
            }
            report.value.add(Double(count) / stopwatch.seconds)
            raw.add(Double(count) / (try rawSeconds(subject, of: store.number, count)))
        }
        report.unit = "saves/s"
        report.baselines = [.init(name: "raw", samples: raw, unit: "saves/s")]
        report.targets = ["raw": .ratio(0.6)]
        report.parameters = ["\(count) records", "\(writers) writers"]
        report.note(
            "raw has a connection, a thread and a commit for each writer, and takes no change numbers")
    }

    private func rawSeconds(_ subject: PostgreSQLSubject, of database: Int64, _ count: Int) throws -> Double {
        let rows = try RawRecords(RawConnection(subject.address), of: database, items: count)
        let (ready, go, done) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchGroup())
        let failure = Mutex<String?>(nil)
        for writer in 0..<writers {
            done.enter()
            let thread = Thread {
                defer { done.leave() }
                do {
                    let connection = try RawConnection(subject.address)
                    try rows.prepare(connection)
                    ready.signal()
                    go.wait()
                    for index in stride(from: writer, to: count, by: writers) {
                        try rows.save(index..<index + 1, connection)
                    }
                } catch {
                    failure.withLock { $0 = "\(error)" }
                    ready.signal()
                }
            }
            thread.start()
        }
        for _ in 0..<writers { ready.wait() }
        let stopwatch = Stopwatch()
        for _ in 0..<writers { go.signal() }
        done.wait()
        if let failure = failure.withLock({ $0 }) { throw BenchmarkError(failure) }
        return stopwatch.seconds
    }
}
