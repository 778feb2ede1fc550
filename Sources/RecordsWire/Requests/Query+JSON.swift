// Owns the spelling of queries.

import Records

extension Query {
    /// Reads a query dictionary (sheet 3.9). A single filter need not stand in a list.
    init(_ node: JSONNode, home: ZoneID?) throws(RecordError) {
        let dictionary = try node.object()
        self.init(recordType: try dictionary.required("recordType").string())
        if let filters = dictionary["filterBy"] {
            if filters.kind == .object {
                self.filters = [try Filter(filters, home: home)]
            } else {
                for filter in try filters.array() { self.filters.append(try Filter(filter, home: home)) }
            }
        }
        if let sorts = dictionary["sortBy"] {
            if sorts.kind == .object {
                self.sorts = [try Sort(sorts)]
            } else {
                for sort in try sorts.array() { self.sorts.append(try Sort(sort)) }
            }
        }
    }

    func write(to json: inout JSONWriter) {
        json.beginObject()
        json.member("recordType", recordType)
        if !filters.isEmpty { json.list("filterBy", filters) { $0.write(to: &$1) } }
        if !sorts.isEmpty { json.list("sortBy", sorts) { $0.write(to: &$1) } }
        json.endObject()
    }
}
