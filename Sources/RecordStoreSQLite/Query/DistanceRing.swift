import Foundation
import RecordStore
import Records

/// A bound that an order by distance adds to a query, so that the spatial index can be used: at most `radius`
/// metres from the centre, or, farthest first, from the antipode of the centre.
struct DistanceRing {
    var field: IndexedField
    var center: Location
    var radius: Double
    var isNearestFirst: Bool

    /// Half the circumference of the Earth in metres: the largest possible distance.
    private static let reach = Double.pi * Location.earthRadius

    /// The first ring to try for a plan. Nil for plans that a ring cannot help: another order, a condition
    /// that limits the distance already, or a cursor after which only records without a place remain.
    init?(for plan: QueryPlan, on type: TypeTable) {
        guard let order = plan.order.first, case .distance(let name, let place) = order.key,
            let field = type.field(named: name), field.isLocation,
            !plan.filters.contains(where: { $0.comparator == .near })
        else { return nil }
        self.field = field
        center = place
        isNearestFirst = order.ascending
        radius = 1000
        switch plan.cursor?.values.first {
        case .missing: return nil
        case .real(let reached):
            let inside = order.ascending ? reached : Self.reach - reached
            radius = max(radius, inside * 1.25)
            if radius >= Self.reach { return nil }
        default: break
        }
    }

    /// Returns the next ring to try when this one contains only `count` records, fewer than wanted; nil means
    /// no bound.
    func widened(holding count: Int) -> DistanceRing? {
        var wider = self
        wider.radius *= count == 0 ? 16 : 4
        return wider.radius < Self.reach ? wider : nil
    }

    func conditions(_ query: QuerySQL) -> [SQLText] {
        var distance = query.expression(of: .distance(field: field.name, from: center))
        if isNearestFirst {
            distance.add(" <= ?", .real(radius))
            return [query.inBox(field, around: center, radius: radius), distance]
        }
        distance.add(" >= ?", .real(Self.reach - radius))
        let longitude = center.longitude > 0 ? center.longitude - 180 : center.longitude + 180
        let antipode = Location(latitude: -center.latitude, longitude: longitude)
        return [query.inBox(field, around: antipode, radius: radius), distance]
    }
}
