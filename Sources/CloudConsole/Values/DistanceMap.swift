import Foundation
import Records

/// A small map of a distance query: its centre, its radius, and the records that were found, with north at
/// the top. It is drawn on the server, as SVG without any script.
struct DistanceMap: Sendable {
    /// A circle of the picture.
    struct Dot: Hashable, Sendable {
        var x: String
        var y: String
        var title: String
    }

    /// The picture is square; its centre is at `middle`.
    static let middle = 120.0
    /// The radius of the query's circle in the picture.
    static let radius = 100.0
    /// The maximum number of units of the picture per kilometre.
    private static let largestScale = 1e9

    var dots: [Dot]
    /// The radius of the query in words.
    var radiusWords: String
    var place: String
    /// The text for screen readers.
    var label: String

    /// - Parameters:
    ///   - centre: the place of the query.
    ///   - kilometres: the radius of the query, more than 0.
    ///   - found: the records with their places.
    init(centre: Location, kilometres: Double, found: [(name: String, at: Location)]) {
        // A tiny radius must not make the scale infinite, because 0 times infinity is not a number.
        let scale = min(Self.radius / kilometres, Self.largestScale)
        var budget = PageTextBudget(bytes: 8000)
        dots = found.prefix(100).map { name, place in
            let (east, north) = Self.offset(of: place, from: centre)
            return Dot(
                x: Self.text(Self.middle + east * scale), y: Self.text(Self.middle - north * scale),
                title: budget.shortened(name, bytes: 100))
        }
        radiusWords = "\(Self.text(kilometres)) km"
        place = "\(centre.latitude), \(centre.longitude)"
        label = "\(found.count) records within \(radiusWords) of \(place)"
    }

    /// The distance in kilometres to the east and to the north. The picture is small, so it is calculated on
    /// a plane. Across the date line it is the shorter way.
    private static func offset(of place: Location, from centre: Location) -> (east: Double, north: Double) {
        let degree = 111.195
        var turn = place.longitude - centre.longitude
        if turn > 180 { turn -= 360 }
        if turn < -180 { turn += 360 }
        let shrink = cos((place.latitude + centre.latitude) / 2 * .pi / 180)
        return (turn * shrink * degree, (place.latitude - centre.latitude) * degree)
    }

    /// A number as text with at most one decimal, clamped to ±100,000.
    private static func text(_ number: Double) -> String {
        let bounded = min(max(number, -100_000), 100_000)
        let tenths = Int((bounded * 10).rounded())
        let (whole, rest) = (abs(tenths) / 10, abs(tenths) % 10)
        return (tenths < 0 ? "-" : "") + (rest == 0 ? "\(whole)" : "\(whole).\(rest)")
    }

    /// The map for a query and its page of records; nil for a query without a distance.
    static func of(_ input: QueryInput, _ records: [Record]) -> DistanceMap? {
        guard let condition = input.conditions.first(where: { $0.comparator == .near && !$0.isEmpty }),
            let centre = ValueText.location(condition.value), let kilometres = Double(condition.kilometres),
            kilometres.isFinite, kilometres > 0
        else { return nil }
        let found = records.compactMap { record -> (name: String, at: Location)? in
            guard case .location(let place)? = record.fields[condition.field]?.value else { return nil }
            return (record.id.name, place)
        }
        return DistanceMap(centre: centre, kilometres: kilometres, found: found)
    }
}
