import Records

/// Remembers how full the public databases are, some of which are measured at each step, in rounds over all
/// containers.
struct QuotaRound: Sendable {
    private var percents: [ContainerKey: Double] = [:]
    /// The container that was measured last; nil before the first.
    private var last: String?

    /// The maximum number of containers that are measured at one step.
    static let step = 200

    /// Returns the containers to measure now: those after the last ones, and from the beginning again after
    /// the end. Forgets the containers that no longer exist.
    mutating func next(of names: [String]) -> [String] {
        let known = Set(names)
        percents = percents.filter { known.contains($0.key.container) }
        let sorted = names.sorted { $0.precedesInBytes($1) }
        let start = last.flatMap { last in sorted.firstIndex { last.precedesInBytes($0) } } ?? 0
        let turn = (sorted[start...] + sorted[..<start]).prefix(Self.step)
        last = turn.last
        return Array(turn)
    }

    /// Stores how full a public database is, in percent; 0 for one that does not exist or has no limit.
    mutating func store(_ percent: Double, of place: ContainerKey) { percents[place] = percent }

    /// The fullest of the databases that were measured; nil before the first.
    var fullest: AlertFigures.Fullness? {
        let order = percents.sorted {
            ($0.key.container, $0.key.environment.rawValue) < ($1.key.container, $1.key.environment.rawValue)
        }
        return order.max { $0.value < $1.value }.map { place, percent in
            AlertFigures.Fullness(
                database: "\(place.container) \(place.environment.rawValue)", percent: percent)
        }
    }
}
