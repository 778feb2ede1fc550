import Records

/// The counts that have not been stored yet, by minute, and the sums of all counts since the server started,
/// without those of deleted containers.
struct TelemetryBuffer: Sendable {
    /// The maximum number of keys of a minute. Further ones are counted under `TelemetryKey.other`.
    private let keyLimit: Int
    private var current: TelemetryMinute?
    /// Minutes that have ended, oldest first.
    private var ended: [TelemetryMinute] = []
    /// The sum of the counts that `drain` has returned since the start.
    private var taken = TelemetryMinute(number: 0)
    /// Counts that `drain` has returned but that could not be stored. `taken` contains them too.
    private var failed: TelemetryMinute?

    /// The maximum number of ended minutes in memory. More are added up into one.
    private static let waitingMinutes = 60

    init(keyLimit: Int) { self.keyLimit = max(1, keyLimit) }

    var isEmpty: Bool { current == nil && ended.isEmpty && failed == nil }

    /// All counts since the server started, without those of deleted containers.
    var totals: [TelemetryKey: TelemetryCounts] {
        var sum = taken
        for minute in ended + [current].compactMap(\.self) { sum.merge(minute, limit: keyLimit) }
        return sum.counts
    }

    /// Counts a request in a minute.
    ///
    /// - Parameter exists: whether a container is known to exist. It is called for keys that are new in this
    ///   minute.
    mutating func add(_ request: AnsweredRequest, in minute: Int64, exists: (String) -> Bool) {
        begin(minute)
        let limit = keyLimit
        var key = TelemetryKey(
            container: request.container, environment: request.environment, database: request.database,
            operation: request.operation)
        if current?.counts.index(forKey: key) == nil, let container = key.container, !exists(container) {
            key.container = TelemetryKey.otherName
        }
        current?.add(to: key, limit: limit) { $0.add(request) }
        guard let person = request.person, let container = key.container,
            container != TelemetryKey.otherName, let environment = request.environment
        else { return }
        let place = ContainerKey(container: container, environment: environment)
        let hasRoom = (current?.people.count ?? 0) < limit || current?.people[place] != nil
        if hasRoom { current?.people[place, default: DistinctCount()].add(person) }
    }

    /// Counts pushes in a minute.
    mutating func add(_ pushes: [TelemetryKey: TelemetryCounts], in minute: Int64) {
        if pushes.isEmpty { return }
        begin(minute)
        let limit = keyLimit
        for (key, counts) in pushes { current?.add(to: key, limit: limit) { $0.merge(counts) } }
    }

    /// Removes and returns the minutes that have not been stored, oldest first.
    mutating func drain() -> [TelemetryMinute] {
        let minutes = ended + [current].compactMap(\.self)
        for minute in minutes { taken.merge(minute, limit: keyLimit) }
        defer { (ended, current, failed) = ([], nil, nil) }
        return [failed].compactMap(\.self) + minutes
    }

    /// Takes back drained minutes that could not be stored. They are added up under the number of the last
    /// one.
    mutating func restore(_ minutes: [TelemetryMinute]) {
        failed = sum(of: [failed].compactMap(\.self) + minutes)
    }

    mutating func remove(_ container: String) {
        current?.remove(container)
        for place in ended.indices { ended[place].remove(container) }
        taken.remove(container)
        failed?.remove(container)
    }

    private mutating func begin(_ minute: Int64) {
        if let current, current.number == minute { return }
        if let current { ended.append(current) }
        current = TelemetryMinute(number: minute)
        if ended.count > Self.waitingMinutes, let sum = sum(of: ended) { ended = [sum] }
    }

    private func sum(of minutes: [TelemetryMinute]) -> TelemetryMinute? {
        guard var sum = minutes.last else { return nil }
        for minute in minutes.dropLast() { sum.merge(minute, limit: keyLimit) }
        return sum
    }
}
