/// An angle in degrees.
public typealias CLLocationDegrees = Double
/// A distance in metres.
public typealias CLLocationDistance = Double
/// An accuracy in metres; a negative value means that the measurement is invalid.
public typealias CLLocationAccuracy = Double
/// A speed in metres per second; a negative value means unknown.
public typealias CLLocationSpeed = Double
/// The accuracy of a speed in metres per second; a negative value means unknown.
public typealias CLLocationSpeedAccuracy = Double
/// A direction in degrees clockwise from true north; a negative value means unknown.
public typealias CLLocationDirection = Double
/// The accuracy of a direction in degrees; a negative value means unknown.
public typealias CLLocationDirectionAccuracy = Double

/// A position in degrees on the WGS 84 ellipsoid.
public struct CLLocationCoordinate2D: Sendable {
    /// Degrees north of the equator, -90…90.
    public var latitude: CLLocationDegrees
    /// Degrees east of Greenwich, -180…180.
    public var longitude: CLLocationDegrees

    /// Creates the point where the equator crosses the prime meridian.
    public init() {
        self.init(latitude: 0, longitude: 0)
    }

    /// Creates a coordinate from degrees.
    public init(latitude: CLLocationDegrees, longitude: CLLocationDegrees) {
        self.latitude = latitude
        self.longitude = longitude
    }
}

/// Whether latitude and longitude are within their ranges.
public func CLLocationCoordinate2DIsValid(_ coord: CLLocationCoordinate2D) -> Bool {
    (-90...90).contains(coord.latitude) && (-180...180).contains(coord.longitude)
}

/// Creates a coordinate from degrees.
public func CLLocationCoordinate2DMake(
    _ latitude: CLLocationDegrees,
    _ longitude: CLLocationDegrees
) -> CLLocationCoordinate2D {
    CLLocationCoordinate2D(latitude: latitude, longitude: longitude)
}

/// A coordinate for which `CLLocationCoordinate2DIsValid(_:)` returns false.
public let kCLLocationCoordinate2DInvalid = CLLocationCoordinate2D(latitude: -180, longitude: -180)
