package import Records
import Synchronization

/// Makes calls and pushes fail on purpose, by the faults that a test or the shell adds.
///
/// Servers that accept no faults have no injector. Faults are injected in these places:
///
/// - `CloudResponder`: delays a call, refuses it, or drops its answer.
/// - `TokenSeal`: treats a change token as expired.
/// - `RecordService.modify`: refuses saves of a batch.
/// - `PushHub`: loses, delays or duplicates pushes, and takes devices offline.
package final class FaultInjector: Sendable {
    /// The call that the current task executes; set only while there are faults.
    @TaskLocal package static var call: FaultCall?

    private let faults = Mutex(FaultList())
    private let isEmpty = Atomic(true)

    package init() {}

    package func add(_ fault: Fault) -> Int { change { $0.add(fault) } }

    package func remove(_ id: Int) -> Bool { change { $0.remove(id) } }

    package func clear() { change { $0.clear() } }

    /// The active faults with their counts, in the order in which they were added.
    package var entries: [ActiveFault] { faults.withLock { $0.entries } }

    /// Whether there are no faults. Every call reads this, so it takes no lock.
    package var isQuiet: Bool { isEmpty.load(ordering: .acquiring) }

    private func change<Result: Sendable>(_ work: (inout FaultList) -> Result) -> Result {
        faults.withLock { faults in
            let result = work(&faults)
            isEmpty.store(faults.entries.isEmpty, ordering: .releasing)
            return result
        }
    }

    /// Returns the faults of these kinds that apply to a call; see `FaultList.applyFaults`.
    func applyFaults(_ kinds: Set<FaultKind>, to call: FaultCall) -> [Fault] {
        isQuiet ? [] : faults.withLock { $0.applyFaults(kinds, to: call) }
    }
}
