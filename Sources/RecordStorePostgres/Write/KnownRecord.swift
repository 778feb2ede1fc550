import PostgreSQLSupport
import RecordStore
import Records

/// What a transaction knows of a record without asking the engine.
enum KnownRecord {
    case record((stored: StoredRecord, ordinal: Int64))
    /// A tombstone.
    case deleted
    /// There is no row.
    case missing

    /// The bytes of the fields of a record that is read before its batch needs it.
    static let mostBytes = 16 << 10

    var found: (stored: StoredRecord, ordinal: Int64)? {
        if case .record(let found) = self { found } else { nil }
    }
}
