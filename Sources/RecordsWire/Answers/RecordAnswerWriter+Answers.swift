package import Records

extension RecordAnswerWriter {
    /// Encodes the body of `records/lookup` and `records/modify`: one entry for each item, in order.
    package func answer(_ results: some Sequence<ItemResult>, syncToken: ChangeToken? = nil) -> [UInt8] {
        answer(syncToken: syncToken) { json in
            for result in results { write(result, to: &json) }
        }
    }

    /// Encodes the body of `records/query`. The last page has no marker.
    package func answer(
        _ runs: [PackedChanges],
        continuationMarker: [UInt8]?,
        syncToken: ChangeToken? = nil
    ) -> [UInt8] {
        answer(continuationMarker: continuationMarker, syncToken: syncToken) { json in
            for run in runs { write(run, to: &json) }
        }
    }

    /// Encodes a body with the records that `write` appends. Used by `records/changes` and by lookups whose
    /// items have their own `desiredKeys`.
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
