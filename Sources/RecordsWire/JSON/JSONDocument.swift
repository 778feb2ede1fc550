// Owns a parsed JSON text: its bytes and a flat tape that says what lies where.

package import Records

/// A JSON text that has been checked once from end to end and can be read at leisure.
///
/// Nothing is converted while parsing: strings and numbers stay where they are until somebody asks.
package final class JSONDocument: Sendable {
    let bytes: [UInt8]
    let tape: [JSONEntry]

    /// Checks `bytes` against RFC 8259, UTF-8 included. Throws `badRequest` with the offset of the first byte
    /// that does not fit.
    package init(_ bytes: [UInt8], nesting: Int = Limits().nesting) throws(RecordError) {
        guard bytes.count < Int(UInt32.max) else {
            throw RecordError(.badRequest, unexpectedInput, culprit: "byte \(UInt32.max)")
        }
        var scanner = JSONScanner(nesting: nesting, expectedBytes: bytes.count)
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
