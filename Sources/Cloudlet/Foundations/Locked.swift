import Foundation

/// A value behind a lock. Critical sections are short and call no code of the app.
///
/// The CK classes are mutable, but CloudKit declares them `Sendable`; the lock makes that declaration true.
// Sendable because `value` is accessed only while `lock` is held.
final class Locked<Value>: @unchecked Sendable {
    private var value: Value
    private let lock = NSLock()

    init(_ value: Value) {
        self.value = value
    }

    /// Reads or changes the value while holding the lock.
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
