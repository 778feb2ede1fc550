import Records
import RecordsWire

extension SeededGenerator {
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

    private mutating func pick<T>(_ choices: [T]) -> T {
        choices[Int.random(in: 0..<choices.count, using: &self)]
    }

    /// Changes, removes, duplicates, swaps or inserts a part of the text.
    mutating func damageSchema(_ bytes: inout [UInt8]) {
        guard !bytes.isEmpty else { return }
        let at = Int.random(in: 0..<bytes.count, using: &self)
        let end = min(bytes.count, at + Int.random(in: 1...12, using: &self))
        switch Int.random(in: 0..<5, using: &self) {
        case 0: bytes[at] = UInt8(truncatingIfNeeded: next())
        case 1: bytes.removeSubrange(at..<end)
        case 2: bytes.insert(contentsOf: bytes[at..<end], at: at)
        case 3:
            let words = [
                "GRANT", " TO ", "\"", ";", ",", "(", ")", "LIST<", "/*", "*/", "--", "\u{2028}", "é", "\0",
                "NUMBER PREFERRED", "RECORD TYPE", "\r", "\r\n", "\"___", "ENCRYPTED ", "<", ".",
            ]
            bytes.replaceSubrange(at..<end, with: pick(words).utf8)
        default: bytes.swapAt(at, Int.random(in: 0..<bytes.count, using: &self))
        }
    }
}
