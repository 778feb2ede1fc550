package import Records
import Synchronization

/// The book of faults where calls and tests share it.
package final class FaultInjector: Sendable {
    private let book = Mutex(FaultBook())
    /// Read at every call, so that a server without faults pays one look.
    private let isQuiet = Atomic(true)

    package init() {}

    package func add(_ fault: Fault) -> Int { change { $0.add(fault) } }

    package func remove(_ id: Int) -> Bool { change { $0.remove(id) } }

    package func clear() { change { $0.clear() } }

    /// The faults in force with their history, in the order in which they were added.
    package var entries: [FaultInForce] { book.withLock { $0.entries } }

    private func change<Result: Sendable>(_ work: (inout FaultBook) -> Result) -> Result {
        book.withLock { book in
            let result = work(&book)
            isQuiet.store(book.entries.isEmpty, ordering: .releasing)
            return result
        }
    }

    /// The faults of these kinds that befall a call.
    package func strikes(_ kinds: Set<FaultKind>, on call: FaultCall) -> [Fault] {
        if isQuiet.load(ordering: .acquiring) { return [] }
        return book.withLock { $0.strikes(kinds, on: call) }
    }

    /// Throws the error of a fault of that kind, if one befalls the call.
    func check(_ kind: FaultKind, on call: FaultCall) throws(RecordError) {
        guard let fault = strikes([kind], on: call).first else { return }
        if let error = kind.error(afterSeconds: fault.seconds) { throw error }
    }
}
