import CloudService
import Foundation
import GRDB
import Records

/// Reads and writes counts within one transaction.
struct TelemetryTable {
    let database: Database
    /// The identifiers of keys that this transaction has looked up.
    private var ids: [TelemetryKey: Int64] = [:]

    init(database: Database) { self.database = database }

    // MARK: Writing

    /// Adds the counts of minutes to the minute, hour, day, week and month that contain them. Each call adds
    /// at most `keyLimit` keys to one period.
    mutating func add(_ minutes: [TelemetryMinute], keyLimit: Int) throws {
        for period in TelemetryPeriod.allCases {
            var sums: [Int64: TelemetryMinute] = [:]
            for minute in minutes {
                let number = period.number(of: TelemetryPeriod.minute.start(of: minute.number))
                sums[number, default: TelemetryMinute(number: number)].merge(minute, limit: keyLimit)
            }
            for (number, sum) in sums.sorted(by: { $0.key < $1.key }) {
                for (key, counts) in sum.counts { try add(counts, to: key, period, number) }
                if period.countsPeople {
                    for (place, people) in sum.people { try add(people, at: place, period, number) }
                }
            }
        }
    }

    private mutating func add(
        _ counts: TelemetryCounts, to key: TelemetryKey, _ period: TelemetryPeriod, _ number: Int64
    ) throws {
        let id = try id(of: key)
        let stored = try Data.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT counts FROM telemetry_count
                    WHERE period = ? AND number = ? AND key = ?
                    """),
            arguments: [period.rawValue, number, id])
        var sum = counts
        // Stored counts that cannot be read are dropped.
        if let stored, let earlier = TelemetryCounts(packed: Array(stored)) { sum.merge(earlier) }
        try database.cachedStatement(
            sql: """
                INSERT OR REPLACE INTO telemetry_count (period, number, key, counts)
                VALUES (?, ?, ?, ?)
                """
        ).execute(arguments: [period.rawValue, number, id, Data(sum.packed)])
    }

    private func add(
        _ people: DistinctCount, at place: ContainerKey, _ period: TelemetryPeriod, _ number: Int64
    ) throws {
        let stored = try Data.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT people FROM telemetry_people
                    WHERE period = ? AND number = ? AND container = ? AND environment = ?
                    """),
            arguments: [period.rawValue, number, place.container, place.environment.rawValue])
        var sum = people
        if let stored, let earlier = DistinctCount(packed: Array(stored)) { sum.merge(earlier) }
        try database.cachedStatement(
            sql: """
                INSERT OR REPLACE INTO telemetry_people (period, number, container, environment, people)
                VALUES (?, ?, ?, ?, ?)
                """
        ).execute(
            arguments: [
                period.rawValue, number, place.container, place.environment.rawValue, Data(sum.packed),
            ])
    }

    private mutating func id(of key: TelemetryKey) throws -> Int64 {
        if let id = ids[key] { return id }
        let arguments: StatementArguments = [
            key.container ?? "", key.environment?.rawValue ?? "", key.database?.rawValue ?? "", key.operation,
        ]
        let known = try Int64.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT id FROM telemetry_key
                    WHERE container = ? AND environment = ? AND database = ? AND operation = ?
                    """),
            arguments: arguments)
        if let known {
            ids[key] = known
            return known
        }
        try database.execute(
            sql:
                "INSERT INTO telemetry_key (container, environment, database, operation) VALUES (?, ?, ?, ?)",
            arguments: arguments)
        ids[key] = database.lastInsertedRowID
        return database.lastInsertedRowID
    }

    // MARK: Removing

    /// Removes the periods that are too old to be kept at the given minute.
    func removeOld(before minute: Int64) throws {
        let now = TelemetryPeriod.minute.start(of: minute)
        for period in TelemetryPeriod.allCases {
            try remove(period, before: period.number(of: now) - Int64(period.kept) + 1)
        }
    }

    /// Removes the oldest counts until the file's pages in use have at most `bytes`: first the counts of
    /// minutes, then of hours, and so on.
    func shrink(to bytes: Int) throws {
        if try usedBytes() <= bytes { return }
        for period in TelemetryPeriod.allCases {
            while let (first, last) = try range(of: period) {
                // Removes the older half of the periods. If there is only one, it is removed.
                try remove(period, before: last - (last - first) / 2 + (first == last ? 1 : 0))
                if try usedBytes() <= bytes { return try removeUnusedKeys() }
            }
        }
        try removeUnusedKeys()
    }

    /// The size in bytes of the file's pages that are in use.
    func usedBytes() throws -> Int {
        try (number("page_count") - number("freelist_count")) * number("page_size")
    }

    /// The size in bytes of the file, with its unused pages.
    func fileBytes() throws -> Int { try number("page_count") * number("page_size") }

    private func number(_ pragma: String) throws -> Int {
        try Int.fetchOne(database, sql: "PRAGMA \(pragma)") ?? 0
    }

    func remove(_ container: String) throws {
        try database.execute(
            sql: """
                DELETE FROM telemetry_count
                WHERE key IN (SELECT id FROM telemetry_key WHERE container = ?)
                """, arguments: [container])
        try database.execute(sql: "DELETE FROM telemetry_key WHERE container = ?", arguments: [container])
        try database.execute(sql: "DELETE FROM telemetry_people WHERE container = ?", arguments: [container])
    }

    private func remove(_ period: TelemetryPeriod, before number: Int64) throws {
        for table in ["telemetry_count", "telemetry_people"] {
            try database.cachedStatement(sql: "DELETE FROM \(table) WHERE period = ? AND number < ?")
                .execute(arguments: [period.rawValue, number])
        }
    }

    private func range(of period: TelemetryPeriod) throws -> (Int64, Int64)? {
        let row = try Row.fetchOne(
            database, sql: "SELECT MIN(number), MAX(number) FROM telemetry_count WHERE period = ?",
            arguments: [period.rawValue])
        guard let row, let first: Int64 = row[0], let last: Int64 = row[1] else { return nil }
        return (first, last)
    }

    private func removeUnusedKeys() throws {
        try database.execute(
            sql: "DELETE FROM telemetry_key WHERE id NOT IN (SELECT key FROM telemetry_count)")
    }

    // MARK: Reading

    func counts(_ question: TelemetryQuery, _ first: Int64, _ last: Int64) throws -> [TelemetryRow] {
        var conditions = ["period = ?", "number BETWEEN ? AND ?"]
        var arguments: StatementArguments = [question.period.rawValue, first, last]
        func add(_ column: String, _ value: String?) {
            guard let value else { return }
            conditions.append("\(column) = ?")
            arguments += [value]
        }
        add("container", question.container)
        add("environment", question.environment?.rawValue)
        add("database", question.scope.database?.rawValue)
        add("operation", question.operation)
        return try Row.fetchAll(
            database,
            sql: """
                SELECT number, container, environment, database, operation, counts
                FROM telemetry_count
                JOIN telemetry_key ON id = key
                WHERE \(conditions.joined(separator: " AND "))
                ORDER BY number, key
                """, arguments: arguments
        ).compactMap(Self.row)
    }

    func people(
        _ question: TelemetryQuery, _ first: Int64, _ last: Int64
    ) throws -> [Int64: DistinctCount] {
        let rows = try Row.fetchAll(
            database,
            sql: """
                SELECT number, people
                FROM telemetry_people
                WHERE period = ? AND number BETWEEN ? AND ?
                    AND (?4 IS NULL OR container = ?4) AND (?5 IS NULL OR environment = ?5)
                """,
            arguments: [
                question.period.rawValue, first, last, question.container, question.environment?.rawValue,
            ])
        var people: [Int64: DistinctCount] = [:]
        for row in rows {
            let packed: Data = row[1]
            guard let part = DistinctCount(packed: Array(packed)) else { continue }
            people[row[0], default: DistinctCount()].merge(part)
        }
        return people
    }

    private static func row(_ row: Row) -> TelemetryRow? {
        func text(_ column: Int) -> String? {
            let text: String = row[column]
            return text.isEmpty ? nil : text
        }
        let packed: Data = row[5]
        guard let counts = TelemetryCounts(packed: Array(packed)) else { return nil }
        return TelemetryRow(
            number: row[0],
            key: TelemetryKey(
                container: text(1), environment: text(2).flatMap { CloudEnvironment(rawValue: $0) },
                database: text(3).flatMap { DatabaseKind(rawValue: $0) }, operation: row[4]),
            counts: counts)
    }
}
