// Owns the closed list of types a field can have.

/// The type of a single value (web services sheet 3.1).
package enum ScalarType: UInt8, Hashable, Sendable, CaseIterable {
    case string
    case int64
    case double
    case timestamp
    case bytes
    case reference
    case asset
    case location
}

/// The type of a field: one value, or a homogeneous list.
package enum FieldType: Hashable, Sendable {
    case scalar(ScalarType)
    case list(ScalarType)

    /// The type of the value, or of each element.
    package var element: ScalarType {
        switch self {
        case .scalar(let type), .list(let type): type
        }
    }

    package var isList: Bool {
        if case .list = self { true } else { false }
    }

    package static let allCases: [FieldType] =
        ScalarType.allCases.map(FieldType.scalar) + ScalarType.allCases.map(FieldType.list)
}
