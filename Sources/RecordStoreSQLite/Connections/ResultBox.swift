import Synchronization

/// Holds a value that one side sets and the other takes.
final class ResultBox<Value: Sendable>: Sendable {
    private let value = Mutex<Value?>(nil)

    func set(_ new: Value) {
        value.withLock { $0 = new }
    }

    func take() -> Value? {
        value.withLock { $0.take() }
    }
}
