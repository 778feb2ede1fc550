package import Records

/// A query that `QueryRules` has checked against a schema; any store can answer it.
package struct QueryPlan: Hashable, Sendable {
    /// One criterion of the order.
    package struct Order: Hashable, Sendable {
        package enum Key: Hashable, Sendable {
            /// The order of creation, which is the order of creation times.
            case ordinal
            /// The order of the last change, which is the order of modification times.
            case sequence
            case recordName
            case createdBy
            case modifiedBy
            case parent
            case field(String)
            /// By distance, nearest first when ascending. Records without the field come last in both
            /// directions.
            case distance(field: String, from: Location)
        }

        package var key: Key
        package var ascending: Bool

        package init(_ key: Key, ascending: Bool) {
            self.key = key
            self.ascending = ascending
        }

        /// Whether this key differs between all records, so that further criteria do not matter.
        package var isUnique: Bool { key == .ordinal || key == .sequence }
    }

    package var recordType: String
    package var filters: [Filter]
    /// Ends with a unique key.
    package var order: [Order]
    /// nil means all zones of the database.
    package var zone: String?
    package var limit: Int
    /// A page ends early with the record whose fields bring the total to this many bytes.
    package var bytes: Int
    package var cursor: QueryCursor?
    /// The record type against which the query was checked. Before it answers, a store creates missing
    /// indexes of this type. A search without a field name searches the fields that are searchable here.
    package var schema: TypeSchema?
    /// Whether the page has the zone's token.
    package var wantsToken = false
    /// A person who takes part in shares of records in the zone. The query finds only records that a share
    /// covers in which the person takes part. nil: it finds all records.
    package var participant: String?
    /// The kind of asset URLs in the answer, whose length counts towards `bytes`.
    package var addresses = AssetAddress.plain

    package init(
        recordType: String,
        filters: [Filter] = [],
        order: [Order] = [Order(.ordinal, ascending: true)],
        zone: String? = ZoneID.defaultName,
        limit: Int,
        bytes: Int = .max,
        cursor: QueryCursor? = nil,
        schema: TypeSchema? = nil
    ) {
        self.recordType = recordType
        self.filters = filters
        self.order = order
        self.zone = zone
        self.limit = limit
        self.bytes = bytes
        self.cursor = cursor
        self.schema = schema
    }

    /// The number of values with which the filters compare.
    package var valueCount: Int { filters.reduce(0) { $0 + $1.value.elements.count } }

    /// The names of the fields that a search without a field name searches, sorted.
    package var searchableFields: [String] {
        guard let schema else { return [] }
        return schema.fields.filter { $0.value.isSearchable }.map(\.key).sorted()
    }

    /// The names of the fields by which the plan selects and sorts records. One can occur several times.
    package var fieldNames: [String] {
        var names = filters.contains { $0.key == nil } ? searchableFields : []
        for filter in filters {
            if case .field(let name) = filter.key { names.append(name) }
        }
        for criterion in order {
            switch criterion.key {
            case .field(let name), .distance(let name, _): names.append(name)
            case .ordinal, .sequence, .recordName, .createdBy, .modifiedBy, .parent: break
            }
        }
        return names
    }
}

extension FieldSchema {
    package var isSearchable: Bool {
        indexes.contains(.searchable) && type == .scalar(.string) && !isEncrypted
    }
}

extension TypeSchema {
    /// The text of a record's field in which searches find words; nil if they find none in the field.
    func searchableText(_ name: String, _ field: Field) -> String? {
        guard case .string(let text) = field.value, !field.isEncrypted, fields[name]?.isSearchable == true
        else { return nil }
        return text
    }

    /// The bytes of the texts in which searches find words.
    func searchableBytes(of record: Fields) -> Int {
        record.reduce(0) { $0 + (searchableText($1.0, $1.1)?.utf8.count ?? 0) }
    }
}

/// A page of the records that a plan selects.
package struct QueryPage: Hashable, Sendable {
    /// The records in order. Consecutive records of the same zone form one run.
    package var runs: [PackedChanges]
    /// The position of the next page; nil after the last page.
    package var cursor: QueryCursor?
    /// The zone's token as of the moment at which the page was read; nil if it was not wanted, for the
    /// default zone, and for a query of all zones.
    package var token: ChangeToken?

    package init(runs: [PackedChanges], cursor: QueryCursor?, token: ChangeToken? = nil) {
        self.runs = runs
        self.cursor = cursor
        self.token = token
    }

    package init(
        records: some Sequence<StoredRecord>, _ addresses: AssetAddress = .plain, cursor: QueryCursor?,
        token: ChangeToken? = nil
    ) {
        self.init(runs: PackedChanges.runs(of: records, addresses), cursor: cursor, token: token)
    }

    /// All records, unpacked.
    package var records: [StoredRecord] { runs.flatMap(\.records) }

    package var count: Int { runs.reduce(0) { $0 + $1.count } }
}
