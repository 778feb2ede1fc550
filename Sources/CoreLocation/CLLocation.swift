public import Foundation

/// A position with its altitude, course, speed and accuracies.
///
/// Apple's page: <https://developer.apple.com/documentation/corelocation/cllocation>.
// Sendable because its only property is immutable.
open class CLLocation: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
    /// The known values. For unknown values the getters return the values of Core Location.
    package let measured: Measurement

    /// Creates a position without other values; its `timestamp` is `Date.distantPast`.
    public init(latitude: CLLocationDegrees, longitude: CLLocationDegrees) {
        measured = Measurement(latitude: latitude, longitude: longitude)
    }

    /// Creates a position with the time of its measurement.
    public convenience init(
        coordinate: CLLocationCoordinate2D,
        altitude: CLLocationDistance,
        horizontalAccuracy hAccuracy: CLLocationAccuracy,
        verticalAccuracy vAccuracy: CLLocationAccuracy,
        timestamp: Date
    ) {
        var measured = Measurement(latitude: coordinate.latitude, longitude: coordinate.longitude)
        measured.altitude = altitude
        measured.horizontalAccuracy = hAccuracy
        measured.verticalAccuracy = vAccuracy
        measured.timestamp = timestamp
        self.init(measured)
    }

    /// Creates a position with course and speed.
    public convenience init(
        coordinate: CLLocationCoordinate2D,
        altitude: CLLocationDistance,
        horizontalAccuracy hAccuracy: CLLocationAccuracy,
        verticalAccuracy vAccuracy: CLLocationAccuracy,
        course: CLLocationDirection,
        speed: CLLocationSpeed,
        timestamp: Date
    ) {
        var measured = Measurement(latitude: coordinate.latitude, longitude: coordinate.longitude)
        measured.altitude = altitude
        measured.horizontalAccuracy = hAccuracy
        measured.verticalAccuracy = vAccuracy
        measured.course = course
        measured.speed = speed
        measured.timestamp = timestamp
        self.init(measured)
    }

    /// Creates a position with course and speed and their accuracies. Records do not store `courseAccuracy`
    /// and `speedAccuracy`.
    public convenience init(
        coordinate: CLLocationCoordinate2D,
        altitude: CLLocationDistance,
        horizontalAccuracy hAccuracy: CLLocationAccuracy,
        verticalAccuracy vAccuracy: CLLocationAccuracy,
        course: CLLocationDirection,
        courseAccuracy: CLLocationDirectionAccuracy,
        speed: CLLocationSpeed,
        speedAccuracy: CLLocationSpeedAccuracy,
        timestamp: Date
    ) {
        var measured = Measurement(latitude: coordinate.latitude, longitude: coordinate.longitude)
        measured.altitude = altitude
        measured.horizontalAccuracy = hAccuracy
        measured.verticalAccuracy = vAccuracy
        measured.course = course
        measured.courseAccuracy = courseAccuracy
        measured.speed = speed
        measured.speedAccuracy = speedAccuracy
        measured.timestamp = timestamp
        self.init(measured)
    }

    /// Creates a position with all measured values and the source of the measurement.
    public convenience init(
        coordinate: CLLocationCoordinate2D,
        altitude: CLLocationDistance,
        horizontalAccuracy hAccuracy: CLLocationAccuracy,
        verticalAccuracy vAccuracy: CLLocationAccuracy,
        course: CLLocationDirection,
        courseAccuracy: CLLocationDirectionAccuracy,
        speed: CLLocationSpeed,
        speedAccuracy: CLLocationSpeedAccuracy,
        timestamp: Date,
        sourceInfo: CLLocationSourceInformation
    ) {
        var measured = Measurement(latitude: coordinate.latitude, longitude: coordinate.longitude)
        measured.altitude = altitude
        measured.horizontalAccuracy = hAccuracy
        measured.verticalAccuracy = vAccuracy
        measured.course = course
        measured.courseAccuracy = courseAccuracy
        measured.speed = speed
        measured.speedAccuracy = speedAccuracy
        measured.timestamp = timestamp
        measured.source = sourceInfo.known
        self.init(measured)
    }

    package init(_ measured: Measurement) {
        self.measured = measured
    }

    /// Decodes an archive that `encode(with:)` wrote; returns nil for any other data.
    public required init?(coder: NSCoder) {
        guard let known = LocationArchive.read(Measurement.self, as: Self.archiveKey, from: coder) else {
            return nil
        }
        measured = known
    }

    /// The position as degrees of latitude and longitude.
    open var coordinate: CLLocationCoordinate2D {
        CLLocationCoordinate2D(latitude: measured.latitude, longitude: measured.longitude)
    }

    /// The altitude in metres above sea level; 0 if unknown.
    open var altitude: CLLocationDistance { measured.altitude ?? 0 }
    /// The radius of uncertainty in metres; 0 if unknown.
    open var horizontalAccuracy: CLLocationAccuracy { measured.horizontalAccuracy ?? 0 }
    /// The accuracy of the altitude in metres; -1 if unknown.
    open var verticalAccuracy: CLLocationAccuracy { measured.verticalAccuracy ?? -1 }
    /// The direction of travel in degrees clockwise from true north; -1 if unknown.
    open var course: CLLocationDirection { measured.course ?? -1 }
    /// The accuracy of the course in degrees; -1 if unknown.
    open var courseAccuracy: CLLocationDirectionAccuracy { measured.courseAccuracy ?? -1 }
    /// The speed in metres per second; -1 if unknown.
    open var speed: CLLocationSpeed { measured.speed ?? -1 }
    /// The accuracy of the speed in metres per second; -1 if unknown.
    open var speedAccuracy: CLLocationSpeedAccuracy { measured.speedAccuracy ?? -1 }
    /// The time of the measurement; `Date.distantPast` if unknown.
    open var timestamp: Date { measured.timestamp ?? .distantPast }

    /// The altitude in metres above the WGS 84 ellipsoid; 0 if unknown. Records do not store it.
    open var ellipsoidalAltitude: CLLocationDistance { measured.ellipsoidalAltitude ?? 0 }
    /// The floor of the building; nil if unknown. Records do not store it.
    open var floor: CLFloor? { measured.floor.map { CLFloor(level: $0) } }
    /// How the position was found; nil if unknown. Records do not store it.
    open var sourceInformation: CLLocationSourceInformation? {
        measured.source.map { CLLocationSourceInformation($0) }
    }

    /// The great-circle distance in metres, by the same formula as on the server (haversine formula on a
    /// sphere with the mean radius of the Earth).
    open func distance(from location: CLLocation) -> CLLocationDistance {
        let (here, there) = (measured, location.measured)
        let toRadians = Double.pi / 180
        let halfLatitude = sin((there.latitude - here.latitude) * toRadians / 2)
        let halfLongitude = sin((there.longitude - here.longitude) * toRadians / 2)
        let a =
            halfLatitude * halfLatitude
            + cos(here.latitude * toRadians) * cos(there.latitude * toRadians) * halfLongitude * halfLongitude
        return 2 * 6_371_008.8 * asin(min(1, a.squareRoot()))
    }

    /// The latitude and the longitude, for logs.
    open override var description: String {
        "<\(measured.latitude),\(measured.longitude)>"
    }

    /// Returns the same object, because a location is immutable.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// Always true.
    public static var supportsSecureCoding: Bool { true }

    /// Writes all properties under a key of this class, so that subclasses can add their own keys.
    open func encode(with coder: NSCoder) {
        LocationArchive.write(measured, as: Self.archiveKey, to: coder)
    }

    private static let archiveKey = "cloudlet.CLLocation"
}

extension CLLocation {
    /// The known values of a position; nil means not measured. Archives contain this type.
    package struct Measurement: Codable, Hashable, Sendable {
        package var latitude: Double
        package var longitude: Double
        package var altitude: Double?
        package var horizontalAccuracy: Double?
        package var verticalAccuracy: Double?
        package var course: Double?
        package var courseAccuracy: Double?
        package var speed: Double?
        package var speedAccuracy: Double?
        package var timestamp: Date?
        package var ellipsoidalAltitude: Double?
        /// The level of the floor.
        package var floor: Int?
        package var source: CLLocationSourceInformation.Known?

        /// Creates a position without other values.
        package init(latitude: Double, longitude: Double) {
            self.latitude = latitude
            self.longitude = longitude
        }
    }
}

extension CLLocation: CVarArg {
    /// The address of the object, for the placeholder `%@` of a format.
    public var _cVarArgEncoding: [Int] { [Int(bitPattern: Unmanaged.passUnretained(self).toOpaque())] }
}
