/// How a field can be used in a query.
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

    /// The kinds by the names that people give them.
    package static let kinds: [String: IndexSet] = [
        "queryable": .queryable, "sortable": .sortable, "searchable": .searchable,
    ]

    /// What development gives a new field of this type by itself.
    package static func automatic(for type: FieldType) -> IndexSet {
        switch type {
        case .scalar(.string): [.queryable, .sortable, .searchable]
        case .scalar(.asset): []
        case .scalar(let scalar): scalar.hasOrder ? [.queryable, .sortable] : .queryable
        case .list(let element): element.hasEquality ? .queryable : []
        }
    }

    /// The indexes that a field of this type can have.
    package static func possible(for type: FieldType) -> IndexSet {
        switch type {
        case .scalar(.string): [.queryable, .sortable, .searchable]
        case .scalar(.asset): []
        case .scalar: [.queryable, .sortable]
        case .list(let element): element.hasEquality ? .queryable : []
        }
    }
}

/// What the schema language calls NUMBER: a number of which it was once not known whether it is an integer.
package enum NumberNotation: UInt8, Hashable, Sendable {
    /// The first value that is saved settles the type.
    case unsettled = 1
    /// The type is that of the field, by preference.
    case preferred = 2
}

/// One field of a record type.
package struct FieldSchema: Hashable, Sendable {
    /// For a number that is not settled, a type that takes every number.
    package var type: FieldType
    package var isEncrypted: Bool
    package var indexes: IndexSet
    /// nil for fields whose type was known from the start.
    package var number: NumberNotation?

    package init(
        type: FieldType, isEncrypted: Bool = false, indexes: IndexSet, number: NumberNotation? = nil
    ) {
        self.type = type
        self.isEncrypted = isEncrypted
        self.indexes = indexes
        self.number = number
    }

    package var isUnsettled: Bool { number == .unsettled }
}

/// One record type.
package struct TypeSchema: Hashable, Sendable {
    package var name: String
    package var fields: [String: FieldSchema]
    /// Of the system fields that the schema language knows; those without an index are not in it.
    package var systemIndexes: [SystemField: IndexSet]
    /// Who may do what with records of this type in the public database.
    package var grants: Grants

    package init(
        name: String,
        fields: [String: FieldSchema] = [:],
        systemIndexes: [SystemField: IndexSet] = TypeSchema.automaticSystemIndexes,
        grants: Grants = .standard
    ) {
        self.name = name
        self.fields = fields
        self.systemIndexes = systemIndexes
        self.grants = grants
    }

    /// Development indexes every system field.
    package static let automaticSystemIndexes: [SystemField: IndexSet] = Dictionary(
        uniqueKeysWithValues: SystemField.inSchemas.map { ($0, [.queryable, .sortable]) }
    )

    /// The indexes of a system field; the shared hierarchy can always be asked for.
    package func indexes(of field: SystemField) -> IndexSet {
        switch field {
        case .parent, .share: [.queryable, .sortable]
        default: systemIndexes[field] ?? []
        }
    }

    /// The type that user records have in every container: everybody reads, each person writes the own one
    /// (talk 1, "User records").
    package static let users = TypeSchema(
        name: "Users", fields: ["roles": FieldSchema(type: .list(.int64), indexes: [])], systemIndexes: [:],
        grants: Grants([.creator: [.write], .world: [.read]])
    )
}

/// All record types of a container in one environment.
package struct Schema: Hashable, Sendable {
    package var types: [String: TypeSchema]
    /// The names of the roles that are not the system's.
    package var roles: Set<String>

    package init(types: [String: TypeSchema] = [:], roles: Set<String> = []) {
        self.types = types
        self.roles = roles
    }

    /// What every container begins with.
    package static let initial = Schema(types: [TypeSchema.users.name: .users])
}
