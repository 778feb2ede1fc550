import CloudSync
import Foundation
import LocalReplica
import Records

/// P10: how many records a second a replica takes in, page by page with their tokens.
struct ReplicaFirstSync: BenchmarkRow {
    static let name = "P10"
    static let title = "replica applying a first sync"

    let lab: Lab
    private let page = 1000
    /// As long as the system fields of a record are.
    private let systemFields = Data(repeating: 7, count: 420)

    init(lab: Lab) {
        self.lab = lab
    }

    func run() async throws -> RowReport {
        let count = lab.scaled(100_000, by: page)
        var report = RowReport(Self.self)
        report.unit = "records/s"
        report.targets = ["raw": .ratio(0.5)]
        report.parameters = ["\(count) records", "pages of \(page)", "durable", "seed \(lab.seed)"]
        report.notes = ["raw is the same rows by prepared statements, a transaction a page"]
        let samples = (0..<count).map { SampleRecord(number: $0, seed: lab.seed) }
        let pages = stride(from: 0, to: count, by: page).map { samples[$0..<min($0 + page, count)] }
        var raw = Samples()
        for _ in 0..<lab.runs {
            report.value.add(Double(count) / (try await apply(pages)))
            raw.add(Double(count) / (try insert(pages)))
        }
        report.baselines = [.init(name: "raw", samples: raw, unit: "records/s")]
        return report
    }

    private func apply(_ pages: [ArraySlice<SampleRecord>]) async throws -> Double {
        let replica = try LocalReplica(folder: try lab.newFolder())
        let fetched = pages.enumerated().map { number, records in
            FetchedPage(
                zone: "Bench", versions: records.map(version), deletions: [], token: Data("\(number)".utf8),
                moreComing: number + 1 < pages.count)
        }
        let policy = MergePolicy()
        let stopwatch = Stopwatch()
        for page in fetched {
            _ = try await replica.write { try $0.apply(page, policy, at: Date(timeIntervalSince1970: 0)) }
        }
        let seconds = stopwatch.seconds
        try replica.close()
        return seconds
    }

    private func version(_ sample: SampleRecord) -> ServerVersion {
        let fields: Fields = [
            "title": Field(.string(sample.title)), "guests": Field(.int64(Int64(sample.guests))),
            "starts": Field(.timestamp(Timestamp(milliseconds: Int64(sample.starts)))),
            "parent": Field(.reference(Reference(recordName: sample.parent))),
        ]
        let id = RecordID(name: sample.name("raw"), zone: "Bench")
        return ServerVersion(id: id, type: "Party", tag: "abc", systemFields: systemFields, fields: fields)
    }

    private func insert(_ pages: [ArraySlice<SampleRecord>]) throws -> Double {
        let file = try SQLiteFile(path: try lab.newFolder().appendingPathComponent("raw.sqlite").path)
        try file.execute(
            """
            CREATE TABLE record (
                zone INTEGER NOT NULL, name TEXT NOT NULL, type TEXT NOT NULL, fields BLOB, tag TEXT,
                system_fields BLOB, server_fields BLOB, PRIMARY KEY (zone, name)
            ) WITHOUT ROWID, STRICT
            """)
        let statement = try file.prepare(
            """
            INSERT INTO record (zone, name, type, fields, tag, system_fields)
            VALUES (1, ?, 'Party', ?, 'abc', ?)
            """)
        let bytes = [UInt8](systemFields)
        let stopwatch = Stopwatch()
        for page in pages {
            try file.execute("BEGIN IMMEDIATE")
            for record in page {
                statement.bind(1, record.name("raw"))
                statement.bindBlob(2, Array(record.fieldsJSON.utf8))
                statement.bindBlob(3, bytes)
                try statement.run()
            }
            try file.execute("COMMIT")
        }
        return stopwatch.seconds
    }
}
