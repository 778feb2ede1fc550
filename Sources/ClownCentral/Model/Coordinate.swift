import Foundation

/// A latitude and a longitude in degrees.
struct Coordinate: Hashable, Sendable {
    var latitude: Double
    var longitude: Double

    /// The great-circle distance in metres.
    func distance(to other: Coordinate) -> Double {
        let earthRadius = 6_371_008.8
        let halfLatitude = Self.radians(other.latitude - latitude) / 2
        let halfLongitude = Self.radians(other.longitude - longitude) / 2
        let across = cos(Self.radians(latitude)) * cos(Self.radians(other.latitude))
        let chord = sin(halfLatitude) * sin(halfLatitude) + across * sin(halfLongitude) * sin(halfLongitude)
        return 2 * earthRadius * asin(min(1, sqrt(chord)))
    }

    private static func radians(_ degrees: Double) -> Double {
        degrees * .pi / 180
    }
}
