import Foundation
import Synchronization

/// Passes messages to a listener, if there is one. Scripts have none, so that their output is the same on
/// each run.
public final class Announcer: Sendable {
    private let listener = Mutex<(@Sendable (String) -> Void)?>(nil)

    /// Sets the listener for all further messages.
    public func listen(_ listener: @escaping @Sendable (String) -> Void) {
        self.listener.withLock { $0 = listener }
    }

    /// Whether there is a listener.
    public var hasListener: Bool { listener.withLock { $0 != nil } }

    /// Passes a message to the listener, if there is one.
    public func announce(_ message: String) {
        listener.withLock { $0 }?(message)
    }
}
