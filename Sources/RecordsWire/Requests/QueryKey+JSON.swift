import Records

extension QueryKey {
    /// Decodes `fieldName` or `systemFieldName`; nil if both are absent.
    ///
    /// Both accept every spelling of a system field. The exceptions are words that apps may use as field
    /// names: these name system fields only under `systemFieldName`.
    init?(_ node: JSONNode) throws(RecordError) {
        if let key = node["systemFieldName"] {
            guard let field = SystemField(spelling: try key.string()) else {
                throw key.unexpected(nextStep: "use fieldName for fields of your own")
            }
            self = .system(field)
            return
        }
        guard let name = try node["fieldName"]?.string() else { return nil }
        let isAmbiguous = Self.ambiguousNames.contains(name)
        self = isAmbiguous ? .field(name) : SystemField(spelling: name).map(QueryKey.system) ?? .field(name)
    }

    private static let ambiguousNames: Set<String> = ["parent", "share"]

    func writeMember(to json: inout JSONWriter) {
        switch self {
        case .field(let name): json.member("fieldName", name)
        case .system(let field): json.member("systemFieldName", field.wireName)
        }
    }
}
