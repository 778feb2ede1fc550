import CloudService
import Records
import RecordsWire

extension Visit {
    func recordsQuery() async throws -> [UInt8] {
        let request: RecordsQueryRequest = try await decoded()
        let answer = try await service.records.query(request.question, in: kind, by: caller)
        let writer = RecordAnswerWriter(
            context, desiredKeys: request.desiredKeys, numbersAsStrings: request.numbersAsStrings
        )
        let token = try await syncToken(of: request.question.zone)
        let bytes = answer.runs.reduce(0) { $0 + $1.fieldBytes }
        return try await making(ofBytes: bytes) {
            writer.answer(answer.runs, continuationMarker: answer.marker, syncToken: token)
        }
    }

    func recordsLookup() async throws -> [UInt8] {
        let request: RecordsLookupRequest = try await decoded()
        let results = try await service.records.lookup(
            request.records.map(\.recordName), zone: request.zone, in: kind, by: caller
        )
        let token = try await syncToken(of: request.zone)
        return try await making(ofBytes: Self.fieldBytes(results)) {
            if request.records.allSatisfy({ $0.desiredKeys == nil }) {
                let writer = RecordAnswerWriter(
                    context, desiredKeys: request.desiredKeys, numbersAsStrings: request.numbersAsStrings
                )
                return writer.answer(results, syncToken: token)
            }
            return lookedUp(results, request, token)
        }
    }

    private static func fieldBytes(_ results: [ItemResult]) -> Int {
        results.reduce(0) { sum, result in
            if case .record(let record) = result { sum + record.fields.bytes.count } else { sum }
        }
    }

    /// Encodes the answer if single records have `desiredKeys` of their own.
    private func lookedUp(
        _ results: [ItemResult], _ request: RecordsLookupRequest, _ token: ChangeToken?
    ) -> [UInt8] {
        let context = context
        func writer(_ keys: [String]?) -> RecordAnswerWriter {
            RecordAnswerWriter(context, desiredKeys: keys, numbersAsStrings: request.numbersAsStrings)
        }
        let shared = writer(request.desiredKeys)
        var json = JSONWriter(capacity: 4096)
        json.beginObject()
        json.key("records")
        json.beginArray()
        for (item, result) in zip(request.records, results) {
            let own = item.desiredKeys.map { writer($0) }
            (own ?? shared).write(result, to: &json)
        }
        json.endArray()
        json.member("syncToken", base64: token?.bytes)
        json.endObject()
        return json.bytes
    }

    func recordsModify() async throws -> [UInt8] {
        let request: RecordsModifyRequest = try await decoded()
        let results = try await service.records.modify(request.batch, in: kind, by: caller)
        let writer = RecordAnswerWriter(
            context, desiredKeys: request.desiredKeys, numbersAsStrings: request.numbersAsStrings
        )
        let token = try await syncToken(of: request.batch.zone)
        return try await making(ofBytes: Self.fieldBytes(results)) {
            writer.answer(results, syncToken: token)
        }
    }

    /// Returns the current token of the zone, if the client has requested it beside the answer.
    private func syncToken(of zone: ZoneID?) async throws -> ChangeToken? {
        guard parameters.wantsSyncToken else { return nil }
        let results = try await service.zones.lookup([zone ?? .default], in: kind, by: caller)
        if case .zone(let zone)? = results.first { return zone.syncToken }
        return nil
    }
}
