import Foundation

/// A value behind a lock; critical sections are short and call nothing of the app's.
///
/// The CK classes are declared `Sendable` by the interface they copy, although they are mutable; this makes
/// the declaration true.
// Sendable because `value` is reached only with `lock` held.
final class Locked<Value>: @unchecked Sendable {
    private var value: Value
    private let lock = NSLock()

    init(_ value: Value) {
        self.value = value
    }

    /// Reads or changes the value with the lock held.
    func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(&value)
    }

    /// A copy of the value.
    var current: Value {
        withLock { $0 }
    }
}
