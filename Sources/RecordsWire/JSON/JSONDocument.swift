package import Records

/// A JSON text that has been checked once from end to end and can be read at leisure.
///
/// Nothing is converted while parsing: strings and numbers stay where they are until somebody asks.
package final class JSONDocument: Sendable {
    let bytes: [UInt8]
    let tape: [JSONEntry]

    /// Checks `bytes` against RFC 8259, UTF-8 included. Throws `badRequest` with the offset of the first byte
    /// that does not fit, and `limitExceeded` for more than `values` values.
    package init(_ bytes: [UInt8], nesting: Int = Limits().nesting, values: Int = .max) throws(RecordError) {
        guard bytes.count < Int(UInt32.max) else {
            throw RecordError(.badRequest, unexpectedInput, culprit: "byte \(UInt32.max)")
        }
        var scanner = JSONScanner(nesting: nesting, values: values, expectedBytes: bytes.count)
        do throws(JSONFault) {
            try scanner.scan(bytes.span)
        } catch {
            throw error.asRecordError
        }
        self.bytes = bytes
        tape = scanner.tape
    }

    /// The outermost value.
    package var root: JSONNode { JSONNode(document: self, index: 0) }
}

extension JSONDocument {
    /// The entry of a member's value; nil when it is absent, or the entry `object` is none.
    func member(_ key: StaticString, of object: Int) -> Int? {
        let entry = tape[object]
        guard entry.kind == .object else { return nil }
        var found: Int?
        var at = object + 1
        while at < Int(entry.next) {
            if isString(at, key) { found = at + 1 }
            at = Int(tape[at + 1].next)
        }
        return found
    }

    /// Whether the entry is a string of that text.
    @inline(__always)
    func isString(_ index: Int, _ text: StaticString) -> Bool {
        let entry = tape[index]
        let start = Int(entry.start)
        let end = Int(entry.end)
        guard entry.kind == .string else {
            return entry.kind == .escapedString && JSONText.unescaped(bytes[start..<end]) == text.description
        }
        guard end - start == text.utf8CodeUnitCount else { return false }
        for offset in 0..<end - start where bytes[start + offset] != text.utf8Start[offset] { return false }
        return true
    }
}
