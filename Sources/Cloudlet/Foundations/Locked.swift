import Synchronization

/// A value behind a lock. Critical sections are short and call no code of the app.
///
/// The CK classes are mutable, but CloudKit declares them `Sendable`; the lock makes that declaration true.
final class Locked<Value>: Sendable {
    private let value: Mutex<Value>

    init(_ value: consuming sending Value) {
        self.value = Mutex(value)
    }

    /// Reads or changes the value while holding the lock.
    func withLock<Result, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        try value.withLock(body)
    }
}

extension Locked where Value: Sendable {
    /// A copy of the value.
    var current: Value {
        withLock { $0 }
    }
}
