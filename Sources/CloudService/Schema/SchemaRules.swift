import RecordStore
package import Records

/// Rules for importing, reducing and deploying schemas.
package enum SchemaRules {
    /// Throws unless the schema may replace the development schema: its names must be valid, it must be
    /// within the limits, fields that remain must keep their type, and the record types and fields that
    /// production has must remain.
    package static func checkImport(
        _ source: SchemaSource, over development: Schema, before production: Schema, limits: Limits
    ) throws(RecordError) {
        for (name, type) in source.schema.types {
            try NameRules.checkTypeName(name, limits: limits)
            for field in type.fields.keys { try NameRules.checkFieldName(field, limits: limits) }
        }
        try checkSize(of: source.schema, after: development, limits)
        for difference in development.differences(to: source.schema) {
            try checkType(difference, from: development, to: source, "development")
        }
        for difference in production.differences(to: source.schema) {
            try checkType(difference, from: production, to: source, "production")
            if difference.kind == .removed { try refuseRemoval(difference.part, source) }
        }
    }

    // MARK: Size

    /// Throws `limitExceeded` if the schema exceeds the limits for types, for fields of one type, or for all
    /// fields. A schema that exceeded them before may keep its size.
    ///
    /// The limits on additions per request do not apply, because an operator imports the schema of a whole
    /// app at once. A database creates a type's tables only when it first stores a record of the type.
    package static func checkSize(
        of schema: Schema, after old: Schema, _ limits: Limits
    ) throws(RecordError) {
        if schema.types.count > old.types.count {
            let new = schema.types.keys.filter { old.types[$0] == nil }.min()
            try checkTypes(schema.types.count, adding: new ?? "types", limits)
        }
        for (name, type) in schema.types {
            let known = old.types[name]?.fields ?? [:]
            guard type.fields.count > known.count else { continue }
            let new = type.fields.keys.filter { known[$0] == nil }.min()
            try checkFields(type.fields.count, of: name, adding: new ?? name, limits)
        }
        let count = schema.fieldCount
        if count > old.fieldCount { try checkAllFields(count, adding: "fields", limits) }
    }

    /// Throws `limitExceeded` for more fields of all types together than a schema may have.
    static func checkAllFields(_ count: Int, adding name: String, _ limits: Limits) throws(RecordError) {
        if count <= limits.fieldsPerSchema { return }
        throw RecordError(
            .limitExceeded, "a schema has at most \(limits.fieldsPerSchema) fields in all record types",
            culprit: name,
            nextStep: "use fewer fields, or ask the operator to remove some: cloudlet schema delete"
        )
    }

    /// Throws `limitExceeded` for more types than a schema may have.
    static func checkTypes(_ count: Int, adding name: String, _ limits: Limits) throws(RecordError) {
        if count <= limits.typesPerSchema { return }
        throw RecordError(
            .limitExceeded, "a schema has at most \(limits.typesPerSchema) record types", culprit: name,
            nextStep: "use fewer types, or ask the operator to remove some: cloudlet schema delete"
        )
    }

    /// Throws `limitExceeded` for more fields than a type may have.
    static func checkFields(
        _ count: Int, of type: String, adding name: String, _ limits: Limits
    ) throws(RecordError) {
        if count <= limits.fieldsPerType { return }
        throw RecordError(
            .limitExceeded, "record type '\(type)' has at most \(limits.fieldsPerType) fields",
            culprit: name,
            nextStep: "use fewer fields, or ask the operator to remove some: cloudlet schema delete"
        )
    }

    private static func checkType(
        _ difference: SchemaDifference, from old: Schema, to source: SchemaSource, _ environment: String
    ) throws(RecordError) {
        guard difference.kind == .typeChanged, case .field(let field, let type) = difference.part,
            let before = old.types[type]?.fields[field], let after = source.schema.types[type]?.fields[field],
            !before.maySettle(as: after)
        else { return }
        throw refusal(
            "Field '\(field)' of type '\(type)' is \(before.type.name) in \(environment) and cannot become "
                + after.type.name, difference.part, source,
            next: environment == "production"
                ? "use another field name; a deployed field keeps its type"
                : "import the schema without the field first, or use another field name"
        )
    }

    private static func refuseRemoval(
        _ part: SchemaSource.Part, _ source: SchemaSource
    ) throws(RecordError) {
        if case .role = part { return }
        throw refusal(
            "\(part.title) is in production and cannot be removed", part, source,
            next: "leave it in the schema, or delete its indexes to free their space"
        )
    }

    /// The production schema after a deployment: all parts of the development schema, and the parts that only
    /// production has.
    ///
    /// Throws for a field that has another type in production, for a NUMBER field whose type is not settled,
    /// and for a schema above the limits.
    package static func deployed(
        _ source: SchemaSource, onto production: Schema, limits: Limits
    ) throws(RecordError) -> Schema {
        for (name, type) in source.schema.types.sorted(by: { $0.key.precedesInBytes($1.key) }) {
            for (field, known) in type.fields.sorted(by: { $0.key.precedesInBytes($1.key) }) {
                guard known.isUnsettled else { continue }
                throw refusal(
                    "Field '\(field)' of type '\(name)' is a NUMBER whose type is not settled",
                    .field(field, of: name), source,
                    next: "save a value of it in development, or write NUMBER PREFERRED AS INT64"
                )
            }
        }
        for difference in production.differences(to: source.schema) {
            try checkType(difference, from: production, to: source, "production")
        }
        var result = production
        result.roles.formUnion(source.schema.roles)
        for (name, type) in source.schema.types {
            let kept = production.types[name]?.fields ?? [:]
            var deployed = type
            deployed.fields.merge(kept) { new, _ in new }
            result.types[name] = deployed
        }
        try checkSize(of: result, after: production, limits)
        return result
    }

    /// The development schema without one of its roles, types or fields.
    ///
    /// Throws `notFound` for a part that does not exist, and `badRequest` for the type `Users` and for a part
    /// that production has.
    package static func schema(
        _ development: Schema, without part: SchemaSource.Part, before production: Schema
    ) throws(RecordError) -> Schema {
        let isThere = development.has(part)
        guard isThere, part != .type(TypeSchema.users.name) else {
            throw RecordError(
                isThere ? .badRequest : .notFound,
                isThere ? "the record type Users belongs to every container" : "the schema has no such part",
                culprit: part.name,
                nextStep: isThere
                    ? "delete single fields of it" : "check the spelling: cloudlet schema export"
            )
        }
        if production.has(part) {
            throw RecordError(
                .badRequest, "\(part.title) is in production and cannot be removed", culprit: part.name,
                nextStep: "leave it in the schema, or delete its indexes to free their space"
            )
        }
        var rest = development
        switch part {
        case .role(let name): rest.roles.remove(name)
        case .type(let name): rest.types[name] = nil
        case .field(let name, let type): rest.types[type]?.fields[name] = nil
        }
        return rest
    }

    private static func refusal(
        _ reason: String, _ part: SchemaSource.Part, _ source: SchemaSource, next: String
    ) -> RecordError {
        let place = source.place(of: part)
        return RecordError(
            .badRequest, "\(reason), at line \(place.line), column \(place.column).",
            culprit: part.name, nextStep: next
        )
    }
}

