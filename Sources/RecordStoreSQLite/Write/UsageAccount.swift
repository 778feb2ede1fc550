import GRDB
import RecordStore
import Records

/// The usage of each zone, which is stored in its row, and of each person in each zone.
struct UsageAccount {
    let database: Database

    func usage(of zone: Int64) throws -> StoreUsage {
        var row = try SQL(database, "SELECT record_bytes, asset_bytes FROM zone WHERE id = ?")
        row.bind(zone)
        defer { row.reset() }
        guard try row.step() else { return StoreUsage() }
        return StoreUsage(recordBytes: row.integer(0), assetBytes: row.integer(1))
    }

    /// The usage of a zone by its name; nil for one that does not exist.
    func usage(ofZone name: String) throws -> StoreUsage? {
        var row = try SQL(database, "SELECT record_bytes, asset_bytes FROM zone WHERE name = ?")
        row.bind(name)
        defer { row.reset() }
        guard try row.step() else { return nil }
        return StoreUsage(recordBytes: row.integer(0), assetBytes: row.integer(1))
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
                sql: "UPDATE zone SET record_bytes = ?, asset_bytes = ? WHERE id = ?",
                arguments: [usage.recordBytes, usage.assetBytes, zone]
            )
            try database.execute(sql: "DELETE FROM person_usage WHERE zone = ?", arguments: [zone])
            try add(people, to: zone)
        }
        let row = try Row.fetchOne(
            database, sql: "SELECT SUM(record_bytes) AS records, SUM(asset_bytes) AS assets FROM zone")
        return StoreUsage(recordBytes: row?["records"] ?? 0, assetBytes: row?["assets"] ?? 0)
    }

    /// Counts the usage of each person in a zone from the records that the person created.
    private func counted(_ zone: Int64, _ codec: any FieldCodec) throws -> [String: StoreUsage] {
        var people: [String: StoreUsage] = [:]
        var sums = try SQL(
            database,
            """
            SELECT record_creator(head),
                SUM(LENGTH(CAST(name AS BLOB)) + LENGTH(fields) + \(StoreUsage.bytesPerRecord))
            FROM record
            WHERE zone = ? AND fields IS NOT NULL
            GROUP BY 1
            """
        )
        sums.bind(zone)
        while try sums.step() { people[sums.text(0)] = StoreUsage(recordBytes: sums.integer(1)) }
        var rows = try SQL(
            database,
            """
            SELECT \(RecordRow.columns)
            FROM record r
            WHERE r.zone = ? AND (
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
                    "zone \(name) is said to take up \(kept.total) bytes, its records take \(sum.total)")
            }
            let known = try usages(in: zone)
            let all = Set(known.keys).union(people.keys)
            for person in all.sorted(by: { $0.precedesInBytes($1) }) where known[person] != people[person] {
                lines.append(
                    "the records of \(person) in zone \(name) are said to take up "
                        + "\(known[person]?.total ?? 0) bytes, and take \(people[person]?.total ?? 0)")
            }
        }
        return lines
    }

    // MARK: People

    /// The usage of a person in all zones.
    func usage(ofPerson person: String) throws -> StoreUsage {
        var row = try SQL(
            database, "SELECT SUM(record_bytes), SUM(asset_bytes) FROM person_usage WHERE person = ?")
        row.bind(person)
        defer { row.reset() }
        guard try row.step() else { return StoreUsage() }
        return StoreUsage(recordBytes: row.integer(0), assetBytes: row.integer(1))
    }

    /// The stored usage of each person in a zone.
    private func usages(in zone: Int64) throws -> [String: StoreUsage] {
        var usages: [String: StoreUsage] = [:]
        var rows = try SQL(
            database, "SELECT person, record_bytes, asset_bytes FROM person_usage WHERE zone = ?")
        rows.bind(zone)
        while try rows.step() {
            usages[rows.text(0)] = StoreUsage(recordBytes: rows.integer(1), assetBytes: rows.integer(2))
        }
        return usages
    }

    /// Adds changes of the usage of people in a zone.
    func add(_ growth: [String: StoreUsage], to zone: Int64) throws {
        for (person, change) in growth where change != StoreUsage() {
            var row = try SQL(
                database,
                """
                INSERT INTO person_usage (person, zone, record_bytes, asset_bytes)
                VALUES (?, ?, ?, ?)
                ON CONFLICT (person, zone) DO UPDATE SET
                    record_bytes = record_bytes + excluded.record_bytes,
                    asset_bytes = asset_bytes + excluded.asset_bytes
                """
            )
            row.bind(person)
            row.bind(zone)
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
