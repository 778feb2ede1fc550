// Owns the step from times to places in the order of creation and change.

import GRDB
import Records

/// Finds where a time falls. A database's time never runs backwards, so creation times grow with record ids
/// and modification times with sequence numbers, and a few look-ups by halving take the place of two indexes.
struct TimeIndex {
    var database: Database
    /// The zone whose changes matter; nil: all zones.
    var zone: Int64?

    /// The first creation at or after a time; past the end if there is none.
    func firstOrdinal(_ time: Timestamp) throws -> Int64 {
        try first(time) { number in
            var row = try SQL(
                database, "SELECT id, created_at FROM record WHERE id >= ? ORDER BY id LIMIT 1"
            )
            row.bind(number)
            defer { row.reset() }
            return try row.step() ? (row.integer(0), row.integer(1)) : nil
        }
    }

    /// The first change at or after a time; past the end if there is none.
    func firstSequence(_ time: Timestamp) throws -> Int64 {
        let zones = try zone.map { [$0] } ?? Int64.fetchAll(database, sql: "SELECT id FROM zone")
        return try first(time) { number in
            var nearest: (Int64, Int64)?
            for zone in zones {
                var row = try SQL(
                    database,
                    """
                    SELECT sequence, modified_at
                    FROM record
                    WHERE zone = ? AND sequence >= ?
                    ORDER BY sequence
                    LIMIT 1
                    """
                )
                row.bind(zone)
                row.bind(number)
                if try row.step(), row.integer(0) < nearest?.0 ?? .max {
                    nearest = (row.integer(0), row.integer(1))
                }
                row.reset()
            }
            return nearest
        }
    }

    private func first(
        _ time: Timestamp, entry: (Int64) throws -> (number: Int64, time: Int64)?
    ) throws -> Int64 {
        var low: Int64 = 0
        var high = try end() + 1
        while low < high {
            let middle = low + (high - low) / 2
            if let found = try entry(middle), found.time < time.milliseconds {
                low = found.number + 1
            } else {
                high = middle
            }
        }
        return low
    }

    /// The last number of the sequence.
    private func end() throws -> Int64 {
        let row = try SQL(database, "SELECT sequence FROM store")
        defer { row.reset() }
        return try row.step() ? row.integer(0) : 0
    }
}
