package import Records

/// The faults in force, with how often each has met a call that it is about.
package struct FaultBook: Hashable, Sendable {
    package private(set) var entries: [FaultInForce] = []
    private var lastID = 0

    package init() {}

    /// Puts a fault in force; returns its number.
    package mutating func add(_ fault: Fault) -> Int {
        lastID += 1
        entries.append(FaultInForce(id: lastID, fault: fault))
        return lastID
    }

    /// Ends a fault; false when there is none of that number.
    package mutating func remove(_ id: Int) -> Bool {
        let count = entries.count
        entries.removeAll { $0.id == id }
        return entries.count < count
    }

    /// Ends all faults.
    package mutating func clear() {
        entries.removeAll()
    }

    /// The faults of these kinds that befall a call, in the order in which they were added.
    ///
    /// Counts the call for each fault of these kinds that is about it; each kind is asked about once in a
    /// call.
    package mutating func strikes(_ kinds: Set<FaultKind>, on call: FaultCall) -> [Fault] {
        var result: [Fault] = []
        for index in entries.indices {
            let fault = entries[index].fault
            guard kinds.contains(fault.kind), fault.concerns(call) else { continue }
            entries[index].met += 1
            guard fault.befalls(entries[index].met) else { continue }
            entries[index].struck += 1
            result.append(fault)
        }
        return result
    }
}
