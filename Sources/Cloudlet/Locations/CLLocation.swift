// Owns a position together with how well it was measured.

public import Foundation
internal import Records

/// A position with its altitude, motion and accuracies (API sheet 19.7).
// Sendable because its only property is constant.
open class CLLocation: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
    /// What is known; the getters supply what Core Location answers for the rest.
    let plain: PlainLocation

    /// A position of which nothing else is known; its `timestamp` is `Date.distantPast`.
    public init(latitude: CLLocationDegrees, longitude: CLLocationDegrees) {
        plain = PlainLocation(latitude: latitude, longitude: longitude)
    }

    /// A position measured at a moment.
    public convenience init(
        coordinate: CLLocationCoordinate2D,
        altitude: CLLocationDistance,
        horizontalAccuracy hAccuracy: CLLocationAccuracy,
        verticalAccuracy vAccuracy: CLLocationAccuracy,
        timestamp: Date
    ) {
        var plain = PlainLocation(latitude: coordinate.latitude, longitude: coordinate.longitude)
        plain.altitude = altitude
        plain.horizontalAccuracy = hAccuracy
        plain.verticalAccuracy = vAccuracy
        plain.timestamp = timestamp
        self.init(plain)
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
        var plain = PlainLocation(latitude: coordinate.latitude, longitude: coordinate.longitude)
        plain.altitude = altitude
        plain.horizontalAccuracy = hAccuracy
        plain.verticalAccuracy = vAccuracy
        plain.course = course
        plain.speed = speed
        plain.timestamp = timestamp
        self.init(plain)
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
        var plain = PlainLocation(latitude: coordinate.latitude, longitude: coordinate.longitude)
        plain.altitude = altitude
        plain.horizontalAccuracy = hAccuracy
        plain.verticalAccuracy = vAccuracy
        plain.course = course
        plain.courseAccuracy = courseAccuracy
        plain.speed = speed
        plain.speedAccuracy = speedAccuracy
        plain.timestamp = timestamp
        self.init(plain)
    }

    init(_ plain: PlainLocation) {
        self.plain = plain
    }

    /// Reads an archive that `encode(with:)` wrote; nil for anything else.
    public required init?(coder: NSCoder) {
        guard let plain = Archive.read(PlainLocation.self, as: Self.archiveKey, from: coder) else {
            return nil
        }
        self.plain = plain
    }

    /// The position in degrees.
    open var coordinate: CLLocationCoordinate2D {
        CLLocationCoordinate2D(latitude: plain.latitude, longitude: plain.longitude)
    }

    /// Metres above sea level; 0 when not known.
    open var altitude: CLLocationDistance { plain.altitude ?? 0 }
    /// Metres; 0 when not known.
    open var horizontalAccuracy: CLLocationAccuracy { plain.horizontalAccuracy ?? 0 }
    /// Metres; -1 when not known.
    open var verticalAccuracy: CLLocationAccuracy { plain.verticalAccuracy ?? -1 }
    /// Degrees clockwise from true north; -1 when not known.
    open var course: CLLocationDirection { plain.course ?? -1 }
    /// Degrees; -1 when not known.
    open var courseAccuracy: CLLocationDirectionAccuracy { plain.courseAccuracy ?? -1 }
    /// Metres a second; -1 when not known.
    open var speed: CLLocationSpeed { plain.speed ?? -1 }
    /// Metres a second; -1 when not known.
    open var speedAccuracy: CLLocationSpeedAccuracy { plain.speedAccuracy ?? -1 }
    /// When the position was measured; `Date.distantPast` when not known.
    open var timestamp: Date { plain.timestamp ?? .distantPast }

    /// The great-circle distance in metres, by the formula that the server uses too.
    open func distance(from location: CLLocation) -> CLLocationDistance {
        let here = Location(latitude: plain.latitude, longitude: plain.longitude)
        let there = Location(latitude: location.plain.latitude, longitude: location.plain.longitude)
        return here.distance(to: there)
    }

    /// Latitude and longitude, for people.
    open override var description: String {
        "<\(plain.latitude),\(plain.longitude)>"
    }

    /// Locations do not change, so a copy is the same object.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// Always true.
    public static var supportsSecureCoding: Bool { true }

    /// Writes everything under a key of this class.
    open func encode(with coder: NSCoder) {
        Archive.write(plain, as: Self.archiveKey, to: coder)
    }

    private static let archiveKey = "cloudlet.CLLocation"
}
