/// Degrees.
public typealias CLLocationDegrees = Double
/// Metres.
public typealias CLLocationDistance = Double
/// Metres; negative means that the measurement is not valid.
public typealias CLLocationAccuracy = Double
/// Metres a second; negative means not known.
public typealias CLLocationSpeed = Double
/// Metres a second; negative means not known.
public typealias CLLocationSpeedAccuracy = Double
/// Degrees clockwise from true north; negative means not known.
public typealias CLLocationDirection = Double
/// Degrees; negative means not known.
public typealias CLLocationDirectionAccuracy = Double

/// A position in degrees on the WGS 84 globe.
public struct CLLocationCoordinate2D: Sendable {
    /// Degrees north of the equator, -90…90.
    public var latitude: CLLocationDegrees
    /// Degrees east of Greenwich, -180…180.
    public var longitude: CLLocationDegrees

    /// The point where the equator crosses the prime meridian.
    public init() {
        self.init(latitude: 0, longitude: 0)
    }

    /// The point at these degrees.
    public init(latitude: CLLocationDegrees, longitude: CLLocationDegrees) {
        self.latitude = latitude
        self.longitude = longitude
    }
}

/// Whether both numbers are within their ranges.
public func CLLocationCoordinate2DIsValid(_ coord: CLLocationCoordinate2D) -> Bool {
    (-90...90).contains(coord.latitude) && (-180...180).contains(coord.longitude)
}

/// The point at these degrees.
public func CLLocationCoordinate2DMake(
    _ latitude: CLLocationDegrees,
    _ longitude: CLLocationDegrees
) -> CLLocationCoordinate2D {
    CLLocationCoordinate2D(latitude: latitude, longitude: longitude)
}

/// A coordinate that is no place.
public let kCLLocationCoordinate2DInvalid = CLLocationCoordinate2D(latitude: -180, longitude: -180)
