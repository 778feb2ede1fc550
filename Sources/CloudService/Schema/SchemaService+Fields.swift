import RecordStore
package import Records

extension SchemaService {
    /// Adds a record type without fields to development, with the indexes and grants of a new type.
    ///
    /// Throws `badRequest` for an invalid name, `exists` for one in use, and `limitExceeded`.
    package func addType(_ name: String, in container: String) async throws -> SchemaComparison {
        try NameRules.checkTypeName(name, limits: context.limits)
        return try await changeDevelopment(of: container) { [limits = context.limits] schema in
            let old = schema
            if schema.types[name] != nil {
                throw RecordError(
                    .exists, "the record type exists already", culprit: name,
                    nextStep: "add fields to it, or choose another name")
            }
            schema.types[name] = TypeSchema(name: name)
            try SchemaRules.checkSize(of: schema, after: old, limits)
        }
    }

    /// Adds a field to a record type in development. A plain field has the indexes of a new field, an
    /// encrypted one has none.
    ///
    /// Throws `badRequest` for an invalid name or an encrypted field of a type that cannot be encrypted,
    /// `notFound` for a missing record type, `exists` for an existing field, and `limitExceeded`.
    package func addField(
        _ name: String, _ type: FieldType, isEncrypted: Bool, to typeName: String, in container: String
    ) async throws -> SchemaComparison {
        try checkField(name, type, isEncrypted: isEncrypted)
        return try await changeDevelopment(of: container) { [limits = context.limits] schema in
            let old = schema
            guard let known = schema.types[typeName] else {
                throw RecordError(
                    .notFound, "Did not find record type: \(typeName)", culprit: typeName,
                    nextStep: "check the spelling: cloudlet schema export \(container)")
            }
            if known.fields[name] != nil {
                throw RecordError(
                    .exists, "the field exists already", culprit: name,
                    nextStep: "delete it first to give it another type, or choose another name")
            }
            schema.types[typeName]?.fields[name] = FieldSchema(
                type: type, isEncrypted: isEncrypted, indexes: isEncrypted ? [] : .automatic(for: type))
            try SchemaRules.checkSize(of: schema, after: old, limits)
        }
    }

    /// Throws `badRequest` for an invalid name, and for an encrypted field of a type that cannot be
    /// encrypted.
    package func checkField(_ name: String, _ type: FieldType, isEncrypted: Bool) throws(RecordError) {
        try NameRules.checkFieldName(name, limits: context.limits)
        if isEncrypted, [.reference, .asset].contains(type.element) {
            throw RecordError(
                .badRequest, "a field of this type cannot be encrypted", culprit: name,
                nextStep: "choose another type, or a plain field")
        }
    }
}
