import Records

/// What a `fields` object in a request says.
struct FieldChanges {
    /// Fields that have a value.
    private(set) var fields = Fields()
    /// Names of fields that are cleared, each once, in the order of their bytes.
    private(set) var removed: [String] = []

    /// Reads a `fields` object; the last of equal names counts.
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
            for entry in entries { take(entry.name, entry.field) }
        } else if entries.count <= 64 {
            takeFew(entries)
        } else {
            takeMany(entries)
        }
    }

    /// Puts each where it belongs, which is quickest for the few fields that records have.
    private mutating func takeFew(_ entries: [(name: String, field: Field?)]) {
        for (name, field) in entries {
            fields[name] = field
            if !removed.isEmpty { removed.removeAll { $0 == name } }
            if field == nil { removed.append(name) }
        }
        removed.sort { $0.precedesInBytes($1) }
    }

    /// Sorts first: inserting would let a long list in the worst order cost the square of its length.
    private mutating func takeMany(_ entries: [(name: String, field: Field?)]) {
        let order = entries.indices.sorted { first, second in
            if entries[first].name.precedesInBytes(entries[second].name) { return true }
            return first < second && !entries[second].name.precedesInBytes(entries[first].name)
        }
        for (position, index) in order.enumerated() {
            let following = position + 1 < order.count ? entries[order[position + 1]].name : nil
            let isLast = following.map { entries[index].name.precedesInBytes($0) } ?? true
            if isLast { take(entries[index].name, entries[index].field) }
        }
    }

    private mutating func take(_ name: String, _ field: Field?) {
        if let field { fields[name] = field } else { removed.append(name) }
    }
}
