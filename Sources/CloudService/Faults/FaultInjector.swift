package import Records
import Synchronization

/// Lets calls and pushes fail on purpose, by the faults that a test or a person at a shell adds.
///
/// Servers that take no faults have no injector. These places ask it, and find nil there:
///
/// - `CloudResponder`: a call is late, is refused, or gets no answer.
/// - `TokenSeal`: a token counts as expired.
/// - `RecordService.modify`: saves of a batch are refused.
/// - `PushHub`: pushes are lost, late or doubled, and devices have no network.
package final class FaultInjector: Sendable {
    /// The call that this task carries out; set while there are faults.
    @TaskLocal package static var call: FaultCall?

    private let book = Mutex(FaultBook())
    private let isEmpty = Atomic(true)

    package init() {}

    package func add(_ fault: Fault) -> Int { change { $0.add(fault) } }

    package func remove(_ id: Int) -> Bool { change { $0.remove(id) } }

    package func clear() { change { $0.clear() } }

    /// The faults in force with their history, in the order in which they were added.
    package var entries: [FaultInForce] { book.withLock { $0.entries } }

    /// Whether no faults are in force; takes no lock.
    package var isQuiet: Bool { isEmpty.load(ordering: .acquiring) }

    private func change<Result: Sendable>(_ work: (inout FaultBook) -> Result) -> Result {
        book.withLock { book in
            let result = work(&book)
            isEmpty.store(book.entries.isEmpty, ordering: .releasing)
            return result
        }
    }

    /// The faults of these kinds that befall a call.
    func strikes(_ kinds: Set<FaultKind>, on call: FaultCall) -> [Fault] {
        isQuiet ? [] : book.withLock { $0.strikes(kinds, on: call) }
    }
}
