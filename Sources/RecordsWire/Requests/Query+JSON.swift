import Records

extension Query {
    /// Decodes a query dictionary. A single filter or sort criterion does not need an array. `limits` is nil
    /// for the queries of stored subscriptions, whose lists may have any length.
    init(_ node: JSONNode, home: ZoneID?, _ limits: Limits?) throws(RecordError) {
        let dictionary = try node.object()
        self.init(recordType: try dictionary.required("recordType").string())
        if let filters = dictionary["filterBy"] {
            if filters.kind == .object {
                if let limits {
                    try Self.checkValues(filters["fieldValue"]?["value"]?.elementCount ?? 0, limits)
                }
                self.filters = [try Filter(filters, home: home)]
            } else {
                if let limits { try Self.checkFilters(filters.elementCount, limits) }
                var values = 0
                for filter in try filters.array() {
                    values += filter["fieldValue"]?["value"]?.elementCount ?? 0
                    if let limits { try Self.checkValues(values, limits) }
                    self.filters.append(try Filter(filter, home: home))
                }
            }
        }
        if let sorts = dictionary["sortBy"] {
            if sorts.kind == .object {
                self.sorts = [try Sort(sorts)]
            } else {
                if let limits { try Self.checkSorts(sorts.elementCount, limits) }
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
