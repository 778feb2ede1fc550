package import Records

/// A query that has been checked against a schema (`QueryRules`) and can be answered by any store.
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
            /// Nearest first when ascending; records without the field come last either way.
            case distance(field: String, from: Location)
        }

        package var key: Key
        package var ascending: Bool

        package init(_ key: Key, ascending: Bool) {
            self.key = key
            self.ascending = ascending
        }

        /// Whether no two records are equal under this key, so that no further criterion matters.
        package var isUnique: Bool { key == .ordinal || key == .sequence }
    }

    package var recordType: String
    package var filters: [Filter]
    /// Ends with a unique key.
    package var order: [Order]
    /// nil: all zones of the database.
    package var zone: String?
    package var limit: Int
    /// The bytes of fields with which a page ends before that.
    package var bytes: Int
    package var cursor: QueryCursor?
    /// The type as the question was checked against it. A store makes the indexes that it lacks before it
    /// answers, and a search without a field name looks at the strings that are searchable here.
    package var schema: TypeSchema?
    /// Whether the page has the zone's token.
    package var wantsToken = false

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

    /// The fields that a search without a field name looks at.
    package var searchableFields: [String] {
        guard let schema else { return [] }
        return schema.fields.filter { $0.value.isSearchable }.map(\.key).sorted()
    }
}

extension FieldSchema {
    /// Whether the words of the field are indexed.
    package var isSearchable: Bool {
        indexes.contains(.searchable) && type == .scalar(.string) && !isEncrypted
    }
}

/// Some records that a plan asked for, and how to go on.
package struct QueryPage: Hashable, Sendable {
    /// The records in order, those of one zone that follow one another in one piece.
    package var runs: [PackedChanges]
    /// nil after the last page.
    package var cursor: QueryCursor?
    /// The zone's token as of the moment at which the page was read; nil if it was not wanted, for the
    /// default zone, and for a query of all zones.
    package var token: ChangeToken?

    package init(runs: [PackedChanges], cursor: QueryCursor?, token: ChangeToken? = nil) {
        self.runs = runs
        self.cursor = cursor
        self.token = token
    }

    package init(records: some Sequence<StoredRecord>, cursor: QueryCursor?, token: ChangeToken? = nil) {
        self.init(runs: PackedChanges.runs(of: records), cursor: cursor, token: token)
    }

    /// The records as values.
    package var records: [StoredRecord] { runs.flatMap(\.records) }

    package var count: Int { runs.reduce(0) { $0 + $1.count } }
}
