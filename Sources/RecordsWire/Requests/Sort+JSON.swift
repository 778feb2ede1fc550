import Records

extension Sort {
    /// Decodes a sort dictionary. `relativeLocation` may be a location or a field dictionary.
    init(_ node: JSONNode) throws(RecordError) {
        let dictionary = try node.object()
        guard let key = try QueryKey(dictionary) else { throw dictionary.missing("fieldName") }
        self.init(key, ascending: try dictionary["ascending"]?.bool() ?? true)
        guard let place = dictionary["relativeLocation"] else { return }
        relativeTo = try Location(place["value"] ?? place)
    }

    func write(to json: inout JSONWriter) {
        json.beginObject()
        key.writeMember(to: &json)
        json.member("ascending", ascending)
        if let relativeTo {
            json.key("relativeLocation")
            relativeTo.write(to: &json)
        }
        json.endObject()
    }
}
