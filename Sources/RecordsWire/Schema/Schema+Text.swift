package import Records

extension Schema {
    /// The schema in the schema language, in the layout of exports: roles and types sorted by name, and in
    /// each type system fields first, aligned names, and grants last. Parsing the text gives the same schema.
    package var text: String {
        var blocks: [[String]] = []
        let roles = roles.sorted { $0.precedesInBytes($1) }
        if !roles.isEmpty { blocks.append(roles.map { "    CREATE ROLE \(SchemaName.spelled($0));" }) }
        blocks += types.values.sorted { $0.name.precedesInBytes($1.name) }.map(\.lines)
        return (["DEFINE SCHEMA"] + blocks.map { "\n" + $0.joined(separator: "\n") })
            .joined(separator: "\n") + "\n"
    }
}

extension TypeSchema {
    fileprivate var lines: [String] {
        let fields = systemColumns + ownColumns
        let width = fields.map { $0.name.count }.max() ?? 0
        let items =
            fields.map { column in
                let padding = String(repeating: " ", count: width - column.name.count + 1)
                return column.name + padding + column.rest
            } + grantItems
        return ["    RECORD TYPE \(SchemaName.spelled(name)) ("]
            + items.enumerated().map { index, item in
                "        " + item + (index + 1 < items.count ? "," : "")
            } + ["    );"]
    }

    private var systemColumns: [(name: String, rest: String)] {
        SystemFieldName.all.map { name, type in
            let indexes = SystemField(rawValue: name).map(indexes(of:)) ?? []
            return (SchemaName.spelled(name), Self.words(type.schemaName, indexes.schemaNames))
        }
    }

    private var ownColumns: [(name: String, rest: String)] {
        fields.sorted { $0.key.precedesInBytes($1.key) }.map { name, field in
            (SchemaName.spelled(name), Self.words(field.schemaName, field.indexes.schemaNames))
        }
    }

    private static func words(_ type: String, _ indexes: String) -> String {
        indexes.isEmpty ? type : type + " " + indexes
    }

    private var grantItems: [String] {
        grants.roles.map { role in
            let permissions = Permission.allCases.filter(grants[role].contains).map(\.rawValue)
            return "GRANT \(permissions.joined(separator: ", ")) TO \(SchemaName.spelled(role.name))"
        }
    }
}
