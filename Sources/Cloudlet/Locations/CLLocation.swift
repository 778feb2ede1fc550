public import Foundation
internal import Records

/// A position with its altitude, course, speed and accuracies.
///
/// Apple's page: <https://developer.apple.com/documentation/corelocation/cllocation>.
// Sendable because its only property is immutable.
open class CLLocation: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
    /// The known values. For unknown values the getters return the values of Core Location.
    let measured: Measurement

    /// Creates a position of which nothing else is known; its `timestamp` is `Date.distantPast`.
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

    init(_ measured: Measurement) {
        self.measured = measured
    }

    /// Decodes an archive that `encode(with:)` wrote; returns nil for any other data.
    public required init?(coder: NSCoder) {
        guard let known = Archive.read(Measurement.self, as: Self.archiveKey, from: coder) else {
            return nil
        }
        measured = known
    }

    /// The position as degrees of latitude and longitude.
    open var coordinate: CLLocationCoordinate2D {
        CLLocationCoordinate2D(latitude: measured.latitude, longitude: measured.longitude)
    }

    /// In metres above sea level; 0 if unknown.
    open var altitude: CLLocationDistance { measured.altitude ?? 0 }
    /// In metres; 0 if unknown.
    open var horizontalAccuracy: CLLocationAccuracy { measured.horizontalAccuracy ?? 0 }
    /// In metres; -1 if unknown.
    open var verticalAccuracy: CLLocationAccuracy { measured.verticalAccuracy ?? -1 }
    /// In degrees clockwise from true north; -1 if unknown.
    open var course: CLLocationDirection { measured.course ?? -1 }
    /// In degrees; -1 if unknown.
    open var courseAccuracy: CLLocationDirectionAccuracy { measured.courseAccuracy ?? -1 }
    /// In metres per second; -1 if unknown.
    open var speed: CLLocationSpeed { measured.speed ?? -1 }
    /// In metres per second; -1 if unknown.
    open var speedAccuracy: CLLocationSpeedAccuracy { measured.speedAccuracy ?? -1 }
    /// The time of the measurement; `Date.distantPast` if unknown.
    open var timestamp: Date { measured.timestamp ?? .distantPast }

    /// The great-circle distance in metres, by the same formula as on the server.
    open func distance(from location: CLLocation) -> CLLocationDistance {
        measured.place.distance(to: location.measured.place)
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
        Archive.write(measured, as: Self.archiveKey, to: coder)
    }

    private static let archiveKey = "cloudlet.CLLocation"
}

extension CLLocation {
    /// The known values of a position; nil means not measured. Archives contain this type.
    struct Measurement: Codable, Hashable, Sendable {
        var latitude: Double
        var longitude: Double
        var altitude: Double?
        var horizontalAccuracy: Double?
        var verticalAccuracy: Double?
        var course: Double?
        var courseAccuracy: Double?
        var speed: Double?
        var speedAccuracy: Double?
        var timestamp: Date?
    }
}

extension CLLocation.Measurement {
    init(_ place: Location) {
        self.init(
            latitude: place.latitude, longitude: place.longitude, altitude: place.altitude,
            horizontalAccuracy: place.horizontalAccuracy, verticalAccuracy: place.verticalAccuracy,
            course: place.course, speed: place.speed, timestamp: place.timestamp?.date)
    }

    /// The part that records store: the time in milliseconds, and no accuracies of course and speed.
    var place: Location {
        var place = Location(latitude: latitude, longitude: longitude)
        place.altitude = altitude
        place.horizontalAccuracy = horizontalAccuracy
        place.verticalAccuracy = verticalAccuracy
        place.course = course
        place.speed = speed
        place.timestamp = timestamp.map { Timestamp($0) }
        return place
    }
}
