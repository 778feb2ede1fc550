package import Records

/// Writes the change feeds of several zones one after another, so that the answer can be streamed.
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
    /// The JSON so far. The records of the current zone are written to it, and it can be drained at any time.
    package var json = JSONWriter(capacity: 4096)
    private let context: AnswerContext

    package init(_ context: AnswerContext) {
        self.context = context
        json.beginObject()
        json.key("zones")
        json.beginArray()
    }

    /// Begins the feed of a zone. Its records and tombstones follow.
    package mutating func begin(_ zone: ZoneID) {
        json.beginObject()
        json.key("zoneID")
        zone.write(to: &json, defaultOwner: context.owner)
        json.key("records")
        json.beginArray()
    }

    /// Ends the feed of the current zone. `remaining` and `lastBatch` are Cloudlet extensions, which other
    /// clients ignore.
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

    /// Writes the error of a zone in place of its feed.
    package mutating func fail(_ zone: ZoneID, _ error: RecordError) {
        json.beginObject()
        json.key("zoneID")
        zone.write(to: &json, defaultOwner: context.owner)
        error.writeMembers(to: &json, in: context)
        json.endObject()
    }

    /// Ends the answer. Its last bytes are in `json`.
    package mutating func finish() {
        json.endArray()
        json.endObject()
    }
}
