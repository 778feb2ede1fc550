package import Records

extension Schema {
    /// The differences to a newer schema: roles, then types with their fields, each sorted by name.
    package func differences(to new: Schema) -> [SchemaDifference] {
        var result: [SchemaDifference] = []
        for role in roles.union(new.roles).sortedInBytes
        where roles.contains(role) != new.roles.contains(role) {
            result.append(SchemaDifference(roles.contains(role) ? .removed : .added, .role(role)))
        }
        for name in Set(types.keys).union(new.types.keys).sortedInBytes {
            switch (types[name], new.types[name]) {
            case (_?, nil): result.append(SchemaDifference(.removed, .type(name)))
            case (nil, let type?):
                result.append(SchemaDifference(.added, .type(name)))
                // The difference of the type itself includes its grants.
                let empty = TypeSchema(name: name, systemIndexes: [:], grants: type.grants)
                result += empty.differences(to: type)
            case (let old?, let type?): result += old.differences(to: type)
            case (nil, nil): break
            }
        }
        return result
    }
}

extension TypeSchema {
    fileprivate func differences(to new: TypeSchema) -> [SchemaDifference] {
        var result: [SchemaDifference] = []
        for field in SystemField.inSchemas
        where (systemIndexes[field] ?? []) != (new.systemIndexes[field] ?? []) {
            result.append(SchemaDifference(.indexesChanged, .field(field.rawValue, of: name)))
        }
        for field in Set(fields.keys).union(new.fields.keys).sortedInBytes {
            guard let kind = Self.kind(fields[field], new.fields[field]) else { continue }
            result.append(SchemaDifference(kind, .field(field, of: name)))
        }
        if grants != new.grants { result.append(SchemaDifference(.grantsChanged, .type(name))) }
        return result
    }

    private static func kind(_ old: FieldSchema?, _ new: FieldSchema?) -> SchemaDifference.Kind? {
        guard let old else { return .added }
        guard let new else { return .removed }
        if old.type != new.type || old.isEncrypted != new.isEncrypted || old.number != new.number {
            return .typeChanged
        }
        return old.indexes == new.indexes ? nil : .indexesChanged
    }
}

extension Sequence<String> {
    fileprivate var sortedInBytes: [String] { sorted { $0.precedesInBytes($1) } }
}
