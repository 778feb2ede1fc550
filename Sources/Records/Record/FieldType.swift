/// The type of a single value.
public enum ScalarType: UInt8, Hashable, Sendable, CaseIterable {
    /// A text.
    case string
    /// A whole number of 64 bits with a sign.
    case int64
    /// A finite number of 64 bits.
    case double
    /// A moment in milliseconds.
    case timestamp
    /// Bytes.
    case bytes
    /// A pointer to a record.
    case reference
    /// A file.
    case asset
    /// A place on the globe.
    case location
}

extension ScalarType {
    /// The term of the protocol; that of a list ends in `_LIST`.
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

    /// Whether filters can ask for one value of the type.
    package var hasEquality: Bool {
        switch self {
        case .string, .int64, .double, .timestamp, .bytes, .reference: true
        case .asset, .location: false
        }
    }

    /// Whether filters can ask for what is less or greater.
    package var hasOrder: Bool {
        switch self {
        case .string, .int64, .double, .timestamp: true
        case .bytes, .reference, .asset, .location: false
        }
    }
}

/// The type of a field: one value, or a homogeneous list.
public enum FieldType: Hashable, Sendable {
    /// One value.
    case scalar(ScalarType)
    /// A list whose elements have that type.
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

    /// The term of the protocol, as error texts use it.
    package var name: String { isList ? "\(element.name)_LIST" : "\(element.name)" }
}
