import Foundation
import RecordStore
import Records

/// A bound for an order by distance: at most so far from its centre or, for the farthest first, from the
/// point on the other side of the globe.
struct DistanceRing {
    var field: IndexedField
    var center: Location
    var radius: Double
    var isNearestFirst: Bool

    /// Half the circumference: nothing is farther away.
    private static let reach = Double.pi * Location.earthRadius

    /// The first ring to try for a plan; nil for plans that no ring helps: another order, a condition that
    /// bounds the distance already, or only records without a place to come.
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

    /// The next ring to try when this one holds `count` records, fewer than are wanted; nil: no bound.
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
