// Owns the description of record types: their fields and which of them can be asked for.

/// How a field can be used in a query (web services sheet 8.4).
package struct IndexSet: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// Equality and membership.
    package static let queryable = IndexSet(rawValue: 1)
    /// Ranges, prefixes and order.
    package static let sortable = IndexSet(rawValue: 2)
    /// Words of a string.
    package static let searchable = IndexSet(rawValue: 4)

    /// What development gives a new field of this type by itself.
    package static func automatic(for type: FieldType) -> IndexSet {
        switch type {
        case .scalar(.string): [.queryable, .sortable, .searchable]
        case .scalar(.int64), .scalar(.double), .scalar(.timestamp): [.queryable, .sortable]
        case .scalar(.reference), .scalar(.location), .scalar(.bytes): .queryable
        case .scalar(.asset), .list(.asset), .list(.location): []
        case .list: .queryable
        }
    }
}

/// One field of a record type.
package struct FieldSchema: Hashable, Sendable {
    package var type: FieldType
    package var isEncrypted: Bool
    package var indexes: IndexSet

    package init(type: FieldType, isEncrypted: Bool = false, indexes: IndexSet) {
        self.type = type
        self.isEncrypted = isEncrypted
        self.indexes = indexes
    }
}

/// One record type.
package struct TypeSchema: Hashable, Sendable {
    package var name: String
    package var fields: [String: FieldSchema]
    package var systemIndexes: [SystemField: IndexSet]

    package init(
        name: String,
        fields: [String: FieldSchema] = [:],
        systemIndexes: [SystemField: IndexSet] = TypeSchema.automaticSystemIndexes
    ) {
        self.name = name
        self.fields = fields
        self.systemIndexes = systemIndexes
    }

    /// Development indexes every system field.
    package static let automaticSystemIndexes: [SystemField: IndexSet] = Dictionary(
        uniqueKeysWithValues: SystemField.allCases.map { ($0, [.queryable, .sortable]) }
    )
}

/// All record types of a container in one environment.
package struct Schema: Hashable, Sendable {
    package var types: [String: TypeSchema]

    package init(types: [String: TypeSchema] = [:]) {
        self.types = types
    }
}
