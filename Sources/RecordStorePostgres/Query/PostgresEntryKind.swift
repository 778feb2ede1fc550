import PostgreSQLSupport
import RecordStore
import Records

/// The table of entries in which the values of a type are, and how SQL compares them.
enum PostgresEntryKind {
    case integer
    case real
    /// Texts, references and bytes: two columns, compared as one.
    case bytes
    case place

    /// nil for types whose values have no entries.
    init?(_ type: ScalarType) {
        switch type {
        case .int64, .timestamp: self = .integer
        case .double: self = .real
        case .string, .reference, .bytes: self = .bytes
        case .location: self = .place
        case .asset: return nil
        }
    }

    var table: String {
        switch self {
        case .integer: "entry_integer"
        case .real: "entry_real"
        case .bytes: "entry_bytes"
        case .place: "entry_place"
        }
    }

    /// The columns of the value.
    func columns(_ alias: String) -> [String] {
        switch self {
        case .integer, .real: ["\(alias).value"]
        case .bytes: ["\(alias).head", "\(alias).rest"]
        case .place: ["\(alias).latitude", "\(alias).longitude"]
        }
    }

    /// A value as arguments for the columns; nil if it is of another kind.
    func arguments(_ value: SortValue) -> [PostgresValue]? {
        switch (self, value) {
        case (.integer, .integer(let integer)): return [.integer(integer)]
        case (.real, .real(let real)): return [.real(real)]
        case (.real, .integer(let integer)): return [.real(Double(integer))]
        case (.bytes, .text(let text)): return Self.split(Array(text.utf8))
        case (.bytes, .bytes(let bytes)): return Self.split(bytes)
        default: return nil
        }
    }

    static func split(_ bytes: [UInt8]) -> [PostgresValue] {
        [
            .bytes(Array(bytes.prefix(PostgresEntryRows.headBytes))),
            .bytes(Array(bytes.dropFirst(PostgresEntryRows.headBytes))),
        ]
    }

    /// Compares the value with another one.
    func compare(_ alias: String, _ sign: String, _ value: SortValue) -> PostgresFragment {
        guard let arguments = arguments(value) else { return .never }
        return PostgresFragment.compare(columns(alias), sign, arguments)
    }

    /// The condition that the value is one of these.
    func membership(_ alias: String, _ values: [SortValue]) -> PostgresFragment {
        if values.count == 1 { return compare(alias, "=", values[0]) }
        switch self {
        case .integer:
            let all = values.compactMap { if case .integer(let integer) = $0 { integer } else { nil } }
            return PostgresFragment("\(alias).value = ANY (?)", .integers(all))
        case .real:
            let all = values.compactMap { value -> Double? in
                switch value {
                case .real(let real): real
                case .integer(let integer): Double(integer)
                default: nil
                }
            }
            return PostgresFragment("\(alias).value = ANY (?)", .reals(all))
        case .bytes:
            let all = values.compactMap(\.utf8OrBytes)
            let (heads, rests) = (
                all.map { Array($0.prefix(PostgresEntryRows.headBytes)) },
                all.map { Array($0.dropFirst(PostgresEntryRows.headBytes)) }
            )
            return PostgresFragment(
                "(\(alias).head, \(alias).rest) IN (SELECT * FROM unnest(?::bytea[], ?::bytea[]))",
                .byteStrings(heads), .byteStrings(rests))
        case .place: return .never
        }
    }

    /// The condition that the value begins with these bytes: a range that the index can seek.
    func beginning(_ alias: String, _ prefix: [UInt8]) -> PostgresFragment {
        guard case .bytes = self else { return .never }
        if prefix.count <= PostgresEntryRows.headBytes {
            return Self.range("\(alias).head", prefix)
        }
        let parts = Self.split(prefix)
        var sql = PostgresFragment("\(alias).head = ? AND ", parts[0])
        sql.add(Self.range("\(alias).rest", Array(prefix.dropFirst(PostgresEntryRows.headBytes))))
        return sql
    }

    private static func range(_ column: String, _ prefix: [UInt8]) -> PostgresFragment {
        var sql = PostgresFragment("\(column) >= ?", .bytes(prefix))
        var end = prefix
        while let last = end.popLast() {
            if last == 255 { continue }
            sql.add(" AND \(column) < ?", .bytes(end + [last + 1]))
            break
        }
        return sql
    }
}

extension PostgresFragment {
    /// Compares columns, as one value, with arguments.
    static func compare(
        _ columns: [String], _ sign: String, _ arguments: [PostgresValue]
    ) -> PostgresFragment {
        var sql = PostgresFragment()
        sql.arguments = arguments
        if columns.count == 1 {
            sql.text = "\(columns[0]) \(sign) ?"
        } else if sign == "=" {
            sql.text = "(" + columns.map { "\($0) = ?" }.joined(separator: " AND ") + ")"
        } else {
            let marks = columns.map { _ in "?" }.joined(separator: ", ")
            sql.text = "(\(columns.joined(separator: ", "))) \(sign) (\(marks))"
        }
        return sql
    }
}

extension SortValue {
    /// The bytes of a text or of bytes; nil for other values.
    var utf8OrBytes: [UInt8]? {
        switch self {
        case .text(let text): Array(text.utf8)
        case .bytes(let bytes): bytes
        default: nil
        }
    }
}
