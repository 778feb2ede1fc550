package import Records

/// A field value in the form in which stores sort and compare it.
package enum SortValue: Sendable {
    case missing
    case integer(Int64)
    case real(Double)
    /// Compared by UTF-8 bytes.
    case text(String)
    case bytes([UInt8])
}

extension SortValue: Hashable {
    /// Compares texts by their UTF-8 bytes: two normal forms of one letter are different texts.
    package static func == (a: SortValue, b: SortValue) -> Bool {
        switch (a, b) {
        case (.missing, .missing): true
        case (.integer(let a), .integer(let b)): a == b
        case (.real(let a), .real(let b)): a == b
        case (.text(let a), .text(let b)): a.utf8.elementsEqual(b.utf8)
        case (.bytes(let a), .bytes(let b)): a == b
        default: false
        }
    }

    package func hash(into hasher: inout Hasher) {
        switch self {
        case .missing: hasher.combine(0)
        case .integer(let integer): hasher.combine(integer)
        case .real(let real): hasher.combine(real)
        case .text(var text): text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        case .bytes(let bytes): hasher.combine(bytes)
        }
    }
}

extension SortValue {
    /// SQLite's order: missing values first, then numbers, then texts by their bytes, then bytes.
    package func precedes(_ other: SortValue) -> Bool {
        switch (self, other) {
        case (.missing, _): other != .missing
        case (_, .missing): false
        case (.integer(let a), .integer(let b)): a < b
        case (.real(let a), .real(let b)): a < b
        case (.integer(let a), .real(let b)): Double(a) < b
        case (.real(let a), .integer(let b)): a < Double(b)
        case (.text(let a), .text(let b)): a.precedesInBytes(b)
        case (.bytes(let a), .bytes(let b)): a.lexicographicallyPrecedes(b)
        case (.integer, _), (.real, _): true
        case (.text, .bytes): true
        default: false
        }
    }
}

extension FieldValue {
    /// The value for sorting and for equality; `missing` for values that have no order.
    package var sortValue: SortValue {
        switch self {
        case .string(let text): .text(text)
        case .int64(let integer): .integer(integer)
        case .double(let real): .real(real)
        case .timestamp(let time): .integer(time.milliseconds)
        case .bytes(let bytes): .bytes(bytes)
        case .reference(let reference): .text(reference.key)
        case .asset, .location, .list: .missing
        }
    }
}

extension Reference {
    /// The reference as one text: the bare record name if it names no zone, otherwise zone and record name.
    /// Names contain no control characters, so different references have different texts.
    package var key: String {
        if let zone { "\(zone.name)\u{1f}\(recordName)" } else { recordName }
    }
}
