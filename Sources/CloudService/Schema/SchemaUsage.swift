import RecordStore
package import Records
import Synchronization

/// The fields that were saved in one container and environment, and one query of each shape that succeeded
/// there. A schema can be checked against them.
package struct SchemaUsage: Sendable {
    /// Field names, by record type.
    private var saved: [String: Set<String>] = [:]
    private var queries: [QueryShape: Query] = [:]

    /// Maximal number of query shapes; an app typically has dozens.
    private static let queryLimit = 1000

    package init() {}

    package var isEmpty: Bool { saved.isEmpty && queries.isEmpty }

    /// Adds saves that succeeded.
    package mutating func add(_ saves: some Sequence<(type: String, fields: Fields)>) {
        var last: (type: String, names: [String])?
        for (type, fields) in saves {
            // The records of a batch mostly have the same fields.
            if let last, last.type == type, last.names == fields.names { continue }
            last = (type, fields.names)
            if saved[type]?.isSuperset(of: fields.names) == true { continue }
            saved[type, default: []].formUnion(fields.names)
        }
    }

    /// Adds a query that succeeded.
    package mutating func add(_ query: Query) {
        let shape = QueryShape(query)
        if queries[shape] == nil, queries.count < Self.queryLimit { queries[shape] = query.withoutValues }
    }

    /// The types, fields and indexes that a schema lacks for these saves and queries; `real` is the schema
    /// under which they succeeded.
    package func gaps(in schema: Schema, real: Schema) -> SchemaGaps {
        var gaps = SchemaGaps(schema: schema, basis: .use)
        for (type, fields) in saved.sorted(by: { $0.key.precedesInBytes($1.key) }) {
            gaps.require(type, of: real)
            for field in fields.sorted(by: { $0.precedesInBytes($1) }) {
                gaps.require(field, of: type, of: real)
            }
        }
        for query in queries.values.sorted(by: { $0.recordType.precedesInBytes($1.recordType) }) {
            gaps.require(query, of: real)
        }
        return gaps
    }
}

extension Query {
    /// The query with empty values of the same types, because a value may be as large as a request.
    fileprivate var withoutValues: Query {
        var query = self
        for index in query.filters.indices { query.filters[index].value = query.filters[index].value.emptied }
        return query
    }
}

extension SchemaGaps {
    /// Adds missing indexes one by one until the query is possible.
    mutating func require(_ query: Query, of real: Schema) {
        require(query.recordType, of: real)
        for case .field(let name) in query.filters.map(\.key) + query.sorts.map(\.key) {
            require(name, of: query.recordType, of: real)
        }
        while let missing = missingIndex(of: query) {
            // A field of another type is reported already.
            if let used = real.types[query.recordType]?.fields[missing.field],
                schema.types[query.recordType]?.fields[missing.field]?.accepts(used) != true
            {
                return
            }
            var gap = missing.gap
            gap.isRepaired = add(missing)
            insert(gap)
            if !gap.isRepaired { return }
        }
    }

    private struct MissingIndex {
        var gap: SchemaGap
        var field: String
        var index: IndexSet
    }

    private func missingIndex(of query: Query) -> MissingIndex? {
        // The rules call the closure only when an index is missing, to name the command that adds it.
        let asked = Mutex<(field: String, index: String)?>(nil)
        let rules = QueryRules { _, field, index in
            asked.withLock { $0 = (field, index) }
            return ""
        }
        do throws(RecordError) {
            _ = try rules.plan(query, zone: nil, limit: nil, in: schema)
            return nil
        } catch {
            guard let asked = asked.withLock({ $0 }) else { return nil }
            let reason = "Field '\(asked.field)' of type '\(query.recordType)' was queried and is not "
            return MissingIndex(
                gap: SchemaGap(
                    type: query.recordType, field: asked.field, index: asked.index,
                    reason: reason + "marked \(asked.index)"
                ),
                field: asked.field, index: IndexSet.kinds[asked.index] ?? []
            )
        }
    }

    /// Adds the missing index. Returns false when the field cannot have it.
    private mutating func add(_ missing: MissingIndex) -> Bool {
        let type = missing.gap.type
        let before = schema
        if let system = SystemField(spelling: missing.field) {
            schema.types[type]?.systemIndexes[system, default: []].formUnion(missing.index)
        } else {
            schema.types[type]?.fields[missing.field]?.indexes.formUnion(missing.index)
        }
        return schema != before
    }
}

/// The parts of a query that determine which indexes it needs.
private struct QueryShape: Hashable {
    private struct Condition: Hashable {
        var key: QueryKey?
        var comparator: Comparator
    }

    private struct Criterion: Hashable {
        var key: QueryKey
        var isDistance: Bool
    }

    private let type: String
    private let conditions: [Condition]
    private let criteria: [Criterion]

    init(_ query: Query) {
        type = query.recordType
        conditions = query.filters.map { Condition(key: $0.key, comparator: $0.comparator) }
        criteria = query.sorts.map { Criterion(key: $0.key, isDistance: $0.relativeTo != nil) }
    }
}
