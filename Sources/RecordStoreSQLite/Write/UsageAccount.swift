import GRDB
import RecordStore
import Records

/// The usage of each zone, which is stored in its row, and of each person in each zone.
struct UsageAccount {
    let database: Database

    func usage(of zone: Int64) throws -> StoreUsage {
        var row = try SQL(database, "SELECT record_count, record_bytes, asset_bytes FROM zone WHERE id = ?")
        row.bind(zone)
        defer { row.reset() }
        return try row.step() ? row.usage(from: 0) : StoreUsage()
    }

    /// The usage of a zone by its name; nil for one that does not exist.
    func usage(ofZone name: String) throws -> StoreUsage? {
        var row = try SQL(
            database, "SELECT record_count, record_bytes, asset_bytes FROM zone WHERE name = ?")
        row.bind(name)
        defer { row.reset() }
        return try row.step() ? row.usage(from: 0) : nil
    }

    /// Returns the usage of all zones together. Counts the zones that have no usage yet, because the file is
    /// from an older version.
    func usageOfAllZones(codec: any FieldCodec) throws -> StoreUsage {
        let uncounted = try Int64.fetchAll(
            database, sql: "SELECT id FROM zone WHERE record_bytes IS NULL OR asset_bytes IS NULL")
        for zone in uncounted {
            let people = try counted(zone, codec)
            let usage = people.values.reduce(StoreUsage()) { $0 + $1 }
            try database.execute(
                sql: "UPDATE zone SET record_count = ?, record_bytes = ?, asset_bytes = ? WHERE id = ?",
                arguments: [usage.records, usage.recordBytes, usage.assetBytes, zone]
            )
            try database.execute(sql: "DELETE FROM person_usage WHERE zone = ?", arguments: [zone])
            try add(people, to: zone)
        }
        let sums = try SQL(
            database, "SELECT SUM(record_count), SUM(record_bytes), SUM(asset_bytes) FROM zone")
        defer { sums.reset() }
        return try sums.step() ? sums.usage(from: 0) : StoreUsage()
    }

    /// Counts the usage of each person in a zone from the records that the person created.
    private func counted(_ zone: Int64, _ codec: any FieldCodec) throws -> [String: StoreUsage] {
        var people: [String: StoreUsage] = [:]
        var sums = try SQL(
            database,
            """
            SELECT record_creator(head), COUNT(*),
                SUM(LENGTH(CAST(name AS BLOB)) + LENGTH(fields) + \(StoreUsage.bytesPerRecord)), 0
            FROM record
            WHERE zone = ? AND fields IS NOT NULL
            GROUP BY 1
            """
        )
        sums.bind(zone)
        while try sums.step() { people[sums.text(0)] = sums.usage(from: 1) }
        var rows = try SQL(
            database,
            """
            SELECT \(RecordRow.columns)
            FROM record r
            WHERE r.zone = ? AND r.fields IS NOT NULL AND (
                record_assets(r.head) IS NOT NULL
                OR r.type IN (SELECT id FROM record_type WHERE name = '\(Share.recordType)'))
            """
        )
        rows.bind(zone)
        while try rows.step() {
            let stored = RecordRow.record(rows, zone: "", type: "")
            let record = WrittenRecord(stored: stored, fields: try codec.decode(stored.fields), ordinal: 0)
            let terms = stored.sharing?.terms.map(StoreUsage.bytes) ?? 0
            people[stored.created.by, default: StoreUsage()] +=
                StoreUsage(recordBytes: terms, assetBytes: record.usage.assetBytes)
        }
        return people
    }

    /// Returns a line for each zone whose stored usage differs from that of its records, and for each person
    /// whose stored usage in a zone does.
    func miscounts(codec: any FieldCodec) throws -> [String] {
        var lines: [String] = []
        for row in try Row.fetchAll(database, sql: "SELECT id, name FROM zone ORDER BY id") {
            let zone: Int64 = row["id"]
            let name: String = row["name"]
            let people = try counted(zone, codec)
            let (kept, sum) = (try usage(of: zone), people.values.reduce(StoreUsage()) { $0 + $1 })
            if kept != sum {
                lines.append(
                    "zone \(name) is said to take up \(kept.words), its records take \(sum.words)")
            }
            let known = try usages(in: zone)
            let all = Set(known.keys).union(people.keys)
            for person in all.sorted(by: { $0.precedesInBytes($1) }) where known[person] != people[person] {
                lines.append(
                    "the records of \(person) in zone \(name) are said to take up "
                        + "\((known[person] ?? StoreUsage()).words), and take "
                        + (people[person] ?? StoreUsage()).words)
            }
        }
        return lines
    }

