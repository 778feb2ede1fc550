import GRDB
import RecordStore
import Records

/// Narrows a time down to a short range of the sequence, at a cost that does not grow with the number of
/// zones.
///
/// A database's time never runs backwards. So one mark, a time and the number of a change that was made then,
/// says of every change up to that number that it was made by that time, and of every later one that it was
/// not made before. The same holds for creations, whose numbers are record ids. The writer leaves a mark
/// about every 256 changes, and a time lies between two neighbouring marks. An index on all times would cost
/// an entry for each change instead.
struct TimeMarks {
    var database: Database

    /// The shift that leads from a change to its mark's number.
    private static let spacing = 8

    // MARK: Reading

    /// A number up to which everything is older than a time; nil if no mark is.
    func last(before time: Timestamp) throws -> Int64? {
        try number(
            "SELECT sequence FROM time_mark WHERE time < ? ORDER BY time DESC, sequence DESC LIMIT 1", time)
    }

    /// A number up to which nothing is younger than a time; nil if every mark is.
    func last(notAfter time: Timestamp) throws -> Int64? {
        try number(
            "SELECT sequence FROM time_mark WHERE time <= ? ORDER BY time DESC, sequence DESC LIMIT 1", time)
    }

    /// A number after which nothing is older than a time; nil if every mark is.
    func first(notBefore time: Timestamp) throws -> Int64? {
        try number("SELECT sequence FROM time_mark WHERE time >= ? ORDER BY time, sequence LIMIT 1", time)
    }

    /// A number after which everything is younger than a time; nil if no mark is.
    func first(after time: Timestamp) throws -> Int64? {
        try number("SELECT sequence FROM time_mark WHERE time > ? ORDER BY time, sequence LIMIT 1", time)
    }

    private func number(_ sql: String, _ time: Timestamp) throws -> Int64? {
        var row = try SQL(database, sql)
        row.bind(time.milliseconds)
        defer { row.reset() }
        return try row.step() ? row.integer(0) : nil
    }

    // MARK: Writing

    /// Leaves a mark if the sequence has moved far enough since the last one.
    func note(_ state: WriterState, after before: WriterState) throws {
        if state.sequence >> Self.spacing == before.sequence >> Self.spacing { return }
        var row = try SQL(database, "INSERT INTO time_mark (time, sequence) VALUES (?, ?)")
        row.bind(state.time.milliseconds)
        row.bind(state.sequence)
        try row.run()
    }
}

extension Migrations {
    /// The table of marks, and marks for what is there: from the present changes, and from the creations that
    /// lie behind changes since.
    static let timeMarks = """
        -- Nothing up to the number was changed or created after the time, and nothing beyond it before.
        CREATE TABLE time_mark (
            time INTEGER NOT NULL,              -- milliseconds since 1970
            sequence INTEGER NOT NULL,          -- the number of a change that was made then
            PRIMARY KEY (time, sequence)
        ) WITHOUT ROWID, STRICT;

        INSERT INTO time_mark (time, sequence)
            SELECT MAX(modified_at), MAX(sequence)
            FROM record
            GROUP BY sequence >> 8
            UNION
            SELECT MAX(created_at), MAX(id)
            FROM record
            GROUP BY id >> 8;
        """
}
