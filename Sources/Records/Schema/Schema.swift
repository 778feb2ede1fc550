/// The indexes of a field, which decide how queries can use it.
package struct IndexSet: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// Filters for equality and membership.
    package static let queryable = IndexSet(rawValue: 1)
    /// Filters for ranges and prefixes, and sorting.
    package static let sortable = IndexSet(rawValue: 2)
    /// Searches for words of a string.
    package static let searchable = IndexSet(rawValue: 4)

    /// The indexes by name.
    package static let kinds: [String: IndexSet] = [
        "queryable": .queryable, "sortable": .sortable, "searchable": .searchable,
    ]

    /// The indexes that a new field of this type receives in the development environment.
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

/// How the schema language declared a field with `NUMBER`, which does not determine whether the field is an
/// integer.
package enum NumberNotation: UInt8, Hashable, Sendable {
    /// `NUMBER`: the first saved value determines the type.
    case unsettled = 1
    /// `NUMBER PREFERRED AS`: the field has this type.
    case preferred = 2
}

/// The schema of one field.
package struct FieldSchema: Hashable, Sendable {
    /// The field's type. An unsettled number has a type that can hold every number.
    package var type: FieldType
    package var isEncrypted: Bool
    package var indexes: IndexSet
    /// How the field was declared with `NUMBER`; nil for other fields.
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

/// The schema of one record type.
package struct TypeSchema: Hashable, Sendable {
    package var name: String
    package var fields: [String: FieldSchema]
    /// The indexes of system fields. It contains only fields with an index.
    package var systemIndexes: [SystemField: IndexSet]
    /// The permissions on records of this type in the public database.
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

    /// The indexes of system fields that a new type receives in the development environment: all of them.
    package static let automaticSystemIndexes: [SystemField: IndexSet] = Dictionary(
        uniqueKeysWithValues: SystemField.inSchemas.map { ($0, [.queryable, .sortable]) }
    )

    /// The indexes of a system field. `parent` and `share` can always be queried.
    package func indexes(of field: SystemField) -> IndexSet {
        switch field {
        case .parent, .share: [.queryable, .sortable]
        default: systemIndexes[field] ?? []
        }
    }

    /// The record type of user records, which every container has. Everyone can read them, and each person
    /// can write their own.
    package static let users = TypeSchema(
        name: "Users", fields: ["roles": FieldSchema(type: .list(.int64), indexes: [])], systemIndexes: [:],
        grants: Grants([.creator: [.write], .world: [.read]])
    )
}

/// All record types of a container in one environment.
package struct Schema: Hashable, Sendable {
    package var types: [String: TypeSchema]
    /// The names of the custom roles.
    package var roles: Set<String>

    package init(types: [String: TypeSchema] = [:], roles: Set<String> = []) {
        self.types = types
        self.roles = roles
    }

    /// The schema of a new container.
    package static let initial = Schema(types: [TypeSchema.users.name: .users])

    /// The schema with the types of a new container that it lacks.
    package var complete: Schema {
        var schema = self
        schema.types.merge(Self.initial.types) { known, _ in known }
        return schema
    }
}
