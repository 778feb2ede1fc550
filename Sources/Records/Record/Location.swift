import Foundation

/// A geographic position with optional measurements (CloudKit Web Services Reference, *Types and
/// Dictionaries*).
public struct Location: Hashable, Sendable {
    /// Degrees from -90 to 90.
    public var latitude: Double
    /// Degrees from -180 to 180.
    public var longitude: Double
    /// The uncertainty of the position in metres.
    public var horizontalAccuracy: Double?
    /// The uncertainty of the altitude in metres.
    public var verticalAccuracy: Double?
    /// The altitude in metres above sea level.
    public var altitude: Double?
    /// The speed in metres per second.
    public var speed: Double?
    /// The direction of travel in degrees clockwise from north.
    public var course: Double?
    /// When the position was measured.
    public var timestamp: Timestamp?

    /// A position without measurements.
    public init(latitude: Double, longitude: Double) {
        self.latitude = latitude
        self.longitude = longitude
    }

    /// The mean radius of the Earth in metres, used by `distance(to:)`.
    public static let earthRadius = 6_371_008.8

    /// The great-circle distance to another position in metres (haversine formula on a sphere).
    public func distance(to other: Location) -> Double {
        let toRadians = Double.pi / 180
        let halfLatitude = sin((other.latitude - latitude) * toRadians / 2)
        let halfLongitude = sin((other.longitude - longitude) * toRadians / 2)
        let a =
            halfLatitude * halfLatitude
            + cos(latitude * toRadians) * cos(other.latitude * toRadians) * halfLongitude * halfLongitude
        return 2 * Self.earthRadius * asin(min(1, a.squareRoot()))
    }
}

/// A rectangle in degrees that contains every position within a radius of a centre.
///
/// If the box crosses the antimeridian, `west` is greater than `east`.
package struct BoundingBox: Hashable, Sendable {
    package var south: Double
    package var north: Double
    package var west: Double
    package var east: Double

    /// The smallest box around `center` for a radius in metres.
    package init(around center: Location, radius: Double) {
        let degrees = 180 / Double.pi
        let angle = max(0, radius) / Location.earthRadius
        south = center.latitude - angle * degrees
        north = center.latitude + angle * degrees
        if south <= -90 || north >= 90 {
            (south, north, west, east) = (max(south, -90), min(north, 90), -180, 180)
            return
        }
        let spread = asin(min(1, sin(min(angle, .pi / 2)) / cos(center.latitude / degrees))) * degrees
        if spread >= 180 {
            (west, east) = (-180, 180)
            return
        }
        west = Self.wrapped(center.longitude - spread)
        east = Self.wrapped(center.longitude + spread)
    }

    package var crossesAntimeridian: Bool { west > east }

    private static func wrapped(_ longitude: Double) -> Double {
        if longitude < -180 { return longitude + 360 }
        return longitude > 180 ? longitude - 360 : longitude
    }
}
