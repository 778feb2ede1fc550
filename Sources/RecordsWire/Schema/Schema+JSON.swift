// Owns how a schema is told to programs: record types with their fields, indexes and grants.

package import Records

extension Schema {
    /// The member `types`: every record type by name, its fields in the order of exports.
    package func writeTypes(to json: inout JSONWriter) {
        json.key("types" as StaticString)
        json.beginArray()
        for type in types.values.sorted(by: { $0.name.precedesInBytes($1.name) }) { type.write(to: &json) }
        json.endArray()
    }
}

extension TypeSchema {
    fileprivate func write(to json: inout JSONWriter) {
        json.beginObject()
        json.member("name", name)
        json.key("fields" as StaticString)
        json.beginArray()
        for (name, type) in SystemFieldName.all {
            let indexes = SystemField(rawValue: name).map(indexes(of:)) ?? []
            Self.write(name, type.schemaName, indexes, isSystem: true, to: &json)
        }
        for (name, field) in fields.sorted(by: { $0.key.precedesInBytes($1.key) }) {
            Self.write(name, field.schemaName, field.indexes, isSystem: false, to: &json)
        }
        json.endArray()
        json.key("grants" as StaticString)
        json.beginArray()
        for role in grants.roles {
            json.beginObject()
            json.member("role", role.name)
            json.member("permissions", Permission.allCases.filter(grants[role].contains).map(\.rawValue))
            json.endObject()
        }
        json.endArray()
        json.endObject()
    }

    private static func write(
        _ name: String, _ type: String, _ indexes: IndexSet, isSystem: Bool, to json: inout JSONWriter
    ) {
        json.beginObject()
        json.member("name", name)
        json.member("type", type)
        json.member("isSystem", isSystem)
        json.member("queryable", indexes.contains(.queryable))
        json.member("sortable", indexes.contains(.sortable))
        json.member("searchable", indexes.contains(.searchable))
        json.endObject()
    }
}
