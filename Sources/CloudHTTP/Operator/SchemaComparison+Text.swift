package import CloudService
package import Records
import RecordsWire

extension SchemaComparison {
    /// One line for a difference, such as `+ Party.name STRING QUERYABLE`; `-` marks a removal, `~` a change.
    package func text(of difference: SchemaDifference) -> String {
        let name = difference.part.name
        switch (difference.kind, difference.part) {
        case (.added, .role): return "+ CREATE ROLE \(name)"
        case (.removed, .role): return "- CREATE ROLE \(name)"
        case (.added, .type(let type)): return "+ RECORD TYPE \(name)\(Self.grants(new, type))"
        case (.removed, .type): return "- RECORD TYPE \(name)"
        case (.added, .field(let field, let type)): return "+ \(name) \(Self.description(field, type, new))"
        case (.removed, .field(let field, let type)): return "- \(name) \(Self.description(field, type, old))"
        case (_, .field(let field, let type)):
            let before = Self.description(field, type, old)
            return "~ \(name) \(before) -> \(Self.description(field, type, new))"
        case (_, .type(let type)):
            return "~ RECORD TYPE \(name)\(Self.grants(old, type)) ->\(Self.grants(new, type))"
        case (_, .role): return "~ \(name)"
        }
    }

    private static func description(_ field: String, _ type: String, _ schema: Schema) -> String {
        let words: [String]
        if let system = SystemField(rawValue: field) {
            let indexes = schema.types[type]?.systemIndexes[system] ?? []
            words = [indexes.isEmpty ? "without an index" : indexes.schemaNames]
        } else {
            let known = schema.types[type]?.fields[field]
            words = [known?.schemaName ?? "", known?.indexes.schemaNames ?? ""]
        }
        return words.filter { !$0.isEmpty }.joined(separator: " ")
    }

    private static func grants(_ schema: Schema, _ type: String) -> String {
        let grants = schema.types[type]?.grants ?? Grants()
        if grants.roles.isEmpty { return " without a grant" }
        return grants.roles.map { role in
            let permissions = Permission.allCases.filter(grants[role].contains).map(\.rawValue)
            return " GRANT \(permissions.joined(separator: ", ")) TO \(role.name)"
        }
        .joined(separator: ",")
    }
}
