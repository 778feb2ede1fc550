import Synchronization

/// A value behind a lock, for those who share it; critical sections are short and call nothing of the app's.
///
/// The CK classes are declared `Sendable` by the interface they copy, although they are mutable; this makes
/// the declaration true.
final class Locked<Value>: Sendable {
    private let value: Mutex<Value>

    init(_ value: consuming sending Value) {
        self.value = Mutex(value)
    }

    /// Reads or changes the value with the lock held.
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
