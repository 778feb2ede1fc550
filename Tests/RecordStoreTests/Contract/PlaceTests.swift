import RecordStore
import Records
import Testing

@Suite("Contract: places")
struct PlaceTests {
    /// The locations by record name; `nowhere` has none.
    private func withPlaces(
        _ kind: StoreKind, _ places: [(String, Double, Double)], _ body: (World) async throws -> Void
    ) async throws {
        try await withWorld(kind) { world async throws in
            try await world.create("nowhere")
            for (name, latitude, longitude) in places {
                try await world.create(name, ["at": place(latitude, longitude)])
            }
            try await body(world)
        }
    }

    @Test("NEAR finds the places inside the circle, and those on it", arguments: StoreKind.allCases)
    func near(kind: StoreKind) async throws {
        try await withPlaces(kind, [("a", 37.78, -122.40), ("b", 37.79, -122.40), ("c", 38, -122)]) {
            world async throws in
            let center = place(37.78, -122.40)
            #expect(try await world.find(field("at", .near, center, within: 0)) == ["a"])
            #expect(try await world.find(field("at", .near, center, within: 1000)) == ["a"])
            let exact = Location(latitude: 37.78, longitude: -122.40)
                .distance(to: Location(latitude: 37.79, longitude: -122.40))
            #expect(try await world.find(field("at", .near, center, within: exact)) == ["a", "b"])
            #expect(try await world.find(field("at", .near, center, within: exact - 0.001)) == ["a"])
            #expect(try await world.find(field("at", .near, center, within: 3e7)) == ["a", "b", "c"])
        }
    }

    @Test("NEAR looks across the antimeridian", arguments: StoreKind.allCases)
    func antimeridian(kind: StoreKind) async throws {
        let places = [
            ("west", 10.0, 179.95), ("east", 10.0, -179.95), ("edge", 10, 180), ("other", 10, -180),
            ("far", 10, 0),
        ]
        try await withPlaces(kind, places) { world async throws in
            for longitude in [179.99, -179.99, 180, -180] {
                let found = try await world.find(field("at", .near, place(10, longitude), within: 12_000))
                #expect(found == ["west", "east", "edge", "other"])
            }
        }
    }

    @Test("NEAR looks across the poles", arguments: StoreKind.allCases, [90.0, -90.0])
    func poles(kind: StoreKind, pole: Double) async throws {
        let near = pole * 0.9999
        try await withPlaces(
            kind, [("a", near, 0), ("b", near, 180), ("c", near, -90), ("pole", pole, 45), ("far", 0, 0)]
        ) {
            world in
            let found = try await world.find(field("at", .near, place(near, 90), within: 3000))
            #expect(found == ["a", "b", "c", "pole"])
            #expect(try await world.find(field("at", .near, place(pole, -170), within: 0.5)) == ["pole"])
        }
    }

    @Test(
        "An order by distance begins with the nearest, and ends with records without a place",
        arguments: StoreKind.allCases)
    func nearestFirst(kind: StoreKind) async throws {
        let places = [
            ("antipode", -37.0, 58.0), ("moscow", 55.75, 37.6), ("here", 37, -122), ("town", 37.1, -122.1),
            ("twin", 37.1, -122.1), ("state", 35, -118), ("island", 21, -157),
        ]
        try await withPlaces(kind, places) { world async throws in
            let sort = Sort(.field("at"), relativeTo: Location(latitude: 37, longitude: -122))
            let expected = ["here", "town", "twin", "state", "island", "moscow", "antipode", "nowhere"]
            for page in [1, 2, 3, 20] { #expect(try await world.find(sort: [sort], page: page) == expected) }
        }
    }

    @Test(
        """
        A descending order by distance begins with the farthest, and still ends with records without a \
        place
        """,
        arguments: StoreKind.allCases)
    func farthestFirst(kind: StoreKind) async throws {
        let places = [
            ("antipode", -37.0, 58.0), ("nearby", -37.1, 58.1), ("moscow", 55.75, 37.6), ("here", 37, -122),
            ("town", 37.1, -122.1),
        ]
        try await withPlaces(kind, places) { world async throws in
            let sort = Sort(
                .field("at"), ascending: false, relativeTo: Location(latitude: 37, longitude: -122))
            let expected = ["antipode", "nearby", "moscow", "town", "here", "nowhere"]
            for page in [1, 2, 3, 20] { #expect(try await world.find(sort: [sort], page: page) == expected) }
        }
    }

    @Test(
        "An order by distance can be combined with NEAR and other conditions",
        arguments: StoreKind.allCases)
    func combined(kind: StoreKind) async throws {
        try await withWorld(kind) { world async throws in
            for index in 0..<8 {
                let fields: Fields = [
                    "at": place(10 + Double(index) / 100, 20), "odd": number(Int64(index % 2)),
                ]
                try await world.create("r\(index)", fields)
            }
            let center = Location(latitude: 10.035, longitude: 20)
            let found = try await world.find(
                field("at", .near, Field(.location(center)), within: 3000), field("odd", .equals, number(1)),
                sort: [Sort(.field("at"), relativeTo: center)]
            )
            #expect(found == ["r3", "r5", "r1"])
        }
    }

    @Test("A place that moved is found where it is, not where it was", arguments: StoreKind.allCases)
    func moved(kind: StoreKind) async throws {
        try await withPlaces(kind, [("a", 1, 1)]) { world async throws in
            let a = try #require(try await world.store.records(named: ["a"], in: "_defaultZone")[0])
            try await world.save(update(a, ["at": place(2, 2)]))
            #expect(try await world.find(field("at", .near, place(1, 1), within: 10)) == [])
            #expect(try await world.find(field("at", .near, place(2, 2), within: 10)) == ["a"])
            try await world.commit([delete("a")])
            #expect(try await world.find(field("at", .near, place(2, 2), within: 10)) == [])
        }
    }
}
