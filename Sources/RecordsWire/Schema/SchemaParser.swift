package import Records

extension SchemaSource {
    /// Parses a schema text (`.ckdb`) and records the position of each part.
    ///
    /// Throws `badRequest` for an invalid text. The reason names line, column and the expected tokens.
    package init(text: [UInt8]) throws(RecordError) {
        var parser = try SchemaParser(text)
        self = try parser.schema()
    }
}

extension Schema {
    /// Parses a schema text (`.ckdb`). Throws as `SchemaSource.init(text:)` does.
    package init(text: String) throws(RecordError) {
        self = try SchemaSource(text: Array(text.utf8)).schema
    }
}

/// A recursive descent parser for one schema text.
///
/// ```
/// schema := DEFINE SCHEMA { ( role | type ) ";" }
/// role   := CREATE ROLE name
/// type   := RECORD TYPE name "(" [ item { "," item } ] ")"
/// ```
struct SchemaParser {
    private var lexer: SchemaLexer
    private(set) var token: SchemaToken
    private var source = SchemaSource(Schema())
    /// The roles in grants, each with its first position. They may be created later in the text.
    private var grantees: [(name: String, place: TextPlace)] = []

    init(_ text: [UInt8]) throws(RecordError) {
        // A byte order mark has no meaning in UTF-8.
        lexer = SchemaLexer(text.starts(with: [0xef, 0xbb, 0xbf]) ? Array(text.dropFirst(3)) : text)
        token = try lexer.next()
    }

    mutating func schema() throws(RecordError) -> SchemaSource {
        try expect("DEFINE")
        try expect("SCHEMA")
        while token.kind != .end {
            if token.isKeyword("CREATE") {
                try role()
            } else if token.isKeyword("RECORD") {
                try type()
            } else {
                throw .unexpected(token, expecting: ["\"CREATE\"", "\"RECORD\"", "<EOF>"])
            }
            try expect(sign: ";")
        }
        for (name, place) in grantees where !source.schema.roles.contains(name) {
            throw .schema("Role \"\(name)\" is granted something and not created", at: place, culprit: name)
        }
        return source
    }

    private mutating func role() throws(RecordError) {
        try advance()
        try expect("ROLE")
        let (name, place) = try roleName()
        guard Role.canBeNamed(name) else {
            throw .schema("Role \"\(name)\" cannot be created", at: place, culprit: name)
        }
        guard source.schema.roles.insert(name).inserted else {
            throw .schema("Role \"\(name)\" is created twice", at: place, culprit: name)
        }
        source.places[.role(name)] = place
    }

    private mutating func type() throws(RecordError) {
        try advance()
        try expect("TYPE")
        let (name, place) = try self.name("a record type")
        guard SchemaName.isLegal(name) else {
            throw .schema("\"\(name)\" cannot be a record type", at: place, culprit: name)
        }
        if source.schema.types[name] != nil {
            throw .schema("Record type \"\(name)\" is defined twice", at: place, culprit: name)
        }
        source.places[.type(name)] = place
        var draft = SchemaTypeDraft(name: name)
        try expect(sign: "(")
        if !token.isSign(")") {
            try item(of: &draft)
            while token.isSign(",") {
                try advance()
                try item(of: &draft)
            }
        }
        try expect(sign: ")", or: [","])
        for (field, place) in draft.places { source.places[.field(field, of: name)] = place }
        grantees += draft.grantees
        source.schema.types[name] = draft.type
    }

    private mutating func item(of draft: inout SchemaTypeDraft) throws(RecordError) {
        if token.isKeyword("GRANT") {
            try grant(in: &draft)
        } else {
            try field(of: &draft)
        }
    }

    // MARK: Tokens

    mutating func advance() throws(RecordError) {
        token = try lexer.next()
    }

    mutating func expect(_ keyword: String) throws(RecordError) {
        guard token.isKeyword(keyword) else { throw .unexpected(token, expecting: ["\"\(keyword)\""]) }
        try advance()
    }

    mutating func expect(sign: String, or others: [String] = []) throws(RecordError) {
        guard token.isSign(sign) else {
            throw .unexpected(token, expecting: ([sign] + others).map { "\"\($0)\"" })
        }
        try advance()
    }

    /// Consumes a name, quoted or not.
    mutating func name(
        _ kind: String, or others: [String] = []
    ) throws(RecordError) -> (name: String, place: TextPlace) {
        guard token.kind == .quoted || token.isPlainName else {
            throw .unexpected(token, expecting: others + ["the name of \(kind)"])
        }
        let taken = (token.text, token.place)
        try advance()
        return taken
    }

    mutating func roleName() throws(RecordError) -> (name: String, place: TextPlace) {
        try name("a role")
    }
}
