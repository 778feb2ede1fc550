// Owns the answers to zones/list, lookup and modify.

package import Records

/// Zones as their database knows them, one entry for each that was asked for, in order.
package struct ZonesAnswer: Hashable, Sendable {
    package var zones: [ZoneAnswer]

    package init(_ zones: [ZoneAnswer]) {
        self.zones = zones
    }

    /// Reads a body. Throws `internalError` when it cannot be read.
    package init(bytes: [UInt8]) throws(RecordError) {
        do throws(RecordError) {
            zones = try JSONDocument(bytes, nesting: answerNesting).root.list("zones") { ZoneAnswer($0) }
        } catch {
            throw error.asUnreadableAnswer
        }
    }

    /// The body as the server sends it.
    package func encoded(in context: AnswerContext) -> [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        json.list("zones", zones) { $0.write(to: &$1, in: context, showsAtomic: true) }
        json.endObject()
        return json.bytes
    }
}
