/// The type of a single value (CloudKit Web Services Reference, *Types and Dictionaries*).
public enum ScalarType: UInt8, Hashable, Sendable, CaseIterable {
    /// A string.
    case string
    /// A 64-bit signed integer.
    case int64
    /// A finite 64-bit floating-point number.
    case double
    /// A point in time in milliseconds since 1970.
    case timestamp
    /// Bytes.
    case bytes
    /// A reference to a record.
    case reference
    /// A file.
    case asset
    /// A geographic position.
    case location
}

extension ScalarType {
    /// The protocol's term. The term of a list adds `_LIST`.
    package var name: StaticString {
        switch self {
        case .string: "STRING"
        case .int64: "INT64"
        case .double: "DOUBLE"
        case .timestamp: "TIMESTAMP"
        case .bytes: "BYTES"
        case .reference: "REFERENCE"
        case .asset: "ASSETID"
        case .location: "LOCATION"
        }
    }

    /// Whether filters can compare values of the type for equality.
    package var hasEquality: Bool {
        switch self {
        case .string, .int64, .double, .timestamp, .bytes, .reference: true
        case .asset, .location: false
        }
    }

    /// Whether filters can compare values of the type by order.
    package var hasOrder: Bool {
        switch self {
        case .string, .int64, .double, .timestamp: true
        case .bytes, .reference, .asset, .location: false
        }
    }
}

/// The type of a field: one value, or a homogeneous list.
public enum FieldType: Hashable, Sendable {
    /// A single value of the type.
    case scalar(ScalarType)
    /// A list of elements of the type.
    case list(ScalarType)

    /// The type of the value, or of each element.
    public var element: ScalarType {
        switch self {
        case .scalar(let type), .list(let type): type
        }
    }

    /// Whether the field holds a list.
    public var isList: Bool {
        if case .list = self { true } else { false }
    }

    /// Every type: the single values first, then the lists.
    public static let allCases: [FieldType] =
        ScalarType.allCases.map(FieldType.scalar) + ScalarType.allCases.map(FieldType.list)

    /// The protocol's term, also used in error texts.
    package var name: String { isList ? "\(element.name)_LIST" : "\(element.name)" }
}
