import CloudService
import Records
import RecordsWire

extension ProtocolRequest {
    func recordsResolve() async throws -> [UInt8] {
        try await resolved {
            try await service.shares.resolve($0.shortGUID, wantsRoot: $0.wantsRoot, by: caller)
        }
    }

    func recordsAccept() async throws -> [UInt8] {
        try await resolved {
            try await service.shares.accept($0.shortGUID, wantsRoot: $0.wantsRoot, by: caller)
        }
    }

    /// Answers for each share separately, as `records/resolve` does.
    func recordsRequestAccess() async throws -> [UInt8] {
        let request: RecordsResolveRequest = try await decoded()
        _ = try caller.requireUserRecordName()
        var errors: [RecordError?] = []
        for item in request.items {
            do {
                try await service.shares.request(item.shortGUID, by: caller)
                errors.append(nil)
            } catch let error as RecordError {
                handler.report(error, uuid: uuid)
                notes.note(itemErrors: [error])
                errors.append(error)
            }
        }
        return RequestAccessAnswer(shortGUIDs: request.items.map(\.shortGUID), errors: errors)
            .encoded(in: context)
    }

    /// Answers for each share separately. The call fails as a whole only for a caller who is not signed in.
    private func resolved(
        _ find: (RecordsResolveRequest.Item) async throws -> ShareMetadata
    ) async throws -> [UInt8] {
        let request: RecordsResolveRequest = try await decoded()
        _ = try caller.requireUserRecordName()
        var entries: [RecordsResolveAnswer.Entry] = []
        var size = AnswerSize()
        for item in request.items {
            do {
                if size.contentBytes >= service.limits.answerBytes { throw Self.answerIsFull(item.shortGUID) }
                let found = try await find(item)
                for record in [found.share, found.root] {
                    if let record { size.add(record, .shared) }
                }
                try reserve(size.contentBytes)
                entries.append((item, .success(found)))
            } catch let error as RecordError {
                handler.report(error, uuid: uuid)
                notes.note(itemErrors: [error])
                entries.append((item, .failure(error)))
            }
        }
        let answer = RecordsResolveAnswer(
            entries, container: caller.container, environment: caller.environment)
        return try await working(onBytes: size.encodingBytes) {
            answer.encoded { context(of: $0, in: .shared) }
        }
    }

    private static func answerIsFull(_ shortGUID: String) -> RecordError {
        RecordError(
            .limitExceeded, "the answer is full: the shares before this one reach its maximum size",
            culprit: String(shortGUID.prefix(60)), nextStep: "ask for it in another request")
    }
}
