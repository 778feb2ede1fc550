// Owns the floor of any design on this database engine: the same rows and indexes, written by prepared
// statements.

import Foundation

/// The tables that the SQLite store has for one type with the fields and indexes of `SampleRecord`.
final class RawStore {
    let file: SQLiteFile
    private let insertRecord: SQLiteStatement
    private let insertEntry: SQLiteStatement
    private let begin: SQLiteStatement
    private let commit: SQLiteStatement
    private let person = "_0123456789abcdef0123456789abcdef"
    private var ordinal = 0

    init(folder: URL) throws {
        file = try SQLiteFile(path: folder.appendingPathComponent("raw.sqlite").path)
        try file.execute(Self.schema)
        insertRecord = try file.prepare(
            """
            INSERT INTO record (id, zone, name, type, sequence, created_at, created_by, modified_at,
                modified_by, fields)
            VALUES (?, 1, ?, 1, ?, ?, ?, ?, ?, ?)
            """
        )
        insertEntry = try file.prepare(
            """
            INSERT INTO type_1 (zone, record, sequence, created_by, modified_by, title, guests, starts,
                parent)
            VALUES (1, ?, ?, ?, ?, ?, ?, ?, ?)
            """
        )
        begin = try file.prepare("BEGIN IMMEDIATE")
        commit = try file.prepare("COMMIT")
    }

    /// Writes records in one transaction, and what belongs to them.
    func save(_ records: ArraySlice<SampleRecord>, beside more: () throws -> Void = {}) throws {
        try begin.run()
        for record in records { try insert(record) }
        try more()
        try commit.run()
    }

    func fill(_ count: Int, seed: UInt64) throws {
        let records = (0..<count).map { SampleRecord(number: $0, seed: seed) }
        for start in stride(from: 0, to: count, by: 200) {
            try save(records[start..<min(start + 200, count)])
        }
    }

    private func insert(_ record: SampleRecord) throws {
        ordinal += 1
        let now = 1_700_000_000_000 + ordinal
        insertRecord.bind(1, ordinal)
        insertRecord.bind(2, record.name("raw"))
        insertRecord.bind(3, ordinal)
        insertRecord.bind(4, now)
        insertRecord.bind(5, person)
        insertRecord.bind(6, now)
        insertRecord.bind(7, person)
        insertRecord.bindBlob(8, Array(record.fieldsJSON.utf8))
        try insertRecord.run()
        insertEntry.bind(1, ordinal)
        insertEntry.bind(2, ordinal)
        insertEntry.bind(3, person)
        insertEntry.bind(4, person)
        insertEntry.bind(5, record.title)
        insertEntry.bind(6, record.guests)
        insertEntry.bind(7, record.starts)
        insertEntry.bind(8, record.parent)
        try insertEntry.run()
    }

    private static let schema = """
        CREATE TABLE record (
            id INTEGER PRIMARY KEY,
            zone INTEGER NOT NULL,
            name TEXT NOT NULL,
            type INTEGER NOT NULL,
            sequence INTEGER NOT NULL,
            created_at INTEGER NOT NULL,
            created_by TEXT NOT NULL,
            created_on TEXT,
            modified_at INTEGER NOT NULL,
            modified_by TEXT NOT NULL,
            modified_on TEXT,
            parent TEXT,
            fields BLOB,
            asset_slots TEXT,
            UNIQUE (zone, name)
        ) STRICT;
        CREATE UNIQUE INDEX record_by_change ON record (zone, sequence);
        CREATE TABLE type_1 (
            zone INTEGER NOT NULL,
            record INTEGER NOT NULL,
            sequence INTEGER NOT NULL,
            created_by TEXT NOT NULL,
            modified_by TEXT NOT NULL,
            title TEXT,
            guests INTEGER,
            starts INTEGER,
            parent TEXT,
            PRIMARY KEY (zone, record)
        ) WITHOUT ROWID, STRICT;
        CREATE INDEX type_1_sequence ON type_1 (zone, sequence);
        CREATE INDEX type_1_created_by ON type_1 (zone, created_by);
        CREATE INDEX type_1_title ON type_1 (zone, title);
        CREATE INDEX type_1_guests ON type_1 (zone, guests);
        CREATE INDEX type_1_starts ON type_1 (zone, starts);
        CREATE INDEX type_1_parent ON type_1 (zone, parent);
        """
}
