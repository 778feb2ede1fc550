import Records
import Synchronization

/// Whether the writes of a store are refused, because the server stops.
final class WriteInterruption: Sendable {
    private let flag = Atomic(false)

    var isStopped: Bool { flag.load(ordering: .relaxed) }

    func stop() { flag.store(true, ordering: .relaxed) }

    /// Throws `tryAgainLater` if writes are refused.
    func check() throws(RecordError) {
        if isStopped { throw RecordError.stopping }
    }
}
