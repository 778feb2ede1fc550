/// The members of an object, in order.
package struct JSONMembers: Sequence, IteratorProtocol, Sendable {
    private var nodes: JSONElements

    init(_ nodes: JSONElements) {
        self.nodes = nodes
    }

    /// Whether all members have been returned.
    package var isEmpty: Bool { nodes.isEmpty }

    package mutating func next() -> (key: JSONNode, value: JSONNode)? {
        guard let key = nodes.next(), let value = nodes.next() else { return nil }
        return (key, value)
    }
}
