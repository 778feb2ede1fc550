import Records

extension QueryKey {
    /// Reads `fieldName` or `systemFieldName`; nil when there is neither.
    ///
    /// Each accepts every spelling of a system field, but for the plain words that fields of an
    /// app may well have as names: those are system fields under `systemFieldName` only.
    init?(_ node: JSONNode) throws(RecordError) {
        if let key = node["systemFieldName"] {
            guard let field = SystemField(spelling: try key.string()) else {
                throw key.unexpected(nextStep: "Use fieldName for fields of your own.")
            }
            self = .system(field)
            return
        }
        guard let name = try node["fieldName"]?.string() else { return nil }
        let isOrdinary = Self.ordinaryWords.contains(name)
        self = isOrdinary ? .field(name) : SystemField(spelling: name).map(QueryKey.system) ?? .field(name)
    }

    private static let ordinaryWords: Set<String> = ["parent", "share"]

    func writeMember(to json: inout JSONWriter) {
        switch self {
        case .field(let name): json.member("fieldName", name)
        case .system(let field): json.member("systemFieldName", field.wireName)
        }
    }
}
