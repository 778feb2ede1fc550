import RecordStore
import Records
import Testing

/// A query and the error with which it is refused.
struct Refusal: Sendable, CustomTestStringConvertible {
    var filters: [Filter]
    var sorts: [Sort]
    var type: String
    var reason: String
    var code: RecordError.Code

    init(
        _ filters: [Filter] = [], sort: [Sort] = [], type: String = "Party", _ reason: String,
        code: RecordError.Code = .badRequest
    ) {
        self.filters = filters
        sorts = sort
        self.type = type
        self.reason = reason
        self.code = code
    }

    var testDescription: String { reason }
}

private let many = Field(.list(.int64, (0..<5001).map { .int64($0) }))

private let refusals: [Refusal] = [
    Refusal(type: "Ghost", "Did not find record type: Ghost", code: .notFound),
    Refusal(type: "Users", "the record type Users cannot be queried"),
    Refusal(type: "Hidden", "Field 'recordName' is not marked queryable"),
    Refusal([field("x", .equals, text("a"))], "Did not find field: 'x' in type: 'Party'"),
    Refusal(sort: [ascending("x")], "Did not find field: 'x' in type: 'Party'"),
    Refusal([field("bare", .equals, text("a"))], "Field 'bare' is not marked queryable"),
    Refusal([field("q", .lessThan, text("a"))], "Field 'q' is not marked sortable"),
    Refusal(sort: [ascending("q")], "Field 'q' is not marked sortable"),
    Refusal([field("q", .containsAllTokens, text("a"))], "Field 'q' is not marked searchable"),
    Refusal([field("i", .containsAllTokens, text("a"))], "Field 'i' is not marked searchable"),
    Refusal([field("s", .containsAllTokens, text(" !? "))], "the search text has no words"),
    Refusal(
        [field("s", .containsAllTokens, number(1))],
        "Field 's' has a value type of STRING and cannot be queried using filter value type INT64"
    ),
    Refusal(
        [system(.createdTimestamp, .greaterThan, time(1))], type: "Hidden",
        "Field '___createTime' is not marked sortable"
    ),
    Refusal(
        sort: [Sort(.system(.createdTimestamp))], type: "Half",
        "Field '___createTime' is not marked sortable"),
    Refusal(sort: [Sort(.system(.share))], "Field '___share' is not marked sortable"),
    Refusal(
        [field("r", .equals, text("x"))],
        "Field 'r' has a value type of REFERENCE and cannot be queried using filter value type STRING"
    ),
    Refusal(
        [field("i", .equals, real(1))],
        "Field 'i' has a value type of INT64 and cannot be queried using filter value type DOUBLE"
    ),
    Refusal(
        [field("i", .isIn, number(1))],
        "Field 'i' has a value type of INT64_LIST and cannot be queried using filter value type INT64"
    ),
    Refusal(
        [field("i", .equals, numbers(1))],
        "Field 'i' has a value type of INT64 and cannot be queried using filter value type INT64_LIST"
    ),
    Refusal(
        [field("l", .listContains, number(1))],
        "Field 'l' has a value type of STRING and cannot be queried using filter value type INT64"
    ),
    Refusal(
        [field("secret", .equals, text("x"))],
        "Field 'secret' has a value type of ENCRYPTED_STRING and cannot be queried using filter type EQUALS"
    ),
    Refusal(
        [field("l", .equals, texts("x"))],
        "Field 'l' of type STRING_LIST cannot be queried using filter type EQUALS"),
    Refusal(
        [field("at", .equals, place(1, 1))],
        "Field 'at' of type LOCATION cannot be queried using filter type EQUALS"),
    Refusal(
        [field("file", .equals, file("x"))],
        "Field 'file' of type ASSETID cannot be queried using filter type EQUALS"),
    Refusal(
        [field("s", .near, place(1, 1), within: 5)],
        "Field 's' of type STRING cannot be queried using filter type NEAR"),
    Refusal(
        [field("s", .listContains, text("x"))],
        "Field 's' of type STRING cannot be queried using filter type LIST_CONTAINS"),
    Refusal(
        [field("i", .beginsWith, text("x"))],
        "Field 'i' of type INT64 cannot be queried using filter type BEGINS_WITH"),
    Refusal(
        [field("b", .lessThan, bytes([]))],
        "Field 'b' of type BYTES cannot be queried using filter type LESS_THAN"),
    Refusal(
        [field("r", .lessThan, link("x"))],
        "Field 'r' of type REFERENCE cannot be queried using filter type LESS_THAN"),
    Refusal(
        [system(.recordName, .lessThan, link("x"))],
        "Field 'recordName' of type REFERENCE cannot be queried using filter type LESS_THAN"),
    Refusal([field("at", .near, place(1, 1))], "NEAR needs a distance in metres"),
    Refusal([field("at", .near, place(1, 1), within: -1)], "NEAR needs a distance in metres"),
    Refusal([field("at", .near, place(1, 1), within: .nan)], "NEAR needs a distance in metres"),
    Refusal([Filter(nil, .equals, .string("x"))], "EQUALS needs a field name"),
    Refusal(sort: [ascending("at")], "Field 'at' is not marked sortable"),
    Refusal(sort: [ascending("l")], "Field 'l' of type STRING_LIST has no order"),
    Refusal(
        sort: [Sort(.field("s"), relativeTo: Location(latitude: 0, longitude: 0))],
        "Field 's' is not marked sortable"),
    Refusal(
        Array(repeating: field("i", .equals, number(1)), count: 51), "more than 50 filters in one query",
        code: .limitExceeded
    ),
    Refusal(
        [field("i", .isIn, many), field("i", .notIn, many)], "more than 10000 values in one query",
        code: .limitExceeded),
]

