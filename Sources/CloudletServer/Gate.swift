import Synchronization

/// Open until it is closed, once and for all.
final class Gate: Sendable {
    private let open = Atomic(true)

    var isOpen: Bool { open.load(ordering: .acquiring) }

    func close() { open.store(false, ordering: .releasing) }
}
