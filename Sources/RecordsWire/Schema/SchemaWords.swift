// The names of types, indexes and system fields in the schema language.

import Records

extension ScalarType {
    /// All types sorted by name, the order of error texts.
    static let inSchemas = allCases.sorted { $0.schemaName < $1.schemaName }

    static let encryptable = inSchemas.filter { $0 != .asset && $0 != .reference }

    /// The protocol's name, except for assets.
    var schemaName: String { self == .asset ? "ASSET" : "\(name)" }
}

extension FieldSchema {
    /// The type in the schema language, such as `LIST<STRING>`.
    package var schemaName: String {
        let element =
            switch number {
            case .unsettled: "NUMBER"
            case .preferred: "NUMBER PREFERRED AS \(type.element.schemaName)"
            case nil: (isEncrypted ? "ENCRYPTED " : "") + type.element.schemaName
            }
        return type.isList ? "LIST<\(element)>" : element
    }
}

extension IndexSet {
    /// The indexes in the order of exported schemas.
    static let keywords: [(IndexSet, String)] = [
        (.queryable, "QUERYABLE"), (.searchable, "SEARCHABLE"), (.sortable, "SORTABLE"),
    ]

    /// The indexes in the schema language, separated by spaces.
    package var schemaNames: String {
        Self.keywords.filter { contains($0.0) }.map(\.1).joined(separator: " ")
    }
}

/// The system fields, which every type has.
enum SystemFieldName {
    /// The names and types, sorted by name.
    static let all: [(name: String, type: ScalarType)] = [
        ("___createTime", .timestamp), ("___createdBy", .reference), ("___etag", .string),
        ("___modTime", .timestamp), ("___modifiedBy", .reference), ("___recordID", .reference),
    ]

    static let types = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0.type) })
}
