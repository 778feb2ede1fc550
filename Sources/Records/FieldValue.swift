// Owns the values a field can hold.

/// One value of a field (web services sheet 3.1). Lists are homogeneous by construction at the boundaries.
package enum FieldValue: Hashable, Sendable {
    case string(String)
    case int64(Int64)
    case double(Double)
    case timestamp(Timestamp)
    case bytes([UInt8])
    case reference(Reference)
    case asset(Asset)
    case location(Location)
    /// The element type is kept beside the elements, so that an empty list has a type.
    case list(ScalarType, [FieldValue])

    package var type: FieldType {
        switch self {
        case .string: .scalar(.string)
        case .int64: .scalar(.int64)
        case .double: .scalar(.double)
        case .timestamp: .scalar(.timestamp)
        case .bytes: .scalar(.bytes)
        case .reference: .scalar(.reference)
        case .asset: .scalar(.asset)
        case .location: .scalar(.location)
        case .list(let element, _): .list(element)
        }
    }

    /// The elements of a list, or the value itself.
    package var elements: [FieldValue] {
        if case .list(_, let values) = self { values } else { [self] }
    }
}

/// A field of a record: its value, and whether the value is kept encrypted (never indexed, never queried).
package struct Field: Hashable, Sendable {
    package var value: FieldValue
    package var isEncrypted: Bool

    package init(_ value: FieldValue, isEncrypted: Bool = false) {
        self.value = value
        self.isEncrypted = isEncrypted
    }
}
