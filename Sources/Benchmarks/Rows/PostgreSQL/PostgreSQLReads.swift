import Foundation
import RecordStore
import RecordStorePostgres
import Records

/// N3: queries per second for the newest 20 records that refer to one parent.
struct PostgreSQLQueries: PostgreSQLRow {
    static let name = "N3"
    static let title = "PostgreSQL: reference equality, newest first"

    let lab: Lab
    private let limit = 20

    init(lab: Lab) {
        self.lab = lab
    }

    func measure(_ subject: PostgreSQLSubject, _ report: inout RowReport) async throws {
        let (count, queries) = (lab.scaled(50_000, by: 200), lab.scaled(5000))
        let records = (0..<count).map { SampleRecord(number: $0, seed: lab.seed) }
        let store = try subject.newStore()
        try await subject.fill(store, records, zone: ZoneID.defaultName)
        let connection = try RawConnection(subject.address)
        try connection.execute("ANALYZE record, entry_bytes")
        try connection.use(store.number)
        try connection.prepare(
            "newest",
            """
            SELECT r.name, r.sequence, r.head, r.fields
            FROM entry_bytes e
            JOIN record r ON r.database = \(store.number) AND r.id = e.record
            WHERE e.database = \(store.number) AND e.zone = 1 AND e.head = $1::bytea AND e.field = (
                SELECT id FROM record_field WHERE database = \(store.number) AND name = 'parent'
            )
            ORDER BY e.record DESC
            LIMIT \(limit)
            """)
        var raw = Samples()
        for run in 0..<lab.runs {
            var random = SplitMix64(seed: lab.seed &+ UInt64(run))
            let parents = (0..<queries).map { _ in
                SampleRecord.parentName(random.below(SampleRecord.parents))
            }
            let plans = parents.map(plan)
            var found = 0
            let stopwatch = Stopwatch()
            for plan in plans { found += try await store.query(plan).runs.reduce(0) { $0 + $1.count } }
            report.value.add(Double(queries) / stopwatch.seconds)
            var rawFound = 0
            let other = Stopwatch()
            for parent in parents { rawFound += try connection.run("newest", [Array(parent.utf8)]).count }
            raw.add(Double(queries) / other.seconds)
            guard found == rawFound else { throw BenchmarkError("\(found) records, \(rawFound) of raw") }
        }
        report.unit = "queries/s"
        report.baselines = [.init(name: "raw", samples: raw, unit: "queries/s")]
        report.targets = ["raw": .ratio(0.5)]
        report.parameters = ["\(limit) of \(count) records", "\(queries) queries, one after the other"]
    }

    private func plan(_ parent: String) -> QueryPlan {
        QueryPlan(
            recordType: SampleRecord.type,
            filters: [Filter(.field("parent"), .equals, .reference(Reference(recordName: parent)))],
            order: [QueryPlan.Order(.ordinal, ascending: false)], limit: limit)
    }
}

/// N4: downloaded records per second when a device asks for all changes of a zone.
struct PostgreSQLDownload: PostgreSQLRow {
    static let name = "N4"
    static let title = "PostgreSQL: delta download of a zone"

    let lab: Lab
    private let page = 200

    init(lab: Lab) {
        self.lab = lab
    }

    func measure(_ subject: PostgreSQLSubject, _ report: inout RowReport) async throws {
        let count = lab.scaled(50_000, by: 200)
        let records = (0..<count).map { SampleRecord(number: $0, seed: lab.seed) }
        let store = try subject.newStore()
        _ = try await store.createZone(named: "Bench")
        try await subject.fill(store, records, zone: "Bench")
        let connection = try RawConnection(subject.address)
        try connection.execute("ANALYZE record")
        try connection.use(store.number)
        let zone = try connection.texts("SELECT id::text FROM zone WHERE name = 'Bench'")[0]
        try connection.prepare(
            "page",
            """
            SELECT r.sequence, r.name, r.head, r.fields
            FROM record r
            WHERE r.database = \(store.number) AND r.zone = \(zone) AND r.sequence > $1::bigint
            ORDER BY r.sequence
            LIMIT \(page)
            """)
        var raw = Samples()
        for _ in 0..<lab.runs {
            let stopwatch = Stopwatch()
            guard try await download(from: store) == count else {
                throw BenchmarkError("records are missing")
            }
            report.value.add(Double(count) / stopwatch.seconds)
            var (last, found) = ([UInt8](repeating: 0, count: 8), 0)
            let other = Stopwatch()
            while true {
                let rows = try connection.run("page", [last])
                found += rows.count
                if rows.count < page { break }
                last = Array(rows.memory(rows.count - 1, 0))
            }
            raw.add(Double(found) / other.seconds)
        }
        report.unit = "records/s"
        report.baselines = [.init(name: "raw", samples: raw, unit: "records/s")]
        report.targets = ["raw": .ratio(0.5)]
        report.parameters = ["\(count) records", "pages of \(page), one after the other"]
    }

    private func download(from store: PostgresStore) async throws -> Int {
        var (found, token) = (0, ChangeToken?.none)
        while true {
            let answer = try await store.changes(ChangesRequest(zone: "Bench", since: token, limit: page))
            found += answer.packed.count
            if !answer.moreComing { return found }
            token = answer.token
        }
    }
}
