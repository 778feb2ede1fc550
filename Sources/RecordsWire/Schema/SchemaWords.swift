// Owns the names that types, indexes and system fields have in the schema language.

import Records

extension ScalarType {
    /// The types in the order of their names, as refusals list them.
    static let inSchemas = allCases.sorted { $0.schemaName < $1.schemaName }

    static let encryptable = inSchemas.filter { $0 != .asset && $0 != .reference }

    /// The protocol's name, but for assets.
    var schemaName: String { self == .asset ? "ASSET" : "\(name)" }
}

extension FieldSchema {
    /// The type as schemas spell it, `LIST<STRING>` for one.
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
    /// In the order in which exported schemas list them.
    static let keywords: [(IndexSet, String)] = [
        (.queryable, "QUERYABLE"), (.searchable, "SEARCHABLE"), (.sortable, "SORTABLE"),
    ]

    /// The indexes as schemas spell them, with blanks between.
    package var schemaNames: String {
        Self.keywords.filter { contains($0.0) }.map(\.1).joined(separator: " ")
    }
}

/// The fields that every type has without being asked.
enum SystemFieldName {
    /// In the order of their names.
    static let all: [(name: String, type: ScalarType)] = [
        ("___createTime", .timestamp), ("___createdBy", .reference), ("___etag", .string),
        ("___modTime", .timestamp), ("___modifiedBy", .reference), ("___recordID", .reference),
    ]

    static let types = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0.type) })
}
