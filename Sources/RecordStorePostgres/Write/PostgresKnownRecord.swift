import PostgreSQLSupport
import RecordStore
import Records

/// The state of a record that a transaction has read ahead.
enum PostgresKnownRecord {
    case record((stored: StoredRecord, ordinal: Int64))
    /// A tombstone.
    case deleted
    /// Neither a record nor a tombstone.
    case missing

    /// The maximum bytes of the fields of a record that is read ahead.
    static let maximumBytes = 16 << 10

    var found: (stored: StoredRecord, ordinal: Int64)? {
        if case .record(let found) = self { found } else { nil }
    }
}
