package import Records
import Synchronization

/// A validated JSON text.
///
/// Parsing converts nothing: strings and numbers are decoded when they are read.
package final class JSONDocument: Sendable {
    let bytes: [UInt8]
    let tape: [JSONEntry]
    /// The number of values that were passed to compute paths.
    let pathWork = Atomic<Int>(0)

    /// The value of `pathWork` from which no more paths are computed. Otherwise a text with an error in each
    /// of its values would cost time that grows with the square of its length.
    static let maximumPathWork = 1 << 20

    /// Validates `bytes` against RFC 8259, including UTF-8. Throws `badRequest` with the offset of the first
    /// invalid byte.
    package convenience init(_ bytes: [UInt8], nesting: Int = Limits().nesting) throws(RecordError) {
        try self.init(bytes, nesting: nesting, values: .max, limitsMarks: false)
    }

    /// Validates the body of a request: in addition, throws `limitExceeded` for more than `jsonValues`
    /// values, and `badRequest` for a text with too many combining marks in a row (`CombiningMarks`).
    package convenience init(request bytes: [UInt8], _ limits: Limits) throws(RecordError) {
        try self.init(bytes, nesting: limits.nesting, values: limits.jsonValues, limitsMarks: true)
    }

    private init(
        _ bytes: [UInt8], nesting: Int, values: Int, limitsMarks: Bool
    ) throws(RecordError) {
        guard bytes.count < Int(UInt32.max) else {
            throw RecordError(.badRequest, unexpectedInput, culprit: "byte \(UInt32.max)")
        }
        var scanner = JSONScanner(
            nesting: nesting, values: values, limitsMarks: limitsMarks, expectedBytes: bytes.count)
        do throws(JSONFault) {
            try scanner.scan(bytes.span)
        } catch {
            throw error.asRecordError
        }
        self.bytes = bytes
        tape = scanner.tape
    }

    /// The root value.
    package var root: JSONNode { JSONNode(document: self, index: 0) }
}

extension JSONDocument {
    /// The tape index of a member's value; nil if the member is absent or the entry is not an object.
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

    /// Whether the entry is a string with this text.
    @inline(__always)
    func isString(_ index: Int, _ text: StaticString) -> Bool {
        let entry = tape[index]
        let start = Int(entry.start)
        let end = Int(entry.end)
        guard entry.kind == .string else {
            return entry.kind == .escapedString && JSONText.isEqual(bytes[start..<end], to: text)
        }
        guard end - start == text.utf8CodeUnitCount else { return false }
        for offset in 0..<end - start where bytes[start + offset] != text.utf8Start[offset] { return false }
        return true
    }
}
