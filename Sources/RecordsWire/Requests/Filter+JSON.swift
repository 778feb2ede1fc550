import Records

extension Filter {
    /// Decodes a filter dictionary.
    init(_ node: JSONNode, home: ZoneID?) throws(RecordError) {
        let dictionary = try node.object()
        let comparator = try Comparator(dictionary.required("comparator"))
        let key = try QueryKey(dictionary)
        guard key != nil || comparator == .containsAllTokens || comparator == .containsAnyTokens else {
            throw dictionary.missing("fieldName")
        }
        let value = try Self.value(dictionary.required("fieldValue"), for: key, home: home)
        self.init(key, comparator, value)
        guard comparator == .near else { return }
        let distance = try dictionary.required("distance")
        self.distance = try distance.double()
        if try distance.double() < 0 { throw distance.unexpected() }
    }

    private static func value(
        _ node: JSONNode, for key: QueryKey?, home: ZoneID?
    ) throws(RecordError) -> FieldValue {
        guard let field = try FieldReader(home: home).field(node) else { throw node.missing("value") }
        guard case .system(let system) = key else { return field.value }
        return field.value.converted(to: system.type)
    }

    func write(to json: inout JSONWriter) {
        json.beginObject()
        json.member("comparator", comparator.rawValue)
        key?.writeMember(to: &json)
        json.key("fieldValue")
        var writer = FieldWriter(form: .request)
        writer.write(Field(value), named: "", to: &json)
        json.member("distance", distance)
        json.endObject()
    }
}

extension FieldValue {
    /// The value converted to a system field's type: numbers become timestamps, and strings become
    /// references.
    fileprivate func converted(to type: ScalarType) -> FieldValue {
        switch (self, type) {
        case (.int64(let number), .timestamp): .timestamp(Timestamp(milliseconds: number))
        case (.string(let name), .reference): .reference(Reference(recordName: name))
        case (.list(let element, let values), _) where element == .int64 || element == .string:
            element == .int64 && type == .timestamp || element == .string && type == .reference
                ? .list(type, values.map { $0.converted(to: type) }) : self
        default: self
        }
    }
}

extension Comparator {
    /// Decodes a comparator, including spellings of other clients.
    fileprivate init(_ node: JSONNode) throws(RecordError) {
        let name = try node.string()
        switch name {
        case "CONTAINS_ANY": self = .listContainsAny
        case "LIST_NOT_CONTAINS_ANY": self = .notListContainsAny
        default:
            guard let comparator = Comparator(rawValue: name) else { throw node.unexpected() }
            self = comparator
        }
    }
}
