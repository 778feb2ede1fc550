import Records

/// The values of the page of a record type.
struct TypeView: Sendable {
    struct FieldRow: Sendable {
        var field: String
        var fieldType: String
        var indexes: [Choice]
        var indexWords: String
        /// What the entries of the field take up; empty for a field without indexes.
        var space: String
        /// The address of the page of the field's indexes; nil for a field without indexes.
        var spaceHref: String?
        var isOwn: Bool
        var canIndex: Bool
    }

    /// A checkbox.
    struct Choice: Sendable {
        var id: String
        var name: String
        var value: String
        var label: String
        var isOn: Bool
    }

    struct Space: Sendable {
        var records: String
        var recordSize: String
        var fileSize: String
        var indexSize: String
        /// The size of the words of all searchable fields together; nil if there are none.
        var wordSize: String?
    }

    struct GrantRow: Sendable {
        var grantRole: String
        var cells: [Choice]
    }

    var action: String
    var csrfToken: String
    var recordsHref: String
    var rolesHref: String
    var mayChange: Bool
    var mayDelete: Bool
    var rows: [FieldRow]
    var pages: [PageLink]
    /// What the type takes up in the public database; nil if it is not known.
    var space: Space?
    var permissions: [String]
    var grants: [GrantRow]
    /// The number of roles for which the page has no room; nil if it shows all.
    var hiddenRoles: Int?
    var typeNames: [PageLink]
    var typedField: String

    /// The maximum number of fields, and of roles, on one page.
    private static let pageSize = 25

    /// - Parameter known: what the type takes up in the public database; nil if it is not known.
    init(
        _ type: TypeSchema, _ known: TypeSpace?, roles: Set<String>, _ request: ScreenRequest,
        _ place: ConsolePlace
    ) {
        action = place.path("type", [("name", type.name)])
        csrfToken = request.csrfToken
        recordsHref = place.path("records", [("type", type.name)])
        rolesHref = place.path("roles")
        mayChange = place.isDevelopment && request.may(.developer)
        mayDelete = mayChange && type.name != TypeSchema.users.name
        let own = type.fields.sorted { $0.key.precedesInBytes($1.key) }
        let all = Self.systemRows(type) + own.enumerated().map { Self.row($0.offset, $0.element) }
        let slice = ListSlice(all, from: request.query["from"], size: Self.pageSize)
        // The names of types and fields are identifiers, which an address contains as they are.
        rows = slice.elements.map { row in
            var row = row
            let indexes = type.allIndexes(of: row.field)
            if indexes.isEmpty { return row }
            row.spaceHref = place.path("indexes", [("type", type.name), ("field", row.field)])
            row.space = Self.space(of: row.field, indexes, known)
            return row
        }
        pages = slice.links(action)
        space = known.map { known in
            Space(
                records: known.records.numberText, recordSize: known.recordBytes.bytesText,
                fileSize: known.assetBytes.bytesText,
                indexSize: known.indexBytes?.bytesText ?? SpaceFigure.unknown,
                wordSize: known.wordBytes?.bytesText)
        }
        permissions = Permission.allCases.map(\.rawValue)
        let custom = roles.sorted { $0.precedesInBytes($1) }.map(Role.custom)
        // The page contains each name eleven times.
        var budget = PageTextBudget(bytes: 1500)
        let shown = (Role.systemRoles + custom).prefix(Self.pageSize)
            .filter { budget.whole($0.name, bytes: 255) != nil }
        let hidden = Role.systemRoles.count + custom.count - shown.count
        hiddenRoles = hidden > 0 ? hidden : nil
        grants = shown.enumerated().map { index, role in
            GrantRow(
                grantRole: role.name,
                cells: Permission.allCases.map { permission in
                    Choice(
                        id: "grant-\(index)-\(permission.rawValue)", name: "grant",
                        value: "\(permission.rawValue) \(role.name)",
                        label: "\(permission.rawValue) to \(role.name)",
                        isOn: type.grants[role].contains(permission))
                })
        }
        typeNames = FieldType.allCases.map { PageLink(href: "", label: $0.name) }
        typedField = request.typed("field")
    }

    /// The entries of a field have a size of their own; words are those of all searchable fields together.
    private static func space(of field: String, _ indexes: IndexSet, _ known: TypeSpace?) -> String {
        guard let known else { return SpaceFigure.unknown }
        if indexes == .searchable { return "words" }
        let size = known.indexBytes(of: field)?.bytesText ?? SpaceFigure.unknown
        return indexes.contains(.searchable) ? "\(size), and words" : size
    }

    private static func systemRows(_ type: TypeSchema) -> [FieldRow] {
        SystemField.inSchemas.enumerated().map { index, field in
            let indexes = type.indexes(of: field)
            return FieldRow(
                field: field.wireName, fieldType: "\(field.type.name)",
                indexes: choices("s\(index)", field.wireName, indexes, .possible(for: .scalar(field.type))),
                indexWords: words(indexes), space: "", isOwn: false, canIndex: true)
        }
    }

    private static func row(_ index: Int, _ field: (key: String, value: FieldSchema)) -> FieldRow {
        let schema = field.value
        let possible: IndexSet = schema.isEncrypted ? [] : .possible(for: schema.type)
        return FieldRow(
            field: field.key, fieldType: (schema.isEncrypted ? "ENCRYPTED " : "") + schema.type.name,
            indexes: choices("f\(index)", field.key, schema.indexes, possible),
            indexWords: words(schema.indexes), space: "", isOwn: true, canIndex: !possible.isEmpty)
    }

    /// The indexes by name, in the order of the page.
    static let indexNames: [(String, IndexSet)] = [
        ("queryable", .queryable), ("sortable", .sortable), ("searchable", .searchable),
    ]

    private static func choices(
        _ id: String, _ field: String, _ indexes: IndexSet, _ possible: IndexSet
    ) -> [Choice] {
        indexNames.filter { possible.contains($0.1) }.map { name, index in
            Choice(
                id: "\(id)-\(name)", name: "index", value: name, label: name, isOn: indexes.contains(index))
        }
    }

    private static func words(_ indexes: IndexSet) -> String {
        indexNames.filter { indexes.contains($0.1) }.map(\.0).joined(separator: ", ")
    }
}
