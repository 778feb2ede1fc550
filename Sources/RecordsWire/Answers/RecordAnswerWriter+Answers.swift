package import Records

extension RecordAnswerWriter {
    /// The body of records/lookup and records/modify: an entry for each item, in order.
    package func answer(_ results: some Sequence<ItemResult>, syncToken: ChangeToken? = nil) -> [UInt8] {
        answer(syncToken: syncToken) { json in
            for result in results { write(result, to: &json) }
        }
    }

    /// The body of records/query. The marker is absent on the last page.
    package func answer(
        _ runs: [PackedChanges],
        continuationMarker: [UInt8]?,
        syncToken: ChangeToken? = nil
    ) -> [UInt8] {
        answer(continuationMarker: continuationMarker, syncToken: syncToken) { json in
            for run in runs { write(run, to: &json) }
        }
    }

    /// Any body with records, whose entries `write` writes: records/changes, or a lookup whose items want
    /// different keys.
    package func answer(
        continuationMarker: [UInt8]? = nil,
        syncToken: ChangeToken? = nil,
        moreComing: Bool? = nil,
        writing write: (inout JSONWriter) -> Void
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
