/// A value in a document: a reference and an index, cheap to create and copy.
package struct JSONNode: Sendable {
    let document: JSONDocument
    let index: Int

    @inline(__always)
    var entry: JSONEntry { document.tape[index] }

    package var kind: JSONKind { entry.kind }
    package var isNull: Bool { entry.kind == .null }

    /// The bytes of the value in the text; for strings without quotes.
    var text: ArraySlice<UInt8> { document.bytes[Int(entry.start)..<Int(entry.end)] }

    /// The value of a member; nil if it is absent or null, or if this is not an object. If a key occurs
    /// twice, the last value counts.
    package subscript(key: StaticString) -> JSONNode? {
        guard let value = member(key), !value.isNull else { return nil }
        return value
    }

    /// The value of a member, including null.
    package func member(_ key: StaticString) -> JSONNode? {
        document.member(key, of: index).map { JSONNode(document: document, index: $0) }
    }

    /// The members of an object in order, with keys as string nodes; empty for other kinds.
    package var members: JSONMembers {
        JSONMembers(JSONElements(self, of: .object))
    }

    /// The elements of an array in order; empty for other kinds.
    package var elements: JSONElements {
        JSONElements(self, of: .array)
    }

    /// Whether this is a string with this text.
    package func equals(_ other: StaticString) -> Bool {
        document.isString(index, other)
    }
}
