import Records
import Testing

@Suite("Distances are those of a great circle")
struct LocationTests {
    static let sanFrancisco = Location(latitude: 37.7749, longitude: -122.4194)
    static let berlin = Location(latitude: 52.52, longitude: 13.405)

    @Test("Known distances are computed to within a tenth of a percent")
    func knownDistances() {
        let far = Self.sanFrancisco.distance(to: Self.berlin)
        #expect(abs(far - 9_101_000) < 10_000)
        #expect(Self.berlin.distance(to: Self.berlin) == 0)
        #expect(abs(far - Self.berlin.distance(to: Self.sanFrancisco)) < 1e-6)
        let degree = Location(latitude: 0, longitude: 0).distance(to: Location(latitude: 1, longitude: 0))
        #expect(abs(degree - 111_195) < 10)
        let poles = Location(latitude: 90, longitude: 0).distance(to: Location(latitude: -90, longitude: 77))
        #expect(abs(poles - Double.pi * Location.earthRadius) < 1)
    }

    @Test("The shortest distance may cross the antimeridian")
    func antimeridian() {
        let east = Location(latitude: 0, longitude: 179.9)
        let west = Location(latitude: 0, longitude: -179.9)
        #expect(east.distance(to: west) < 23_000)
        let box = BoundingBox(around: east, radius: 50_000)
        #expect(box.crossesAntimeridian)
        #expect(box.contains(west))
    }

    @Test(
        "A box contains every place within its radius",
        arguments: [
            (0, 0, 1000), (37.7, -122.4, 5000), (-33.9, 151.2, 100_000), (89.9, 10, 50_000),
            (-89.99, -170, 5000),
            (60, 179.99, 20_000), (10, -179.999, 300_000), (0, 0, 25_000_000), (45, 90, 9_000_000), (5, 5, 0),
        ] as [(Double, Double, Double)]
    )
    func boxes(latitude: Double, longitude: Double, radius: Double) {
        let center = Location(latitude: latitude, longitude: longitude)
        let box = BoundingBox(around: center, radius: radius)
        #expect(box.contains(center))
        for step in 0..<360 {
            let bearing = Double(step) * .pi / 180
            for share in [0.1, 0.5, 0.9999] {
                let place = center.place(at: bearing, distance: radius * share)
                guard center.distance(to: place) <= radius else { continue }
                #expect(box.contains(place), "bearing \(step), \(share) of the radius")
            }
        }
    }

    @Test("A negative radius counts as 0")
    func negativeRadius() {
        let box = BoundingBox(around: Self.berlin, radius: -5)
        #expect(box.south == box.north && box.west == box.east)
    }
}
