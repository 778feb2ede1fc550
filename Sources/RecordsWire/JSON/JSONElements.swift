/// The values inside an array or object, in order.
package struct JSONElements: Sequence, IteratorProtocol, Sendable {
    private let document: JSONDocument
    private var index: Int
    private let end: Int

    init(_ container: JSONNode, of kind: JSONKind) {
        document = container.document
        index = container.index + 1
        end = container.kind == kind ? Int(container.entry.next) : index
    }

    /// Whether all values have been returned.
    package var isEmpty: Bool { index >= end }

    package mutating func next() -> JSONNode? {
        guard index < end else { return nil }
        defer { index = Int(document.tape[index].next) }
        return JSONNode(document: document, index: index)
    }
}
