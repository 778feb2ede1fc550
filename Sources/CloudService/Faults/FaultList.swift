package import Records

/// The active faults, each with the number of calls that matched it and the number that it made fail.
package struct FaultList: Hashable, Sendable {
    package private(set) var entries: [ActiveFault] = []
    private var lastID = 0

    package init() {}

    /// Adds a fault and returns its number.
    package mutating func add(_ fault: Fault) -> Int {
        lastID += 1
        entries.append(ActiveFault(id: lastID, fault: fault))
        return lastID
    }

    /// Removes a fault. Returns false if there is none with that number.
    package mutating func remove(_ id: Int) -> Bool {
        let count = entries.count
        entries.removeAll { $0.id == id }
        return entries.count < count
    }

    /// Removes all faults.
    package mutating func clear() {
        entries.removeAll()
    }

    /// Returns the faults of these kinds that apply to a call, in the order in which they were added.
    ///
    /// Each fault that matches the call counts it, so this must be called only once per call for each kind.
    package mutating func applyFaults(_ kinds: Set<FaultKind>, to call: FaultCall) -> [Fault] {
        var result: [Fault] = []
        for index in entries.indices {
            let fault = entries[index].fault
            guard kinds.contains(fault.kind), fault.concerns(call) else { continue }
            entries[index].matchingCalls += 1
            guard fault.affects(call: entries[index].matchingCalls) else { continue }
            entries[index].affectedCalls += 1
            result.append(fault)
        }
        return result
    }
}
