package import Records

/// The requested zones, one entry for each, in order.
package struct ZonesAnswer: Hashable, Sendable {
    package var zones: [ZoneResult]
    /// The marker of the next page; nil on the last page.
    package var continuationMarker: [UInt8]?

    package init(_ zones: [ZoneResult], continuationMarker: [UInt8]? = nil) {
        self.zones = zones
        self.continuationMarker = continuationMarker
    }

    /// Decodes a body. Throws `internalError` if it cannot be read.
    package init(bytes: [UInt8]) throws(RecordError) {
        do throws(RecordError) {
            let body = try JSONDocument(bytes, nesting: answerNesting).root
            zones = try body.list("zones") { ZoneResult($0) }
            continuationMarker = try body.marker("continuationMarker")
        } catch {
            throw error.asUnreadableAnswer
        }
    }

    /// Encodes the body of the answer.
    package func encoded(in context: AnswerContext) -> [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        json.list("zones", zones) { $0.write(to: &$1, in: context, showsAtomic: true) }
        json.member("continuationMarker", base64: continuationMarker)
        json.endObject()
        return json.bytes
    }
}
