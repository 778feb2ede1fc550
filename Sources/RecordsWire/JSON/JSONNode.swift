// Owns the cursor on one value of a parsed document.

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
        var found: JSONNode?
        for (name, value) in members where name.equals(key) { found = value }
        return found
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
        let entry = entry
        guard entry.kind == .string else {
            return entry.kind == .escapedString && JSONText.unescaped(text) == other.description
        }
        let count = Int(entry.end - entry.start)
        guard count == other.utf8CodeUnitCount else { return false }
        let known = UnsafeBufferPointer(start: other.utf8Start, count: count)
        return document.bytes.withUnsafeBufferPointer {
            UnsafeBufferPointer(rebasing: $0[Int(entry.start)..<Int(entry.end)]).elementsEqual(known)
        }
    }
}
