// Owns the order in which the operations of a batch are applied.

package import Records

/// Sorts batches so that no record is written before the records it refers to (talk 2, "topological sort").
package enum BatchOrder {
    /// The indexes of the operations, targets of delete-self, validating and parent references first.
    ///
    /// Otherwise the given order is kept, and a cycle keeps it too.
    package static func targetsFirst(_ operations: [RecordOperation]) -> [Int] {
        let targets = operations.map(boundTargets)
        if targets.allSatisfy(\.isEmpty) { return Array(operations.indices) }
        var position: [String: Int] = [:]
        for (index, operation) in operations.enumerated() where !operation.kind.isDelete {
            if let name = operation.recordName { position[name] = index }
        }
        var order: [Int] = []
        var seen = [Bool](repeating: false, count: operations.count)
        for start in operations.indices where !seen[start] {
            seen[start] = true
            var path: [(index: Int, next: Int)] = [(start, 0)]
            while let (index, next) = path.last {
                guard next < targets[index].count else {
                    order.append(index)
                    path.removeLast()
                    continue
                }
                path[path.count - 1].next += 1
                if let target = position[targets[index][next]], !seen[target] {
                    seen[target] = true
                    path.append((target, 0))
                }
            }
        }
        return order
    }

    private static func boundTargets(of operation: RecordOperation) -> [String] {
        if operation.kind.isDelete { return [] }
        var targets: [String] = []
        if case .set(let parent) = operation.parent { targets.append(parent) }
        for field in operation.fields.values {
            for case .reference(let reference) in field.value.elements where reference.action != .none {
                targets.append(reference.recordName)
            }
        }
        return targets
    }
}