extension SchemaSource.Part {
    /// The name in errors and command lines: `Party.name` for a field.
    package var name: String {
        switch self {
        case .role(let name), .type(let name): name
        case .field(let name, let type): "\(type).\(name)"
        }
    }
}

extension SchemaSource.Part {
    /// The part as named in the texts of errors.
    fileprivate var title: String {
        switch self {
        case .role(let name): "Role '\(name)'"
        case .type(let name): "Record type '\(name)'"
        case .field(let name, let type): "Field '\(name)' of type '\(type)'"
        }
    }
}

extension Schema {
    fileprivate func has(_ part: SchemaSource.Part) -> Bool {
        switch part {
        case .role(let name): roles.contains(name)
        case .type(let name): types[name] != nil
        case .field(let name, let type): types[type]?.fields[name] != nil
        }
    }
}

extension FieldSchema {
    /// Whether the field may change to `new` without making any stored value invalid.
    fileprivate func maySettle(as new: FieldSchema) -> Bool {
        if isEncrypted != new.isEncrypted { return false }
        if isUnsettled {
            return [.int64, .double].contains(new.type.element) && type.isList == new.type.isList
        }
        return type == new.type && !new.isUnsettled
    }
}

extension Schema {
    /// Number of fields of all types together.
    var fieldCount: Int { types.values.reduce(0) { $0 + $1.fields.count } }
}
