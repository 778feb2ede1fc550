import Synchronization

/// A flag that is open until it is closed, permanently.
final class OpenFlag: Sendable {
    private let open = Atomic(true)

    var isOpen: Bool { open.load(ordering: .acquiring) }

    func close() { open.store(false, ordering: .releasing) }
}
