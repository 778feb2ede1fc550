/// The notifications that other nodes have told of and that are not posted yet, by the database.
///
/// Nodes may tell of more than this one can post for a while. So it notes one range for each database,
/// however many messages came.
struct ToldNotifications {
    private var ranges: [DatabaseKey: DeliveryCursor.Range] = [:]
    /// The databases in the order of their first messages; the first `taken` were taken.
    private var order: [DatabaseKey] = []
    private var taken = 0
    private let limit: Int

    /// - Parameter limit: the largest number of databases.
    init(limit: Int = 100_000) { self.limit = limit }

    /// Notes notifications. Returns false if there are too many databases; then all are forgotten.
    mutating func add(_ range: DeliveryCursor.Range, in key: DatabaseKey) -> Bool {
        if let known = ranges[key] {
            ranges[key] = (min(known.after, range.after), max(known.upTo, range.upTo))
            return true
        }
        guard ranges.count < limit else {
            (ranges, order, taken) = ([:], [], 0)
            return false
        }
        ranges[key] = range
        order.append(key)
        return true
    }

    /// Takes the notifications of the database that has waited longest; nil if there are none.
    mutating func next() -> (key: DatabaseKey, range: DeliveryCursor.Range)? {
        guard taken < order.count else { return nil }
        let key = order[taken]
        taken += 1
        if taken == order.count || taken >= 1024 {
            order.removeFirst(taken)
            taken = 0
        }
        return ranges.removeValue(forKey: key).map { (key, $0) }
    }
}
