import Records
import RecordsWire

@testable import TestKit

extension SeededNumbers {
    /// A random schema that can use every construct of the language.
    mutating func schema() -> Schema {
        var schema = Schema()
        for _ in 0..<Int.random(in: 0...3, using: &self) {
            schema.roles.insert(pick(["Editor", "test role", "Übersicht", "grant", "a", "x-y"]))
        }
        for _ in 0..<Int.random(in: 0...4, using: &self) {
            let type = self.type(roles: schema.roles.sorted())
            schema.types[type.name] = type
        }
        return schema
    }

    private mutating func type(roles: [String]) -> TypeSchema {
        let name = pick(["Party", "Clown", "sortable", "cloudkit.share", "T_1", "Record", "Users"])
        var type = TypeSchema(name: name, systemIndexes: [:], grants: Grants())
        for field in SystemField.inSchemas where Bool.random(using: &self) {
            type.systemIndexes[field] = pick([.queryable, .sortable, [.queryable, .sortable]])
        }
        for _ in 0..<Int.random(in: 0...8, using: &self) {
            let name = pick(["name", "grant", "Queryable", "read", "list", "cloudkit.title", "n0", "z"])
            type.fields[name] = field()
        }
        for role in Role.systemRoles + roles.map(Role.custom) where Bool.random(using: &self) {
            type.grants[role] = Set(Permission.allCases.filter { _ in Bool.random(using: &self) })
        }
        return type
    }

    private mutating func field() -> FieldSchema {
        let scalar = pick(ScalarType.allCases)
        let type = Bool.random(using: &self) ? FieldType.scalar(scalar) : .list(scalar)
        if Int.random(in: 0..<6, using: &self) == 0 {
            let double = type.isList ? FieldType.list(.double) : .scalar(.double)
            let isSettled = Bool.random(using: &self)
            return FieldSchema(type: double, indexes: [], number: isSettled ? .preferred : .unsettled)
        }
        if scalar != .asset, scalar != .reference, Int.random(in: 0..<4, using: &self) == 0 {
            return FieldSchema(type: type, isEncrypted: true, indexes: [])
        }
        let all: [IndexSet] = [.queryable, .sortable, .searchable]
        let wanted = all.filter { _ in Bool.random(using: &self) }
        return FieldSchema(type: type, indexes: IndexSet(wanted).intersection(.possible(for: type)))
    }
}