    // MARK: People

    /// The usage of a person in all zones.
    func usage(ofPerson person: String) throws -> StoreUsage {
        var row = try SQL(
            database,
            """
            SELECT SUM(record_count), SUM(record_bytes), SUM(asset_bytes)
            FROM person_usage
            WHERE person = ?
            """
        )
        row.bind(person)
        defer { row.reset() }
        return try row.step() ? row.usage(from: 0) : StoreUsage()
    }

    /// The people whose records in a zone take up most. The index person_usage_by_size has their order.
    func creators(inZone name: String, after last: CreatorUsage?, limit: Int) throws -> [CreatorUsage] {
        var rows = try SQL(
            database,
            """
            SELECT person, record_count, record_bytes, asset_bytes
            FROM person_usage
            WHERE zone = (SELECT id FROM zone WHERE name = ?1)
                AND record_bytes + asset_bytes <= ?2
                AND (record_bytes + asset_bytes < ?2 OR person > ?3)
            ORDER BY record_bytes + asset_bytes DESC, person
            LIMIT ?4
            """
        )
        rows.bind(name)
        rows.bind(last?.usage.total ?? .max)
        rows.bind(last?.person ?? "")
        rows.bind(Int64(limit))
        defer { rows.reset() }
        var creators: [CreatorUsage] = []
        while try rows.step() {
            creators.append(CreatorUsage(person: rows.text(0), usage: rows.usage(from: 1)))
        }
        return creators
    }

    /// The stored usage of each person in a zone.
    private func usages(in zone: Int64) throws -> [String: StoreUsage] {
        var usages: [String: StoreUsage] = [:]
        var rows = try SQL(
            database,
            "SELECT person, record_count, record_bytes, asset_bytes FROM person_usage WHERE zone = ?")
        rows.bind(zone)
        while try rows.step() {
            usages[rows.text(0)] = rows.usage(from: 1)
        }
        return usages
    }

    /// Adds changes of the usage of people in a zone.
    func add(_ growth: [String: StoreUsage], to zone: Int64) throws {
        for (person, change) in growth where change != StoreUsage() {
            var row = try SQL(
                database,
                """
                INSERT INTO person_usage (person, zone, record_count, record_bytes, asset_bytes)
                VALUES (?, ?, ?, ?, ?)
                ON CONFLICT (person, zone) DO UPDATE SET
                    record_count = record_count + excluded.record_count,
                    record_bytes = record_bytes + excluded.record_bytes,
                    asset_bytes = asset_bytes + excluded.asset_bytes
                """
            )
            row.bind(person)
            row.bind(zone)
            row.bind(change.records)
            row.bind(change.recordBytes)
            row.bind(change.assetBytes)
            try row.run()
            if change.recordBytes < 0 { try forgetEmpty(person, in: zone) }
        }
    }

    /// Removes the row of a person who has no records in a zone any more. The name of a record alone has
    /// bytes.
    private func forgetEmpty(_ person: String, in zone: Int64) throws {
        var row = try SQL(
            database, "DELETE FROM person_usage WHERE person = ? AND zone = ? AND record_bytes = 0")
        row.bind(person)
        row.bind(zone)
        try row.run()
    }
}

extension SQL {
    /// The usage in three columns: the number of records, their bytes, and the bytes of files.
    fileprivate func usage(from column: Int32) -> StoreUsage {
        StoreUsage(
            records: integer(column), recordBytes: integer(column + 1), assetBytes: integer(column + 2))
    }
}

extension StoreUsage {
    fileprivate var words: String { "\(total) bytes with \(records) records" }
}
