package import Records
import Synchronization

/// Whether the writes of a store are refused, because the server stops.
package final class WriteInterruption: Interruption {
    private let flag = Atomic(false)

    package let interval: Int32 = 50

    package init() {}

    package func stop() { flag.store(true, ordering: .relaxed) }

    /// Throws `tryAgainLater` if writes are refused.
    package func check() throws(RecordError) {
        if flag.load(ordering: .relaxed) { throw RecordError.stopping }
    }
}
