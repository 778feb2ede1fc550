// Owns what a request says about the fields of a record.

import Records

/// What a `fields` object in a request says.
struct FieldChanges {
    /// Fields that have a value.
    var fields = Fields()
    /// Names of fields that are cleared, each once.
    var removed: [String] = []

    /// Reads a `fields` object; the last of equal names counts.
    init(_ node: JSONNode, home: ZoneID?) throws(RecordError) {
        let reader = FieldReader(home: home)
        for (key, value) in node.members {
            let name = try key.string()
            let field = try reader.field(value)
            if !removed.isEmpty { removed.removeAll { $0 == name } }
            if field == nil { removed.append(name) }
            if field != nil || fields[name] != nil { fields[name] = field }
        }
    }
}
