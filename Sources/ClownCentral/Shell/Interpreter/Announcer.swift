// Owns the way of news that nobody asked for to whoever sits at the shell.
import Foundation
import Synchronization

/// Passes news on while somebody listens; a script hears none, so that it says the same each time.
final class Announcer: Sendable {
    private let listener = Mutex<(@Sendable (String) -> Void)?>(nil)

    func listen(_ listener: @escaping @Sendable (String) -> Void) {
        self.listener.withLock { $0 = listener }
    }

    /// Whether somebody listens.
    var isHeard: Bool { listener.withLock { $0 != nil } }

    func announce(_ news: String) {
        listener.withLock { $0 }?(news)
    }
}
