import CloudService
import Records
import RecordsWire

extension ProtocolRequest {
    func recordsQuery() async throws -> [UInt8] {
        let request: RecordsQueryRequest = try await decoded()
        let answer = try await service.records.query(
            request.question, wantsToken: parameters.wantsSyncToken, in: kind, by: caller)
        let writer = RecordAnswerWriter(
            context(of: request.question.zone), desiredKeys: request.desiredKeys,
            numbersAsStrings: request.numbersAsStrings
        )
        let bytes = answer.runs.reduce(0) { $0 + $1.size.encodingBytes }
        return try await encoding(ofBytes: bytes) {
            writer.answer(answer.runs, continuationMarker: answer.marker, syncToken: answer.token)
        }
    }

    func recordsLookup() async throws -> [UInt8] {
        let request: RecordsLookupRequest = try await decoded()
        notes.note(recordNames: request.records.lazy.map(\.recordName), in: kind)
        let answer = try await service.records.lookup(
            request.records.map(\.recordName), zone: request.zone, wantsToken: parameters.wantsSyncToken,
            in: kind, by: caller
        )
        notes.note(itemErrors: answer.results.lazy.compactMap(\.error))
        return try await encoding(ofBytes: encodingBytes(answer.results)) {
            if request.records.allSatisfy({ $0.desiredKeys == nil }) {
                let writer = RecordAnswerWriter(
                    context(of: request.zone), desiredKeys: request.desiredKeys,
                    numbersAsStrings: request.numbersAsStrings
                )
                return writer.answer(answer.results, syncToken: answer.token)
            }
            return lookedUp(answer, request)
        }
    }

    /// How many bytes of results count for the decision where to encode them.
    private func encodingBytes(_ results: [ItemResult]) -> Int {
        AnswerSize(results, kind == .shared ? .shared : .plain).encodingBytes
    }

    /// Encodes the answer to a look-up in which single records name their own desired keys.
    private func lookedUp(_ answer: ItemsAnswer, _ request: RecordsLookupRequest) -> [UInt8] {
        let context = self.context(of: request.zone)
        func writer(_ keys: [String]?) -> RecordAnswerWriter {
            RecordAnswerWriter(context, desiredKeys: keys, numbersAsStrings: request.numbersAsStrings)
        }
        let shared = writer(request.desiredKeys)
        var json = JSONWriter(capacity: 4096)
        json.beginObject()
        json.key("records")
        json.beginArray()
        for (item, result) in zip(request.records, answer.results) {
            let own = item.desiredKeys.map { writer($0) }
            (own ?? shared).write(result, to: &json)
        }
        json.endArray()
        json.member("syncToken", base64: answer.token?.bytes)
        json.endObject()
        return json.bytes
    }

    func recordsModify() async throws -> [UInt8] {
        let request: RecordsModifyRequest = try await decoded()
        notes.note(recordNames: request.batch.operations.lazy.compactMap(\.recordName), in: kind)
        let answer = try await service.records.modify(
            request.batch, wantsToken: parameters.wantsSyncToken, in: kind, by: caller
        ) { bytes throws(RecordError) in try reserve(bytes) }
        notes.note(itemErrors: answer.results.lazy.compactMap(\.error))
        let zone = request.batch.zone ?? request.batch.operations.first?.zone
        if kind == .shared { notes.note { $0.owner = zone?.owner } }
        let writer = RecordAnswerWriter(
            context(of: zone),
            desiredKeys: request.desiredKeys, numbersAsStrings: request.numbersAsStrings
        )
        return try await working(onBytes: encodingBytes(answer.results)) {
            writer.answer(answer.results, syncToken: answer.token)
        }
    }
}
