import Records
import Testing

@testable import CloudConsole

@Suite("The map of a distance query")
struct DistanceMapTests {
    private static let centre = Location(latitude: 0, longitude: 179.99)

    @Test("The map has north at the top and east at the right, and crosses the date line")
    func directions() {
        // A degree at the equator is 111.195 km, so a hundredth of one is 1.112 km.
        let map = DistanceMap(
            centre: Self.centre, kilometres: 11.1195,
            found: [
                ("here", Self.centre), ("north", Location(latitude: 0.05, longitude: 179.99)),
                ("east", Location(latitude: 0, longitude: -179.96)),
                ("far", Location(latitude: -0.1, longitude: 179.94)),
            ])
        #expect(map.dots.map(\.x) == ["120", "120", "170", "70"])
        #expect(map.dots.map(\.y) == ["120", "70", "120", "220"])
        #expect(map.label == "4 records within 11.1 km of 0.0, 179.99")
    }

    @Test(
        "A query without a distance, or with one that is none, has no map",
        arguments: ["x", "-5", "0", "inf"])
    func none(kilometres: String) throws {
        let near = "type=Party&f1=place&c1=NEAR&v1=37.33,-122.03&km1="
        #expect(DistanceMap.of(QueryInput(try FormFields(near + kilometres)), []) == nil)
        #expect(DistanceMap.of(QueryInput(try FormFields("type=Party")), []) == nil)
        #expect(DistanceMap.of(QueryInput(try FormFields(near + "5")), [])?.dots.isEmpty == true)
    }

    @Test("A place on the other side of the earth has finite coordinates on the map")
    func far() {
        let map = DistanceMap(
            centre: Location(latitude: 90, longitude: 0), kilometres: 0.000001,
            found: [("far", Location(latitude: -90, longitude: 180))])
        #expect(map.dots.map(\.y) == ["100000"])
    }

    @Test("A query with a tiny radius has a map", arguments: [Double.leastNonzeroMagnitude, 1e-300, 1e-12])
    func nothing(kilometres: Double) {
        let map = DistanceMap(
            centre: Self.centre, kilometres: kilometres,
            found: [("here", Self.centre), ("far", Location(latitude: 1, longitude: 179.99))])
        #expect(map.dots.map(\.x) == ["120", "120"])
        #expect(map.dots.map(\.y) == ["120", "-100000"])
    }
}
