/// The parts that a schema lacks, and the schema with these parts added.
package struct SchemaGaps: Sendable {
    /// The source from which the required parts of a schema are known.
    package enum Basis: Sendable {
        /// Requests used the part. Only queries show which indexes it needs.
        case use
        /// The data model of an app contains the part, with its indexes.
        case model
    }

    package private(set) var gaps: Set<SchemaGap> = []
    /// The schema with all gaps closed, except those that would require another type of a field.
    package var schema: Schema
    private let basis: Basis

    package init(schema: Schema, basis: Basis) {
        self.schema = schema
        self.basis = basis
    }

    /// The gaps in the order of the schema's text.
    package var list: [SchemaGap] {
        gaps.sorted { ($0.type, $0.field ?? "", $0.reason) < ($1.type, $1.field ?? "", $1.reason) }
    }

    package mutating func insert(_ gap: SchemaGap) { gaps.insert(gap) }

    /// Requires all types and fields of another schema.
    package mutating func requireAll(of real: Schema) {
        for type in real.types.values {
            require(type.name, of: real)
            for field in type.fields.keys { require(field, of: type.name, of: real) }
        }
    }

    package mutating func require(_ type: String, of real: Schema) {
        guard schema.types[type] == nil, let known = real.types[type] else { return }
        let why = basis == .use ? "was used" : "is in the model"
        gaps.insert(SchemaGap(type: type, reason: "Record type '\(type)' \(why) and is missing"))
        schema.types[type] = TypeSchema(
            name: type, systemIndexes: basis == .use ? [:] : known.systemIndexes, grants: known.grants)
    }

    package mutating func require(_ field: String, of type: String, of real: Schema) {
        guard let used = real.types[type]?.fields[field] else { return }
        let why = basis == .use ? "was used as \(used.title)" : "is \(used.title) in the model"
        let title = "Field '\(field)' of type '\(type)' \(why) and is "
        guard let known = schema.types[type]?.fields[field] else {
            gaps.insert(SchemaGap(type: type, field: field, reason: title + "missing"))
            var added = used
            if basis == .use { added.indexes = [] }
            schema.types[type]?.fields[field] = added
            return
        }
        if known.accepts(used) { return }
        gaps.insert(SchemaGap(type: type, field: field, reason: title + known.title, isRepaired: false))
    }
}

extension FieldSchema {
    /// Whether this field accepts the values of the other.
    package func accepts(_ other: FieldSchema) -> Bool {
        if isEncrypted != other.isEncrypted { return false }
        if !isUnsettled { return type == other.type }
        return type.isList == other.type.isList && [.int64, .double].contains(other.type.element)
    }

    fileprivate var title: String { (isEncrypted ? "ENCRYPTED_" : "") + type.name }
}
