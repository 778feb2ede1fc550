package import Records
import Synchronization

/// Whether the writes of a store are refused, because the server stops.
package final class WriteInterruption: Sendable {
    private let flag = Atomic(false)

    package init() {}

    package var isStopped: Bool { flag.load(ordering: .relaxed) }

    package func stop() { flag.store(true, ordering: .relaxed) }

    /// Throws `tryAgainLater` if writes are refused.
    package func check() throws(RecordError) {
        if isStopped { throw RecordError.stopping }
    }
}
