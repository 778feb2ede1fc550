import Foundation
import Synchronization

/// Passes news on while somebody listens; a script hears none, so that it says the same each time.
public final class Announcer: Sendable {
    private let listener = Mutex<(@Sendable (String) -> Void)?>(nil)

    /// Passes all news on to this listener from now on.
    public func listen(_ listener: @escaping @Sendable (String) -> Void) {
        self.listener.withLock { $0 = listener }
    }

    /// Whether somebody listens.
    public var isHeard: Bool { listener.withLock { $0 != nil } }

    /// Tells the listener something, if there is one.
    public func announce(_ news: String) {
        listener.withLock { $0 }?(news)
    }
}
