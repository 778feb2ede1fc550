// Owns the bodies of answers that carry records, as the server writes them.

package import Records

extension RecordAnswerWriter {
    /// The body of records/lookup and records/modify: an entry for each item, in order.
    package func answer(_ results: some Sequence<ItemResult>, syncToken: ChangeToken? = nil) -> [UInt8] {
        body(syncToken: syncToken) { json in
            for result in results { write(result, to: &json) }
        }
    }

    /// The body of records/query. The marker is absent on the last page.
    package func answer(
        _ records: some Sequence<StoredRecord>,
        continuationMarker: [UInt8]?,
        syncToken: ChangeToken? = nil
    ) -> [UInt8] {
        body(continuationMarker: continuationMarker, syncToken: syncToken) { json in
            for record in records { write(record, to: &json) }
        }
    }

    /// The body of records/changes; `write` writes the entries.
    package func answer(
        syncToken: ChangeToken,
        moreComing: Bool,
        _ write: (inout JSONWriter) -> Void
    ) -> [UInt8] {
        body(syncToken: syncToken, moreComing: moreComing, write)
    }

    private func body(
        continuationMarker: [UInt8]? = nil,
        syncToken: ChangeToken?,
        moreComing: Bool? = nil,
        _ write: (inout JSONWriter) -> Void
    ) -> [UInt8] {
        var json = JSONWriter(capacity: 4096)
        json.beginObject()
        json.key("records")
        json.beginArray()
        write(&json)
        json.endArray()
        json.member("continuationMarker", base64: continuationMarker)
        json.member("syncToken", base64: syncToken?.bytes)
        json.member("moreComing", moreComing)
        json.endObject()
        return json.bytes
    }
}
