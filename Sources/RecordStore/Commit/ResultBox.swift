import Synchronization

/// Passes a value from one thread to another.
package final class ResultBox<Value: Sendable>: Sendable {
    private let value = Mutex<Value?>(nil)

    package init() {}

    package func set(_ new: Value) {
        value.withLock { $0 = new }
    }

    package func take() -> Value? {
        value.withLock { $0.take() }
    }
}