@Suite("Queries that are refused")
struct QueryRefusalTests {
    private static let schema: Schema = {
        var type = TypeSchema(name: "Party")
        let fields: [(String, FieldType, Records.IndexSet)] = [
            ("s", .scalar(.string), [.queryable, .sortable, .searchable]),
            ("q", .scalar(.string), .queryable),
            ("bare", .scalar(.string), []), ("i", .scalar(.int64), [.queryable, .sortable]),
            ("b", .scalar(.bytes), .queryable), ("r", .scalar(.reference), .queryable),
            ("l", .list(.string), [.queryable, .sortable]), ("at", .scalar(.location), .queryable),
            ("file", .scalar(.asset), []),
        ]
        for (name, kind, indexes) in fields { type.fields[name] = FieldSchema(type: kind, indexes: indexes) }
        type.fields["secret"] = FieldSchema(type: .scalar(.string), isEncrypted: true, indexes: [])
        let half = TypeSchema(name: "Half", systemIndexes: [.recordName: .queryable])
        let hidden = TypeSchema(name: "Hidden", systemIndexes: [:])
        return Schema(types: ["Party": type, "Half": half, "Hidden": hidden])
    }()

    @Test(
        "An invalid query is refused with the expected text, a culprit and a next step",
        arguments: refusals)
    func refused(refusal: Refusal) throws {
        let query = Query(recordType: refusal.type, filters: refusal.filters, sorts: refusal.sorts)
        let error = #expect(throws: RecordError.self) {
            try QueryRules().plan(query, zone: nil, limit: nil, in: Self.schema)
        }
        #expect(error?.reason == refusal.reason)
        #expect(error?.code == refusal.code)
        #expect(error?.culprit != nil && error?.nextStep != nil)
    }

    @Test("The limits of a query can be lowered, and are exact")
    func limits() throws {
        var limits = Limits()
        limits.filtersPerQuery = 2
        limits.listElements = 3
        limits.recordsPerResponse = 5
        let rules = QueryRules(limits: limits)
        let filter = field("i", .isIn, numbers(1, 2, 3))
        func query(_ filters: [Filter]) -> Query { Query(recordType: "Party", filters: filters) }
        let plan = try rules.plan(query([filter]), zone: nil, limit: 99, in: Self.schema)
        #expect(plan.limit == 5)
        #expect(try rules.plan(query([]), zone: nil, limit: 0, in: Self.schema).limit == 1)
        #expect(try rules.plan(query([]), zone: nil, limit: nil, in: Self.schema).limit == 5)
        let equal = field("i", .equals, number(1))
        #expect(throws: RecordError.self) {
            try rules.plan(
                query([filter, field("i", .isIn, numbers(1))]), zone: nil, limit: 1, in: Self.schema)
        }
        #expect(
            try rules.plan(query([equal, equal]), zone: nil, limit: 1, in: Self.schema).filters.count == 2)
        #expect(throws: RecordError.self) {
            try rules.plan(query([equal, equal, equal]), zone: nil, limit: 1, in: Self.schema)
        }
    }

    @Test("The costs of a query are accepted at the limit, and refused above it")
    func costs() throws {
        var limits = Limits()
        limits.sortsPerQuery = 2
        limits.timesPerQuery = 3
        limits.searchCharacters = 9
        limits.searchWords = 2
        let rules = QueryRules(limits: limits)
        func refusal(_ filters: [Filter] = [], sort: [Sort] = []) -> String? {
            let query = Query(recordType: "Party", filters: filters, sorts: sort)
            do {
                _ = try rules.plan(query, zone: nil, limit: nil, in: Self.schema)
                return nil
            } catch {
                #expect(error.code == .limitExceeded && error.nextStep != nil)
                return error.reason
            }
        }
        func times(_ field: SystemField, _ count: Int64, _ comparator: Comparator = .isIn) -> Filter {
            let values = (0..<count).map { FieldValue.timestamp(Timestamp(milliseconds: $0)) }
            return system(field, comparator, Field(.list(.timestamp, values)))
        }
        func search(_ text: String) -> Filter { field("s", .containsAnyTokens, Field(.string(text))) }
        #expect(refusal(sort: [ascending("s"), ascending("s")]) == nil)
        #expect(
            refusal(sort: [ascending("s"), ascending("i"), ascending("s")])
                == "more than 2 sort criteria in one query")
        #expect(refusal([times(.createdTimestamp, 1), times(.modifiedTimestamp, 2, .notIn)]) == nil)
        #expect(
            refusal([times(.createdTimestamp, 2), times(.modifiedTimestamp, 2, .notIn)])
                == "more than 3 creation and modification times in one query")
        #expect(refusal([search("a bc"), search("defgh")]) == "more than 2 words to search for")
        #expect(refusal([search("ab"), search("defghij")]) == nil)
        #expect(refusal([search("ab"), search("defghijk")]) == "more than 9 characters to search for")
        #expect(refusal([search("e\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}")]) == nil)
        #expect(
            refusal([search("e" + String(repeating: "\u{301}", count: 9))])
                == "more than 9 characters to search for")
    }

    @Test("A repeated sort key is dropped")
    func repeatedSorts() throws {
        let sorts = [ascending("s"), descending("s"), ascending("i"), ascending("s")]
        let plan = try QueryRules().plan(
            Query(recordType: "Party", sorts: sorts), zone: nil, limit: 1, in: Self.schema)
        #expect(plan.order.map(\.key) == [.field("s"), .field("i"), .ordinal])
        #expect(plan.order.map(\.ascending) == [true, true, true])
    }

    @Test("Every sort order ends with the order of creation, in the direction of the last key")
    func totalOrder() throws {
        func order(_ sorts: [Sort]) throws -> [QueryPlan.Order] {
            try QueryRules().plan(
                Query(recordType: "Party", sorts: sorts), zone: nil, limit: 1, in: Self.schema
            ).order
        }
        #expect(try order([]) == [.init(.ordinal, ascending: true)])
        #expect(
            try order([descending("i")]) == [
                .init(.field("i"), ascending: false), .init(.ordinal, ascending: false),
            ])
        let created = Sort(.system(.createdTimestamp), ascending: false)
        #expect(try order([created, ascending("i")]) == [.init(.ordinal, ascending: false)])
        let changed = Sort(.system(.modifiedTimestamp))
        #expect(
            try order([ascending("s"), changed]) == [
                .init(.field("s"), ascending: true), .init(.sequence, ascending: true),
            ])
    }
}
