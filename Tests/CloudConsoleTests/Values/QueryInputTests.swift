import Records
import Testing

@testable import CloudConsole

@Suite("The query builder")
struct QueryInputTests {
    private static let schema = Schema(types: [
        "Party": TypeSchema(
            name: "Party",
            fields: [
                "name": FieldSchema(type: .scalar(.string), indexes: []),
                "cost": FieldSchema(type: .scalar(.int64), indexes: []),
                "place": FieldSchema(type: .scalar(.location), indexes: []),
                "tags": FieldSchema(type: .list(.string), indexes: []),
            ])
    ])

    private static let place = FieldValue.location(Location(latitude: 37.33, longitude: -122.03))

    private static let cases: [(String, Filter)] = [
        ("f1=cost&c1=LESS_THAN&v1=5", Filter(.field("cost"), .lessThan, 5)),
        (
            "f1=place&c1=NEAR&v1=37.33,-122.03&km1=5",
            Filter(.field("place"), .near, place, distance: 5000)
        ),
        ("c1=CONTAINS_ALL_TOKENS&v1=red+nose", Filter(nil, .containsAllTokens, "red nose")),
        ("f1=name&c1=BEGINS_WITH&v1=B", Filter(.field("name"), .beginsWith, "B")),
        ("f1=cost&c1=IN&v1=1,+2", Filter(.field("cost"), .isIn, .list(.int64, [1, 2]))),
        ("f1=tags&c1=LIST_CONTAINS&v1=fun", Filter(.field("tags"), .listContains, "fun")),
        (
            "f1=createdTimestamp&c1=GREATER_THAN&v1=1970-01-01T00:00:01Z",
            Filter(.system(.createdTimestamp), .greaterThan, .timestamp(Timestamp(milliseconds: 1000)))
        ),
    ]

    @Test("Each condition becomes a filter, and its address restores it", arguments: cases.indices)
    func filters(index: Int) throws {
        let (text, filter) = Self.cases[index]
        let input = QueryInput(try FormFields("type=Party&" + text))
        #expect(try input.query(in: Self.schema).filters == [filter])
        let address = Address.query(input.address).dropFirst()
        #expect(try QueryInput(FormFields(address)).query(in: Self.schema).filters == [filter])
    }

    @Test("Up to four conditions and one order make a query")
    func whole() throws {
        let conditions = (1...5).map { "&f\($0)=cost&c\($0)=EQUALS&v\($0)=\($0)" }.joined()
        let input = QueryInput(try FormFields("type=Party&sort=name&order=descending" + conditions))
        let query = try input.query(in: Self.schema)
        #expect(query.filters.count == 4)
        #expect(query.sorts == [Sort(.field("name"), ascending: false)])
    }

    @Test(
        "What the type does not have is refused",
        arguments: [
            "type=None", "type=Party&f1=none&v1=1", "type=Party&f1=cost&v1=x", "type=Party&sort=none",
            "type=Party&f1=place&c1=NEAR&v1=37,0", "type=Party&f1=place&c1=NEAR&v1=x&km1=5",
        ])
    func refused(text: String) throws {
        let input = QueryInput(try FormFields(text))
        #expect(throws: RecordError.self) { try input.query(in: Self.schema) }
    }
}
