package import Records

/// Sorts the operations of a batch so that no record is written before the records it refers to, and none is
/// deleted before the records that prevent its deletion. A share comes after its root.
package enum BatchOrder {
    /// Returns the indexes of the operations in the order of application: the targets of delete-self,
    /// validating and parent references come first, and a deletion comes after the operations on the records
    /// that `holders` returns for it.
    ///
    /// Otherwise, and within a cycle, the given order is kept.
    package static func sorted(
        _ operations: [RecordOperation], holders: (String) throws -> [String]
    ) rethrows -> [Int] {
        var needs = operations.map { $0.kind.isDelete ? [] : boundTargets(of: $0) }
        if operations.count > 1 {
            for (index, operation) in operations.enumerated() where operation.kind.isDelete {
                needs[index] = try operation.recordName.map(holders) ?? []
            }
        }
        if needs.allSatisfy(\.isEmpty) { return Array(operations.indices) }
        var position: [String: Int] = [:]
        for (index, operation) in operations.enumerated() {
            if let name = operation.recordName { position[name] = index }
        }
        let edges = needs.indices.map { index in
            // A save does not wait for the deletion of its target. Either the deletion comes first and the
            // save is refused, or the saved reference prevents the deletion.
            needs[index].compactMap { position[$0] }.filter { other in
                operations[index].kind.isDelete || !operations[other].kind.isDelete
            }
        }
        return depthFirst(edges)
    }

    /// Returns all indexes, each after the indexes to which its edges lead.
    private static func depthFirst(_ edges: [[Int]]) -> [Int] {
        var order: [Int] = []
        var seen = [Bool](repeating: false, count: edges.count)
        for start in edges.indices where !seen[start] {
            seen[start] = true
            var path: [(index: Int, next: Int)] = [(start, 0)]
            while let (index, next) = path.last {
                guard next < edges[index].count else {
                    order.append(index)
                    path.removeLast()
                    continue
                }
                path[path.count - 1].next += 1
                let target = edges[index][next]
                if !seen[target] {
                    seen[target] = true
                    path.append((target, 0))
                }
            }
        }
        return order
    }

    private static func boundTargets(of operation: RecordOperation) -> [String] {
        var targets: [String] = []
        if case .set(let parent) = operation.parent { targets.append(parent) }
        if let root = operation.share?.root { targets.append(root) }
        for field in operation.fields.values where field.value.type.element == .reference {
            for case .reference(let reference) in field.value.elements where reference.action != .none {
                targets.append(reference.recordName)
            }
        }
        return targets
    }
}
