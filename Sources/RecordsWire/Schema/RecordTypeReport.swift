package import Records

/// A record type with all fields, system fields first.
package struct RecordTypeReport: WireObject {
    /// A field with its indexes.
    package struct Field: WireObject {
        package var name: String
        /// The type in the schema language.
        package var type: String
        /// Whether it is a system field, which records of every type have.
        package var isSystem: Bool
        package var indexes: IndexSet

        fileprivate init(_ name: String, _ type: String, _ indexes: IndexSet, isSystem: Bool) {
            self.name = name
            self.type = type
            self.isSystem = isSystem
            self.indexes = indexes
        }

        package init(_ object: JSONNode) throws(RecordError) {
            name = try object.required("name").string()
            type = try object.required("type").string()
            isSystem = try object.required("isSystem").bool()
            indexes = []
            if try object.required("queryable").bool() { indexes.formUnion(.queryable) }
            if try object.required("sortable").bool() { indexes.formUnion(.sortable) }
            if try object.required("searchable").bool() { indexes.formUnion(.searchable) }
        }

        package func writeMembers(to json: inout JSONWriter) {
            json.member("name", name)
            json.member("type", type)
            json.member("isSystem", isSystem)
            json.member("queryable", indexes.contains(.queryable))
            json.member("sortable", indexes.contains(.sortable))
            json.member("searchable", indexes.contains(.searchable))
        }
    }

    /// The permissions of a role on records of the type in the public database.
    package struct Grant: WireObject {
        package var role: String
        package var permissions: [Permission]

        package init(role: String, permissions: [Permission]) {
            self.role = role
            self.permissions = permissions
        }

        package init(_ object: JSONNode) throws(RecordError) {
            role = try object.required("role").string()
            permissions = []
            for name in try object.required("permissions").strings() {
                permissions.append(try Permission(spelling: name))
            }
        }

        package func writeMembers(to json: inout JSONWriter) {
            json.member("role", role)
            json.member("permissions", permissions.map(\.rawValue))
        }
    }

    package var name: String
    /// The fields in the order of exported schemas.
    package var fields: [Field]
    package var grants: [Grant]

    package init(_ type: TypeSchema) {
        name = type.name
        fields = SystemFieldName.all.map { name, field in
            let indexes = SystemField(rawValue: name).map(type.indexes(of:)) ?? []
            return Field(name, field.schemaName, indexes, isSystem: true)
        }
        fields += type.fields.sorted { $0.key.precedesInBytes($1.key) }.map { name, field in
            Field(name, field.schemaName, field.indexes, isSystem: false)
        }
        grants = type.grants.roles.map { role in
            Grant(
                role: role.name, permissions: Permission.allCases.filter(type.grants[role].contains))
        }
    }

    package init(_ object: JSONNode) throws(RecordError) {
        name = try object.required("name").string()
        fields = try object.objects("fields")
        grants = try object.objects("grants")
    }

    package func writeMembers(to json: inout JSONWriter) {
        json.member("name", name)
        json.list("fields", fields) { $0.write(to: &$1) }
        json.list("grants", grants) { $0.write(to: &$1) }
    }
}
