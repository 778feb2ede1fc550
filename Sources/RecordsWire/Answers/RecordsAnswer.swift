package import Records

/// The answer to records/query, lookup, modify and changes.
package struct RecordsAnswer: Hashable, Sendable {
    /// For lookup and modify: one for each item asked for, in order.
    package var records: [RecordAnswer]
    /// Where the next page of a query begins; nil on the last.
    package var continuationMarker: [UInt8]?
    package var syncToken: ChangeToken?
    package var moreComing: Bool

    /// Reads a body. `zone` is the one that the request looked in. Throws `internalError` when the body as a
    /// whole cannot be read; a single entry that cannot be is a failure of that entry.
    package init(bytes: [UInt8], zone: ZoneID = .default) throws(RecordError) {
        do throws(RecordError) {
            let body = try JSONDocument(bytes, nesting: answerNesting).root.object()
            records = try body.list("records") { RecordAnswer($0, home: zone) }
            continuationMarker = try body.marker("continuationMarker")
            syncToken = try body.token("syncToken")
            moreComing = try body.flag("moreComing")
        } catch {
            throw error.asUnreadableAnswer
        }
    }
}

/// The nesting of JSON that a client accepts from its server.
let answerNesting = 64

extension JSONNode {
    /// Bytes that the server wants back unchanged.
    func marker(_ key: StaticString) throws(RecordError) -> [UInt8]? {
        guard let node = self[key] else { return nil }
        guard let bytes = node.base64Value else { throw node.unexpected() }
        return bytes.isEmpty ? nil : bytes
    }
}
