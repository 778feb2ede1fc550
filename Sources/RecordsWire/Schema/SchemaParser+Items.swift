import Records

/// A record type while it is being parsed.
struct SchemaTypeDraft {
    var type: TypeSchema
    /// The position of each field's definition, including system fields.
    var places: [String: TextPlace] = [:]
    var grantees: [(name: String, place: TextPlace)] = []

    init(name: String) {
        type = TypeSchema(name: name, systemIndexes: [:], grants: Grants())
    }
}

/// ```
/// field := name type { QUERYABLE | SORTABLE | SEARCHABLE }
/// grant := GRANT permission { "," permission } TO role
/// ```
extension SchemaParser {
    mutating func grant(in draft: inout SchemaTypeDraft) throws(RecordError) {
        try advance()
        var permissions: Set<Permission> = [try permission()]
        while token.isSign(",") {
            try advance()
            permissions.insert(try permission())
        }
        guard token.isKeyword("TO") else { throw .unexpected(token, expecting: ["\"TO\"", "\",\""]) }
        try advance()
        let (name, place) = try roleName()
        let role = Role(name: name)
        if !role.isSystem { draft.grantees.append((name, place)) }
        draft.type.grants[role].formUnion(permissions)
    }

    private mutating func permission() throws(RecordError) -> Permission {
        for permission in Permission.allCases where token.isKeyword(permission.rawValue) {
            try advance()
            return permission
        }
        throw .unexpected(token, expecting: Permission.allCases.map { "\"\($0.rawValue)\"" })
    }

    mutating func field(of draft: inout SchemaTypeDraft) throws(RecordError) {
        let (name, place) = try self.name("a field", or: ["\"GRANT\""])
        if draft.places.updateValue(place, forKey: name) != nil {
            throw .schema("Field \"\(name)\" is defined twice", at: place, culprit: name)
        }
        let typePlace = token.place
        var field = try fieldType()
        field.indexes = try indexes(of: field, named: name)
        if !name.hasPrefix("_") {
            guard SchemaName.isLegal(name) else {
                throw .schema("\"\(name)\" cannot be a field", at: place, culprit: name)
            }
            draft.type.fields[name] = field
            return
        }
        guard let type = SystemFieldName.types[name] else {
            throw .schema("There is no system field \"\(name)\"", at: place, culprit: name)
        }
        guard field.type == .scalar(type), !field.isEncrypted, field.number == nil else {
            throw .schema(
                "System field \"\(name)\" has the type \(type.schemaName)", at: typePlace, culprit: name
            )
        }
        if field.indexes.isEmpty { return }
        guard let system = SystemField(rawValue: name) else {
            throw .schema("System field \"\(name)\" cannot be indexed", at: place, culprit: name)
        }
        draft.type.systemIndexes[system] = field.indexes
    }

    // MARK: Types

    private mutating func fieldType() throws(RecordError) -> FieldSchema {
        guard token.isKeyword("LIST") else { return try primitive(isElement: false) }
        try advance()
        try expect(sign: "<")
        var field = try primitive(isElement: true)
        try expect(sign: ">")
        field.type = .list(field.type.element)
        return field
    }

    private mutating func primitive(isElement: Bool) throws(RecordError) -> FieldSchema {
        if token.isKeyword("NUMBER") { return try number() }
        if token.isKeyword("ENCRYPTED") {
            try advance()
            let type = try scalar(of: ScalarType.encryptable, or: [])
            return FieldSchema(type: .scalar(type), isEncrypted: true, indexes: [])
        }
        let others = ["ENCRYPTED"] + (isElement ? [] : ["LIST"]) + ["NUMBER"]
        return FieldSchema(type: .scalar(try scalar(of: ScalarType.inSchemas, or: others)), indexes: [])
    }

    private mutating func scalar(
        of types: [ScalarType], or others: [String]
    ) throws(RecordError) -> ScalarType {
        for type in types where token.isKeyword(type.schemaName) {
            try advance()
            return type
        }
        throw .unexpected(
            token, expecting: (types.map(\.schemaName) + others).sorted().map { "\"\($0)\"" }
        )
    }

    private mutating func number() throws(RecordError) -> FieldSchema {
        try advance()
        guard token.isKeyword("PREFERRED") else {
            return FieldSchema(type: .scalar(.double), indexes: [], number: .unsettled)
        }
        try advance()
        try expect("AS")
        let type = try scalar(of: [.double, .int64], or: [])
        return FieldSchema(type: .scalar(type), indexes: [], number: .preferred)
    }

    // MARK: Indexes

    private mutating func indexes(of field: FieldSchema, named name: String) throws(RecordError) -> IndexSet {
        var indexes: IndexSet = []
        let possible: IndexSet = field.isEncrypted ? [] : .possible(for: field.type)
        while true {
            guard let (index, keyword) = IndexSet.keywords.first(where: { token.isKeyword($0.1) }) else {
                break
            }
            guard possible.contains(index) else {
                throw .schema(
                    "Field \"\(name)\" of type \(field.schemaName) cannot be \(keyword)", at: token.place,
                    culprit: name
                )
            }
            indexes.insert(index)
            try advance()
        }
        guard token.isSign(",") || token.isSign(")") else {
            let left = IndexSet.keywords.filter { possible.contains($0.0) && !indexes.contains($0.0) }
            throw .unexpected(token, expecting: ["\",\"", "\")\""] + left.map { "\"\($0.1)\"" })
        }
        return indexes
    }
}
