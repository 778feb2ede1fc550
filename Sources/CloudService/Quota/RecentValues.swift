import Records
import Synchronization

/// Remembers for a minute what takes long to count, such as the disk usage of a container: it visits every
/// file. One request at a time counts.
final class RecentValues<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private struct Entry {
        /// The last value; nil before the first.
        var value: Value?
        var counted = Timestamp(milliseconds: 0)
        var isCounting = false
    }

    private let entries = Mutex<[Key: Entry]>([:])

    /// Seconds for which a value is good.
    static var age: Int64 { 60 }

    /// The last value; a new one if the last is too old and no other request counts. nil while another
    /// request counts for the first time.
    func value(
        of key: Key, at now: Timestamp, count: () async throws -> Value
    ) async throws -> Value? {
        let (known, isDue) = entries.withLock { entries -> (Value?, Bool) in
            var entry = entries[key] ?? Entry()
            let isGood = entry.value != nil && now < entry.counted.advanced(bySeconds: Self.age)
            if isGood || entry.isCounting { return (entry.value, false) }
            entry.isCounting = true
            entries[key] = entry
            return (entry.value, true)
        }
        if !isDue { return known }
        do {
            let value = try await count()
            entries.withLock { $0[key] = Entry(value: value, counted: now) }
            return value
        } catch {
            entries.withLock { $0[key] = Entry(value: known) }
            throw error
        }
    }

    /// Forgets some values.
    func forget(where isForgotten: (Key) -> Bool) {
        entries.withLock { entries in entries = entries.filter { !isForgotten($0.key) } }
    }
}
