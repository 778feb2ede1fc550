import Records
import Synchronization

/// Caches for a minute values that take long to compute, such as the disk usage of a container, for which
/// every file is visited. One request at a time computes a value.
final class RecentValues<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private struct Entry {
        /// The last value; nil before the first.
        var value: Value?
        var counted = Timestamp(milliseconds: 0)
        var isCounting = false
    }

    private let entries = Mutex<[Key: Entry]>([:])

    /// The number of seconds for which a value is valid.
    static var age: Int64 { 60 }

    /// Returns the last value while it is valid, and otherwise computes a new one by `count`. While another
    /// request already computes it, returns the last value, or nil before the first.
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

    /// Removes the values of the keys for which the closure returns true.
    func forget(where isForgotten: (Key) -> Bool) {
        entries.withLock { entries in entries = entries.filter { !isForgotten($0.key) } }
    }
}
