import Foundation
import Records

extension Location {
    /// The location at a bearing in radians and a distance in metres from this one.
    func place(at bearing: Double, distance: Double) -> Location {
        let toRadians = Double.pi / 180
        let angle = distance / Location.earthRadius
        let start = latitude * toRadians
        let end = asin(sin(start) * cos(angle) + cos(start) * sin(angle) * cos(bearing))
        let turn = atan2(sin(bearing) * sin(angle) * cos(start), cos(angle) - sin(start) * sin(end))
        let east = (longitude + turn / toRadians + 540).truncatingRemainder(dividingBy: 360) - 180
        return Location(latitude: end / toRadians, longitude: east)
    }
}

extension BoundingBox {
    /// Whether the box contains a location, with a tolerance for rounded degrees.
    func contains(_ place: Location) -> Bool {
        let slack = 1e-9
        guard (south - slack...north + slack).contains(place.latitude) else { return false }
        if crossesAntimeridian {
            return place.longitude >= west - slack || place.longitude <= east + slack
        }
        return (west - slack...east + slack).contains(place.longitude)
    }
}
