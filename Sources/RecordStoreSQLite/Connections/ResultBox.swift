import Synchronization

/// Passes a value from one thread to another.
final class ResultBox<Value: Sendable>: Sendable {
    private let value = Mutex<Value?>(nil)

    func set(_ new: Value) {
        value.withLock { $0 = new }
    }

    func take() -> Value? {
        value.withLock { $0.take() }
    }
}
