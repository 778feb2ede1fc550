import NIOCore
import Synchronization

/// Permits the compression of one long answer at a time on each event loop.
///
/// Compressing a long answer takes hundreds of milliseconds, in pieces between which the loop serves its
/// other connections. With several such answers, a piece of one would be due whenever a piece of another has
/// ended, and the other connections would wait for all of them.
final class CompressionSlots: Sendable {
    private let taken = Mutex<Set<ObjectIdentifier>>([])

    /// Takes the slot of a loop. Returns false if it is taken: then the answer is sent as it is.
    func take(on loop: any EventLoop) -> Bool {
        taken.withLock { $0.insert(ObjectIdentifier(loop)).inserted }
    }

    func release(on loop: any EventLoop) {
        taken.withLock { _ = $0.remove(ObjectIdentifier(loop)) }
    }
}
