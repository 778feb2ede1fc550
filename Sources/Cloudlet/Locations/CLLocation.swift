public import Foundation
internal import Records

/// A position with its altitude, motion and accuracies.
// Sendable because its only property is constant.
open class CLLocation: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
    /// What is known; the getters supply what Core Location answers for the rest.
    let measured: Measurement

    /// A position of which nothing else is known; its `timestamp` is `Date.distantPast`.
    public init(latitude: CLLocationDegrees, longitude: CLLocationDegrees) {
        measured = Measurement(latitude: latitude, longitude: longitude)
    }

    /// A position measured at a moment.
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

    /// A position measured in motion.
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

    /// A position measured in motion, with the accuracy of that motion; records do not keep
    /// `courseAccuracy` and `speedAccuracy`.
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

    /// Reads an archive that `encode(with:)` wrote; nil for anything else.
    public required init?(coder: NSCoder) {
        guard let known = Archive.read(Measurement.self, as: Self.archiveKey, from: coder) else {
            return nil
        }
        measured = known
    }

    /// The position in degrees.
    open var coordinate: CLLocationCoordinate2D {
        CLLocationCoordinate2D(latitude: measured.latitude, longitude: measured.longitude)
    }

    /// Metres above sea level; 0 when not known.
    open var altitude: CLLocationDistance { measured.altitude ?? 0 }
    /// Metres; 0 when not known.
    open var horizontalAccuracy: CLLocationAccuracy { measured.horizontalAccuracy ?? 0 }
    /// Metres; -1 when not known.
    open var verticalAccuracy: CLLocationAccuracy { measured.verticalAccuracy ?? -1 }
    /// Degrees clockwise from true north; -1 when not known.
    open var course: CLLocationDirection { measured.course ?? -1 }
    /// Degrees; -1 when not known.
    open var courseAccuracy: CLLocationDirectionAccuracy { measured.courseAccuracy ?? -1 }
    /// Metres a second; -1 when not known.
    open var speed: CLLocationSpeed { measured.speed ?? -1 }
    /// Metres a second; -1 when not known.
    open var speedAccuracy: CLLocationSpeedAccuracy { measured.speedAccuracy ?? -1 }
    /// When the position was measured; `Date.distantPast` when not known.
    open var timestamp: Date { measured.timestamp ?? .distantPast }

    /// The great-circle distance in metres, by the formula that the server uses too.
    open func distance(from location: CLLocation) -> CLLocationDistance {
        measured.place.distance(to: location.measured.place)
    }

    /// Latitude and longitude, for people.
    open override var description: String {
        "<\(measured.latitude),\(measured.longitude)>"
    }

    /// Locations do not change, so a copy is the same object.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// Always true.
    public static var supportsSecureCoding: Bool { true }

    /// Writes everything under a key of this class.
    open func encode(with coder: NSCoder) {
        Archive.write(measured, as: Self.archiveKey, to: coder)
    }

    private static let archiveKey = "cloudlet.CLLocation"
}

extension CLLocation {
    /// What is known of a position; what was not measured is absent. Archives hold it as it stands here.
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

    /// What a record keeps of it: the time in milliseconds, and no accuracy of course and speed.
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
