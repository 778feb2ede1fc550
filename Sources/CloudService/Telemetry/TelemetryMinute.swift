package import Records

/// The counts of one minute, or of a part of it.
package struct TelemetryMinute: Hashable, Sendable {
    /// The number of the minute (`TelemetryPeriod.number`).
    package var number: Int64
    package var counts: [TelemetryKey: TelemetryCounts] = [:]
    package var people: [ContainerKey: DistinctCount] = [:]

    package init(number: Int64) { self.number = number }

    package var isEmpty: Bool { counts.isEmpty && people.isEmpty }

    /// Changes the counts of a key. If there are `limit` keys already, a new key is counted under
    /// `TelemetryKey.other`, which does not count towards the limit.
    package mutating func add(
        to key: TelemetryKey, limit: Int, _ change: (inout TelemetryCounts) -> Void
    ) {
        let keys = counts.count - (counts[.other] == nil ? 0 : 1)
        let hasRoom = keys < limit || counts[key] != nil
        change(&counts[hasRoom ? key : .other, default: TelemetryCounts()])
    }

    /// Adds the counts of another part of the same minute, or of an earlier minute.
    package mutating func merge(_ other: TelemetryMinute, limit: Int) {
        for (key, counts) in other.counts { add(to: key, limit: limit) { $0.merge(counts) } }
        for (place, people) in other.people where self.people.count < limit || self.people[place] != nil {
            self.people[place, default: DistinctCount()].merge(people)
        }
    }

    /// Removes the counts of a container.
    package mutating func remove(_ container: String) {
        counts = counts.filter { $0.key.container != container }
        people = people.filter { $0.key.container != container }
    }
}
