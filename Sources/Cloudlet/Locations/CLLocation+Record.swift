internal import CoreLocation
internal import Records

extension CLLocation.Measurement {
    init(_ place: Location) {
        self.init(latitude: place.latitude, longitude: place.longitude)
        altitude = place.altitude
        horizontalAccuracy = place.horizontalAccuracy
        verticalAccuracy = place.verticalAccuracy
        course = place.course
        speed = place.speed
        timestamp = place.timestamp?.date
    }

    /// The part that records store: the time in milliseconds, no accuracies of course and speed, no height
    /// above the ellipsoid, no floor and no source.
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
