import CloudService
import Records
import RecordsWire

extension ProtocolRequest {
    func recordsResolve() async throws -> [UInt8] {
        let request = try await shareRequest()
        if request.items.count <= Self.fewShares { return try await resolution(of: request) }
        return try await service.slowWork.onSlowThread(for: caller.workPayer) {
            try await resolution(of: request)
        }
    }

    private func resolution(of request: RecordsResolveRequest) async throws -> [UInt8] {
        try await resolved(request) {
            try await service.shares.resolve(
                $0.shortGUID, wantsRoot: $0.wantsRoot, by: caller, reserve: $1)
        }
    }

    func recordsAccept() async throws -> [UInt8] {
        let request = try await shareRequest(isChange: true)
        return try await resolved(request) {
            try await service.shares.accept(
                $0.shortGUID, wantsRoot: $0.wantsRoot, by: caller, reserve: $1)
        }
    }

    /// Answers for each share separately, as `records/resolve` does.
    func recordsRequestAccess() async throws -> [UInt8] {
        let request = try await shareRequest(isChange: true)
        var answers = ShareAnswers<Void>()
        var errors: [RecordError?] = []
        for item in request.items {
            do {
                try await answers.answer(to: item) {
                    try await service.shares.request($0.shortGUID, by: caller)
                }
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

    /// More shares are resolved on a thread for slow reads, because the many short reads take long together.
    private static let fewShares = 10

    /// Decodes the body of a call about shares. Throws for a caller who is not signed in, and for too many
    /// shares: each share that a call changes is a commit of its own.
    private func shareRequest(isChange: Bool = false) async throws -> RecordsResolveRequest {
        let request: RecordsResolveRequest = try await decoded()
        if isChange {
            try RecordError.check(
                request.items.count, atMost: service.limits.sharesPerRequest, "shortGUIDs",
                next: "name them in several requests")
        }
        _ = try caller.requireUserRecordName()
        return request
    }

    /// Reserves memory for the fields of one share.
    private typealias ShareReservation = @Sendable (_ bytes: Int) throws(RecordError) -> Void

    /// Answers for each share separately.
    private func resolved(
        _ request: RecordsResolveRequest,
        _ find: (RecordsResolveRequest.Item, @escaping ShareReservation) async throws -> ShareMetadata
    ) async throws -> [UInt8] {
        var answers = ShareAnswers<ShareMetadata>()
        var entries: [RecordsResolveAnswer.Entry] = []
        var size = AnswerSize()
        for item in request.items {
            do {
                if size.contentBytes >= service.limits.answerBytes { throw Self.answerIsFull(item.shortGUID) }
                let earlier = size.contentBytes
                let reservation: ShareReservation = { bytes throws(RecordError) in
                    try self.reserve(earlier + bytes)
                }
                let found = try await answers.answer(to: item) { try await find($0, reservation) }
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

/// The answers to the items of a request about shares. Items that ask for the same are answered once.
private struct ShareAnswers<Answer> {
    private var results: [RecordsResolveRequest.Item: Result<Answer, RecordError>] = [:]

    /// Returns the known answer to an item; otherwise that of `find`, which is remembered like its error.
    mutating func answer(
        to item: RecordsResolveRequest.Item, _ find: (RecordsResolveRequest.Item) async throws -> Answer
    ) async throws -> Answer {
        // The desired keys only matter when the answer is encoded.
        var question = item
        question.rootKeys = nil
        if let known = results[question] { return try known.get() }
        do {
            let answer = try await find(question)
            results[question] = .success(answer)
            return answer
        } catch let error as RecordError {
            results[question] = .failure(error)
            throw error
        }
    }
}
