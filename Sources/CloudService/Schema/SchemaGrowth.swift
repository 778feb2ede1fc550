import RecordStore
package import Records

/// Checks saves against a schema. Values of known fields must have the right type. Unknown types and fields
/// are added in development and refused in production.
package struct SchemaGrowth: Sendable {
    package private(set) var schema: Schema
    /// The names of types that changed.
    package private(set) var grown: Set<String> = []
    package let mayGrow: Bool
    package let isPublic: Bool
    package let limits: Limits
    /// The numbers of fields and types that the request has added so far.
    private var newFields = 0
    private var newTypes = 0

    package init(schema: Schema, mayGrow: Bool, isPublic: Bool, limits: Limits) {
        self.schema = schema
        self.mayGrow = mayGrow
        self.isPublic = isPublic
        self.limits = limits
    }

    /// The types that changed.
    package var grownTypes: [TypeSchema] { grown.sorted().compactMap { schema.types[$0] } }

    /// Returns the fields in the types that the schema requires, and adds missing types and fields to the
    /// schema if that is allowed. Throws if the save must be refused; it then adds nothing.
    package mutating func admit(_ fields: Fields, type name: String) throws(RecordError) -> Fields {
        var type = try known(name)
        var result = fields
        let isNew = schema.types[name] == nil
        var changed = isNew
        var added = 0
        for (fieldName, field) in fields {
            if field.isEncrypted, isPublic {
                throw RecordError(
                    .badRequest, "encrypted fields are not supported in the public database",
                    culprit: fieldName,
                    nextStep: "save the record in the private database"
                )
            }
            if let known = type.fields[fieldName] {
                if known.isUnsettled, mayGrow, let settled = known.settled(by: field) {
                    type.fields[fieldName] = settled
                    changed = true
                    continue
                }
                result[fieldName] = try Self.fit(field, to: known, name: fieldName, type: name)
                continue
            }
            if !mayGrow, Self.isZoneKey(field, fieldName, of: name) { continue }
            try checkNew(fieldName, of: type, after: added)
            added += 1
            type.fields[fieldName] = FieldSchema(
                type: field.value.type, isEncrypted: field.isEncrypted,
                indexes: field.isEncrypted ? [] : IndexSet.automatic(for: field.value.type)
            )
            changed = true
        }
        if changed {
            schema.types[name] = type
            grown.insert(name)
            newFields += added
            newTypes += isNew ? 1 : 0
        }
        return result
    }

    /// Whether a field is the key that Cloudlet's clients save in shares. Production stores it without an
    /// entry in the schema, because apps do not choose it.
    private static func isZoneKey(_ field: Field, _ name: String, of type: String) -> Bool {
        type == Share.recordType && name == Share.zoneKeyField && !field.isEncrypted
            && field.value.type == .scalar(.bytes)
    }

    private func known(_ name: String) throws(RecordError) -> TypeSchema {
        if let type = schema.types[name] { return type }
        if !mayGrow {
            throw RecordError(
                .badRequest, "Cannot create new type \(name) in production schema", culprit: name,
                nextStep: "create the type in development, then deploy the schema"
            )
        }
        try NameRules.checkTypeName(name, limits: limits)
        try SchemaRules.checkTypes(schema.types.count + 1, adding: name, limits)
        guard newTypes < limits.newTypesPerRequest else {
            throw RecordError(
                .limitExceeded,
                "a request adds at most \(limits.newTypesPerRequest) record types to the schema",
                culprit: name, nextStep: "save records of fewer new types in one request"
            )
        }
        return TypeSchema(name: name)
    }

    private func checkNew(_ field: String, of type: TypeSchema, after added: Int) throws(RecordError) {
        if !mayGrow {
            throw RecordError(
                .badRequest,
                "Cannot create or modify field '\(field)' in record '\(type.name)' in production schema",
                culprit: field, nextStep: "save the field once in development, then deploy the schema"
            )
        }
        try NameRules.checkFieldName(field, limits: limits)
        try SchemaRules.checkFields(type.fields.count + 1, of: type.name, adding: field, limits)
        let others = schema.fieldCount - (schema.types[type.name]?.fields.count ?? 0)
        try SchemaRules.checkAllFields(others + type.fields.count + 1, adding: field, limits)
        guard newFields + added < limits.newFieldsPerRequest else {
            throw RecordError(
                .limitExceeded, "a request adds at most \(limits.newFieldsPerRequest) fields to the schema",
                culprit: field, nextStep: "save records with fewer new fields in one request"
            )
        }
    }

    /// Converts a field to the type in the schema. Integers are accepted as doubles, and empty lists as lists
    /// of any type.
    private static func fit(
        _ field: Field, to schema: FieldSchema, name: String, type: String
    ) throws(RecordError) -> Field {
        if field.isEncrypted != schema.isEncrypted {
            throw RecordError(
                .badRequest,
                field.isEncrypted
                    ? "Attempt to save encrypted data in non encrypted field type"
                    : "Attempt to save plain data in encrypted field type",
                culprit: name, nextStep: "use a new field; encryption of a field cannot change"
            )
        }
        if field.value.type == schema.type { return field }
        switch (field.value, schema.type) {
        case (.int64(let integer), .scalar(.double)):
            return Field(.double(Double(integer)), isEncrypted: field.isEncrypted)
        case (.list(.int64, let elements), .list(.double)):
            let doubles = elements.map { element -> FieldValue in
                if case .int64(let integer) = element { .double(Double(integer)) } else { element }
            }
            return Field(.list(.double, doubles), isEncrypted: field.isEncrypted)
        case (.list(_, let elements), .list(let element)) where elements.isEmpty:
            return Field(.list(element, []), isEncrypted: field.isEncrypted)
        default:
            throw RecordError(
                .badRequest,
                "invalid attempt to set value type \(field.value.type.name) for field '\(name)' for type "
                    + "'\(type)', defined to be: \(schema.type.name)",
                culprit: name, nextStep: "send a value of type \(schema.type.name), or use another field name"
            )
        }
    }
}

extension FieldSchema {
    /// The field schema after the first value has settled the type of a NUMBER field; nil if the value is not
    /// a number.
    fileprivate func settled(by field: Field) -> FieldSchema? {
        let given = field.value.type
        guard given.isList == type.isList, [.int64, .double].contains(given.element), !field.isEncrypted
        else {
            return nil
        }
        var settled = self
        settled.type = given
        settled.number = nil
        return settled
    }
}
