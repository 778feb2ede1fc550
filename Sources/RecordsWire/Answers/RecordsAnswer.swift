package import Records

/// The answer to `records/query`, `lookup`, `modify` and `changes`.
package struct RecordsAnswer: Hashable, Sendable {
    /// The records. For `lookup` and `modify`, one entry for each requested item, in order.
    package var records: [RecordAnswer]
    /// The marker of the next page of a query; nil on the last page.
    package var continuationMarker: [UInt8]?
    package var syncToken: ChangeToken?
    package var moreComing: Bool

    /// Decodes a body. `zone` is the zone of the request. Throws `internalError` if the body as a whole
    /// cannot be read. An unreadable entry becomes a failure of this entry only.
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

/// The nesting depth of JSON that a client accepts in answers.
let answerNesting = 64

extension JSONNode {
    /// Opaque bytes that the client returns to the server unchanged.
    func marker(_ key: StaticString) throws(RecordError) -> [UInt8]? {
        guard let node = self[key] else { return nil }
        guard let bytes = node.base64Value else { throw node.unexpected() }
        return bytes.isEmpty ? nil : bytes
    }
}
