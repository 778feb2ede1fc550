/// A value in a document: two words, free to make and to copy.
package struct JSONNode: Sendable {
    let document: JSONDocument
    let index: Int

    @inline(__always)
    var entry: JSONEntry { document.tape[index] }

    package var kind: JSONKind { entry.kind }
    package var isNull: Bool { entry.kind == .null }

    /// The bytes of the value as they stand in the text; for strings without their quotes.
    var text: ArraySlice<UInt8> { document.bytes[Int(entry.start)..<Int(entry.end)] }

    /// The value of a member; nil when it is absent or null, or this is no object. The last of equal keys
    /// counts.
    package subscript(key: StaticString) -> JSONNode? {
        guard let value = member(key), !value.isNull else { return nil }
        return value
    }

    /// The value of a member, null included.
    package func member(_ key: StaticString) -> JSONNode? {
        document.member(key, of: index).map { JSONNode(document: document, index: $0) }
    }

    /// The members of an object in their order, keys as strings nodes; empty for other kinds.
    package var members: JSONMembers {
        JSONMembers(JSONElements(self, of: .object))
    }

    /// The elements of an array in their order; empty for other kinds.
    package var elements: JSONElements {
        JSONElements(self, of: .array)
    }

    /// Whether this is a string of that text.
    package func equals(_ other: StaticString) -> Bool {
        document.isString(index, other)
    }
}
