package import Records

/// Writes the feeds of several zones one after the other, so that an answer can be sent while it grows.
///
/// ```swift
/// var answer = ChangesZoneWriter(context)
/// answer.begin(zone)
/// for record in page { writer.write(record, to: &answer.json) }
/// answer.end(token: token, moreComing: false)
/// answer.finish()
/// let body = answer.json.bytes
/// ```
package struct ChangesZoneWriter: ~Copyable, Sendable {
    /// Where the records of the zone that was begun go; may be drained at any time.
    package var json = JSONWriter(capacity: 4096)
    private let context: AnswerContext

    package init(_ context: AnswerContext) {
        self.context = context
        json.beginObject()
        json.key("zones")
        json.beginArray()
    }

    /// Begins the feed of a zone; its records and tombstones follow.
    package mutating func begin(_ zone: ZoneID) {
        json.beginObject()
        json.key("zoneID")
        zone.write(to: &json, defaultOwner: context.owner)
        json.key("records")
        json.beginArray()
    }

    /// Ends the feed of the zone that was begun. `remaining` and `lastBatch` are Cloudlet's own: other
    /// clients pass over them.
    package mutating func end(
        token: ChangeToken, moreComing: Bool, remaining: Int? = nil, lastBatch: ClientChange? = nil
    ) {
        json.endArray()
        json.member("syncToken", base64: token.bytes)
        json.member("moreComing", moreComing)
        if let remaining { json.member("remaining", Int64(remaining)) }
        json.member(lastBatch)
        json.endObject()
    }

    /// Writes that the feed of a zone cannot be given, and why.
    package mutating func fail(_ zone: ZoneID, _ error: RecordError) {
        json.beginObject()
        json.key("zoneID")
        zone.write(to: &json, defaultOwner: context.owner)
        error.writeMembers(to: &json, in: context)
        json.endObject()
    }

    /// Ends the answer; its last bytes are in `json`.
    package mutating func finish() {
        json.endArray()
        json.endObject()
    }
}
