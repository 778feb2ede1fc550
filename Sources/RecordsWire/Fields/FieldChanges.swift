import Records

/// The content of a `fields` object in a request.
struct FieldChanges {
    /// The fields with a value.
    private(set) var fields = Fields()
    /// The names of the fields to clear, sorted by their bytes, without duplicates.
    private(set) var removed: [String] = []

    /// Decodes a `fields` object. If a name occurs twice, the last value counts.
    init(_ node: JSONNode, home: ZoneID?) throws(RecordError) {
        let reader = FieldReader(home: home)
        var entries: [(name: String, field: Field?)] = []
        var isAscending = true
        for (key, value) in node.members {
            let name = try key.string()
            if let last = entries.last { isAscending = isAscending && last.name.precedesInBytes(name) }
            entries.append((name, try reader.field(value)))
        }
        if isAscending {
            for entry in entries { add(entry.name, entry.field) }
        } else if entries.count <= 64 {
            insertEach(entries)
        } else {
            insertSorted(entries)
        }
    }

    /// Inserts entry by entry, which is fastest for the few fields that most records have.
    private mutating func insertEach(_ entries: [(name: String, field: Field?)]) {
        for (name, field) in entries {
            fields[name] = field
            if !removed.isEmpty { removed.removeAll { $0 == name } }
            if field == nil { removed.append(name) }
        }
        removed.sort { $0.precedesInBytes($1) }
    }

    /// Sorts the entries first, because single insertions take quadratic time for long unsorted lists.
    private mutating func insertSorted(_ entries: [(name: String, field: Field?)]) {
        let order = entries.indices.sorted { first, second in
            if entries[first].name.precedesInBytes(entries[second].name) { return true }
            return first < second && !entries[second].name.precedesInBytes(entries[first].name)
        }
        for (position, index) in order.enumerated() {
            let following = position + 1 < order.count ? entries[order[position + 1]].name : nil
            let isLast = following.map { entries[index].name.precedesInBytes($0) } ?? true
            if isLast { add(entries[index].name, entries[index].field) }
        }
    }

    private mutating func add(_ name: String, _ field: Field?) {
        if let field { fields[name] = field } else { removed.append(name) }
    }
}
