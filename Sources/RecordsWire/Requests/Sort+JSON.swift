import Records

extension Sort {
    /// Reads a sort dictionary. The place may stand bare or as a field value.
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
