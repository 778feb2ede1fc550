import CloudService
import NIOCore
import Records
import RecordsWire

extension ProtocolRequest {
    /// Answers `changes/zone`. This can be the largest of all answers, so its bytes are copied only once. If
    /// a zone is named several times, only the first one is answered.
    func changesZone() async throws -> ByteBuffer {
        let request: ChangesZoneRequest = try await decoded()
        var answer = ChangesZoneWriter(context)
        let limit = service.limits.answerBytes
        // Those of all zones so far, and those of the exceptions of the device's last batches among them.
        var (answerBytes, batchBytes) = (0, 0)
        var answered: Set<ZoneID> = []
        for feed in request.zones where answered.insert(feed.zone).inserted {
            do {
                let page = try await page(of: feed, bytes: limit - answerBytes)
                var size = page.packed.size
                if let batch = page.lastBatch { size.add(batch) }
                let added = size.contentBytes - page.packed.size.contentBytes
                if added > 0, batchBytes > 0, batchBytes + added > limit / 4 {
                    throw Self.exceptionsAreTooLong(feed.zone)
                }
                batchBytes += added
                let before = answerBytes
                answerBytes += size.contentBytes + size.metadataBytes
                try await encoding(ofBytes: size.encodingBytes, after: before) {
                    answer.begin(feed.zone)
                    write(page, of: feed, to: &answer.json)
                    answer.end(
                        token: page.token, moreComing: page.moreComing,
                        remaining: context.addsDetails ? page.remaining : nil, lastBatch: page.lastBatch)
                }
            } catch let error as RecordError where error.code != .authenticationRequired {
                handler.report(error, uuid: uuid)
                notes.note(itemErrors: [error])
                answer.fail(feed.zone, error)
            }
        }
        answer.finish()
        return answer.json.withBytes { ByteBuffer(bytes: $0) }
    }

    private static func exceptionsAreTooLong(_ zone: ZoneID) -> RecordError {
        RecordError(
            .limitExceeded,
            "the lists clientChangeExceptions of this device in all zones are too long for one answer",
            culprit: String(zone.name.prefix(60)), nextStep: "fetch the zone in another request")
    }

    func recordsChanges() async throws -> [UInt8] {
        let request: RecordsChangesRequest = try await decoded()
        let page = try await page(of: request.feed)
        return try await encoding(ofBytes: page.packed.size.encodingBytes) {
            RecordAnswerWriter(context(of: request.feed.zone)).answer(
                syncToken: page.token, moreComing: page.moreComing
            ) { json in
                write(page, of: request.feed, to: &json)
            }
        }
    }

    private func page(of feed: ZoneFeed, bytes: Int? = nil) async throws -> ChangesPage {
        try await service.records.changes(
            of: feed.zone, since: feed.token, limit: feed.resultsLimit, isReversed: feed.isReversed,
            bytes: bytes, in: kind, by: caller
        )
    }

    private func write(_ page: ChangesPage, of feed: ZoneFeed, to json: inout JSONWriter) {
        let writer = RecordAnswerWriter(
            context(of: feed.zone), desiredKeys: feed.desiredKeys, numbersAsStrings: feed.numbersAsStrings
        )
        writer.write(page.packed, ofTypes: feed.desiredRecordTypes, to: &json)
    }
}
