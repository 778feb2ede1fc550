import GRDB
import RecordStore
import Records

/// Finds the short range of sequence numbers in which the changes of a given time lie. The cost does not
/// depend on the number of zones.
///
/// A database's time never runs backwards. A mark is the sequence number of a change and its time: all
/// changes up to this number were made at or before the time, and all later ones at or after it. The same
/// holds for creations, whose sequence numbers are the record ids. The writer stores a mark about every 256
/// changes, so a time lies between two neighbouring marks. An index on all times would need one entry for
/// each change instead.
struct TimeMarks {
    var database: Database

    /// Sequence numbers with the same value after this right shift share a mark.
    private static let spacing = 8

    // MARK: Reading

    /// Returns a sequence number up to which all changes are older than a time; nil if there is no such mark.
    func last(before time: Timestamp) throws -> Int64? {
        try number(
            "SELECT sequence FROM time_mark WHERE time < ? ORDER BY time DESC, sequence DESC LIMIT 1", time)
    }

    /// Returns a sequence number up to which no change is younger than a time; nil if all marks are.
    func last(notAfter time: Timestamp) throws -> Int64? {
        try number(
            "SELECT sequence FROM time_mark WHERE time <= ? ORDER BY time DESC, sequence DESC LIMIT 1", time)
    }

    /// Returns a sequence number after which no change is older than a time; nil if all marks are.
    func first(notBefore time: Timestamp) throws -> Int64? {
        try number("SELECT sequence FROM time_mark WHERE time >= ? ORDER BY time, sequence LIMIT 1", time)
    }

    /// Returns a sequence number after which all changes are younger than a time; nil if there is no such
    /// mark.
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

    /// Fills the empty table from the last change and the creation of each record. A migration contains this
    /// text, so it never changes.
    static let marksOfRecords = """
        INSERT INTO time_mark (time, sequence)
            SELECT MAX(modified_at), MAX(sequence)
            FROM record
            GROUP BY sequence >> 8
            UNION
            SELECT MAX(created_at), MAX(id)
            FROM record
            GROUP BY id >> 8;
        """

    /// Stores a mark if the sequence has moved far enough since the last one.
    func note(_ state: WriterState, after before: WriterState) throws {
        if state.sequence >> Self.spacing == before.sequence >> Self.spacing { return }
        var row = try SQL(database, "INSERT INTO time_mark (time, sequence) VALUES (?, ?)")
        row.bind(state.time.milliseconds)
        row.bind(state.sequence)
        try row.run()
    }
}

extension StoreMigrations {
    /// Creates the table of marks, and fills it for an existing file from the last change and the creation of
    /// each record.
    static let timeMarks = """
        -- Nothing up to the number was changed or created after the time, and nothing beyond it before.
        CREATE TABLE time_mark (
            time INTEGER NOT NULL,              -- milliseconds since 1970
            sequence INTEGER NOT NULL,          -- the number of a change that was made then
            PRIMARY KEY (time, sequence)
        ) WITHOUT ROWID, STRICT;

        \(TimeMarks.marksOfRecords)
        """
}
