package import Records

/// Checks queries against a record type and turns them into plans.
package struct QueryRules: Sendable {
    /// Returns the command that adds an index to a field, for the error that says the index is missing.
    package typealias IndexCommand = @Sendable (_ type: String, _ field: String, _ index: String) -> String

    package var limits: Limits
    package var indexCommand: IndexCommand

    package init(
        limits: Limits = Limits(),
        indexCommand: @escaping IndexCommand = { "cloudlet schema index CONTAINER \($0) \($1) \($2)" }
    ) {
        self.limits = limits
        self.indexCommand = indexCommand
    }

    /// Returns the plan of a query. Throws `badRequest`, `notFound` or `limitExceeded`, with the texts of the
    /// real service where these are known (CloudKit Web Services Reference, *Fetching Records Using a
    /// Query*).
    ///
    /// - Parameter limit: records per page; clamped to 1...`limits.recordsPerResponse`, which nil stands for.
    package func plan(
        _ query: Query, zone: String?, limit: Int?, in schema: Schema
    ) throws(RecordError) -> QueryPlan {
        let type = try type(of: query, in: schema)
        if query.filters.isEmpty, !type.has(.queryable, .system(.recordName)) {
            throw notMarked(.system(.recordName), "queryable", in: type)
        }
        return QueryPlan(
            recordType: query.recordType, filters: try checked(query.filters, in: type, zone: zone),
            order: try order(query.sorts, in: type), zone: zone,
            limit: min(max(limit ?? limits.recordsPerResponse, 1), limits.recordsPerResponse),
            bytes: limits.answerBytes, schema: type
        )
    }

    /// Returns the checked conditions of a subscription's query. A query without conditions needs a queryable
    /// record name; a subscription does not.
    package func conditions(
        of query: Query, zone: String?, in schema: Schema
    ) throws(RecordError) -> [Filter] {
        try checked(query.filters, in: try type(of: query, in: schema), zone: zone)
    }

    private func type(of query: Query, in schema: Schema) throws(RecordError) -> TypeSchema {
        if query.recordType == "Users" {
            throw RecordError(
                .badRequest, "the record type Users cannot be queried", culprit: query.recordType,
                nextStep: "fetch a user record by its record name"
            )
        }
        guard let type = schema.types[query.recordType] else {
            throw RecordError(
                .notFound, "Did not find record type: \(query.recordType)", culprit: query.recordType,
                nextStep: "check the spelling, or save a first record of this type"
            )
        }
        try Query.checkFilters(query.filters.count, limits)
        try Query.checkSorts(query.sorts.count, limits)
        return type
    }

    private func checked(
        _ filters: [Filter], in type: TypeSchema, zone: String?
    ) throws(RecordError) -> [Filter] {
        let rules = FilterRules(type: type, zone: zone, notMarked: { notMarked($0, $1, in: type) })
        var result: [Filter] = []
        try checkCosts(of: filters)
        for filter in filters { result.append(try rules.checked(filter)) }
        return result
    }

    /// Throws `limitExceeded` for conditions that would cost more than a query may, before they are
    /// processed.
    private func checkCosts(of filters: [Filter]) throws(RecordError) {
        var (values, times, characters, words) = (0, 0, 0, 0)
        for filter in filters {
            switch filter.value {
            case .list(_, let elements):
                values += elements.count
                if filter.key == .system(.createdTimestamp) || filter.key == .system(.modifiedTimestamp) {
                    times += elements.count
                }
            case .string(let text) where filter.comparator.isSearch:
                // The length is checked first, so that too long a text is not split into words.
                characters += text.unicodeScalars.count
                try Query.checkSearches(characters: characters, words: words, limits)
                words += textTokens(text).count
            default: break
            }
        }
        try Query.checkValues(values, limits)
        try Query.checkTimes(times, limits)
        try Query.checkSearches(characters: characters, words: words, limits)
    }

    private func notMarked(_ key: QueryKey, _ index: String, in type: TypeSchema) -> RecordError {
        let command = indexCommand(type.name, key.displayName, index)
        return RecordError(
            .badRequest, "Field '\(key.displayName)' is not marked \(index)", culprit: key.displayName,
            nextStep: "leave it out of the query, or mark it in the schema: \(command)"
        )
    }

    // MARK: Order

    /// Returns the sort criteria without repeated keys, up to the first key that differs between all records.
    /// Such a key is appended if there is none.
    private func order(_ sorts: [Sort], in type: TypeSchema) throws(RecordError) -> [QueryPlan.Order] {
        var order: [QueryPlan.Order] = []
        for sort in sorts {
            let key = try key(of: sort, in: type)
            if order.contains(where: { $0.key == key }) { continue }
            order.append(QueryPlan.Order(key, ascending: sort.ascending))
            if order.last?.isUnique == true { return order }
        }
        order.append(QueryPlan.Order(.ordinal, ascending: order.last?.ascending ?? true))
        return order
    }

    private func key(of sort: Sort, in type: TypeSchema) throws(RecordError) -> QueryPlan.Order.Key {
        switch sort.key {
        case .system(let field):
            guard type.has(.sortable, sort.key) else { throw notMarked(sort.key, "sortable", in: type) }
            switch field {
            case .recordName: return .recordName
            case .createdTimestamp: return .ordinal
            case .modifiedTimestamp: return .sequence
            case .createdUserRecordName: return .createdBy
            case .modifiedUserRecordName: return .modifiedBy
            case .parent: return .parent
            case .share: throw notMarked(sort.key, "sortable", in: type)
            }
        case .field(let name):
            guard let field = type.fields[name] else { throw Self.missing(name, in: type) }
            if let place = sort.relativeTo {
                guard field.type == .scalar(.location), !field.isEncrypted else {
                    throw notMarked(sort.key, "sortable", in: type)
                }
                if !field.indexes.contains(.queryable) { throw notMarked(sort.key, "queryable", in: type) }
                return .distance(field: name, from: place)
            }
            guard field.indexes.contains(.sortable), !field.isEncrypted else {
                throw notMarked(sort.key, "sortable", in: type)
            }
            guard field.type.hasOrder else {
                throw RecordError(
                    .badRequest, "Field '\(name)' of type \(field.type.name) has no order", culprit: name,
                    nextStep: "sort by another field; sort places by their distance with relativeLocation"
                )
            }
            return .field(name)
        }
    }

    static func missing(_ field: String, in type: TypeSchema) -> RecordError {
        var error = RecordError(
            .badRequest, "Did not find field: '\(field)' in type: '\(type.name)'", culprit: field,
            nextStep: "check the spelling, or save a record that has this field"
        )
        error.unknownField = field
        return error
    }
}

extension FieldType {
    /// Whether values of this type can be sorted.
    fileprivate var hasOrder: Bool {
        switch self {
        case .scalar(.asset), .scalar(.location), .list: false
        case .scalar: true
        }
    }
}

extension TypeSchema {
    func has(_ index: IndexSet, _ key: QueryKey) -> Bool {
        switch key {
        case .system(let field): indexes(of: field).contains(index)
        case .field(let name): fields[name]?.indexes.contains(index) ?? false
        }
    }
}
