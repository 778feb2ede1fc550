import Foundation

/// A position in degrees with its optional qualities.
public struct Location: Hashable, Sendable {
    /// Degrees, -90…90.
    public var latitude: Double
    /// Degrees, -180…180.
    public var longitude: Double
    /// Metres.
    public var horizontalAccuracy: Double?
    /// Metres.
    public var verticalAccuracy: Double?
    /// Metres above sea level.
    public var altitude: Double?
    /// Metres a second.
    public var speed: Double?
    /// Degrees clockwise from north.
    public var course: Double?
    /// When the position was measured.
    public var timestamp: Timestamp?

    /// A place of which nothing else is known.
    public init(latitude: Double, longitude: Double) {
        self.latitude = latitude
        self.longitude = longitude
    }

    /// Mean radius of the earth in metres, as the great-circle formula below uses it.
    public static let earthRadius = 6_371_008.8

    /// The great-circle distance to another place in metres (haversine formula on the mean sphere).
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

/// A rectangle in degrees that contains every place within a radius of a centre.
///
/// `west` may be greater than `east`: the box then crosses the antimeridian.
package struct BoundingBox: Hashable, Sendable {
    package var south: Double
    package var north: Double
    package var west: Double
    package var east: Double

    /// The smallest such box around `center` for `radius` metres.
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
