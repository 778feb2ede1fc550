import CloudService
import Hummingbird
import NIOCore
import Records
import RecordsWire

extension RequestHandler {
    /// An answer of the web services with this many bytes or more is sent in pieces, and is counted until it
    /// is sent.
    private static let largeLength = 128 * 1024
    private static let pieceLength = 64 * 1024
    /// A longer answer is compressed on the threads for large bodies, because it would keep the other
    /// connections of the event loop waiting.
    private static let promptLength = 16 * 1024
    /// Shorter answers are not compressed, because that would be slower.
    private static let compressibleLength = 1024

    /// Creates the response with an answer of the web services. It is compressed if the client accepts that.
    /// A large answer is written only as fast as the client reads it, and its memory is counted until all of
    /// its bytes are written.
    ///
    /// - Parameter accepted: the values of the request's header `Accept-Encoding`.
    ///
    /// Throws `tryAgainLater` if too much is being sent, unless the call may have changed something: its
    /// answer is sent with the memory that was reserved before.
    func sent(
        _ answer: AnswerBody, to request: ProtocolRequest, accepting accepted: [String],
        over context: ServerRequestContext
    ) async throws -> Response {
        let payer = request.caller.workPayer
        if answer.count < Self.largeLength {
            return try await sent(
                answer, accepting: accepted, for: payer, uuid: request.uuid, over: context)
        }
        let lease = request.answerLease
        do throws(RecordError) {
            try lease?.resize(to: answer.count)
        } catch {
            if request.path.endpoint.isRead { throw error }
        }
        let compressed = try await compressed(answer, accepting: accepted, for: payer, lease)
        context.notes.note { $0.answerBytes = answer.count }
        let body = Self.pieces(of: compressed ?? answer, lease, over: context)
        return Self.response(body, isCompressed: compressed != nil, uuid: request.uuid)
    }

    /// A body that is written piece by piece, only as fast as the client reads it. The lease for its memory
    /// is held until all of its bytes are written.
    static func pieces(
        of content: AnswerBody, _ lease: ByteLease?, over context: ServerRequestContext
    ) -> ResponseBody {
        ResponseBody(contentLength: content.count) { writer in
            // Write on the connection's event loop, which waits after a piece if the client does not read.
            // From another thread, all pieces would be queued before the first is sent.
            try await context.onLoop {
                for start in stride(from: 0, to: content.count, by: Self.pieceLength) {
                    try await writer.write(content.piece(at: start, upTo: Self.pieceLength))
                }
            }
            try await writer.finish(nil)
            withExtendedLifetime(lease) {}
        }
    }

    /// Creates the response with an answer whose memory is not counted. It is compressed if the client
    /// accepts that.
    ///
    /// - Parameter payer: pays for the compression.
    func sent(
        _ answer: AnswerBody, accepting accepted: [String], for payer: RequestPayer, uuid: String,
        over context: ServerRequestContext
    ) async throws -> Response {
        let compressed = try await compressed(answer, accepting: accepted, for: payer, nil)
        if compressed != nil { context.notes.note { $0.answerBytes = answer.count } }
        let body = ResponseBody(byteBuffer: (compressed ?? answer).whole)
        return Self.response(body, isCompressed: compressed != nil, uuid: uuid)
    }

    private static func response(_ body: ResponseBody, isCompressed: Bool, uuid: String) -> Response {
        var response = response(.ok, body, uuid: uuid)
        if isCompressed { response.headers[.contentEncoding] = "gzip" }
        return response
    }

    /// Compresses an answer with gzip, a longer one piece by piece, so that payers take turns between the
    /// pieces. Returns nil if that is not worthwhile or not accepted, or if there is no memory or no turn for
    /// it: then the answer is sent as it is, since the call may have changed something.
    private func compressed(
        _ answer: AnswerBody, accepting accepted: [String], for payer: RequestPayer, _ lease: ByteLease?
    ) async throws -> AnswerBody? {
        guard answer.count >= Self.compressibleLength, GzipEncoder.isAccepted(by: accepted) else {
            return nil
        }
        var compressed: AnswerBody?
        do {
            try lease?.grow(by: answer.count)
            let encoder = try GzipEncoder()
            if answer.count <= Self.promptLength {
                try encoder.add(answer.whole)
            } else {
                for start in stride(from: 0, to: answer.count, by: Self.pieceLength) {
                    try await service.slowWork.computing(for: payer) {
                        try encoder.add(answer.piece(at: start, upTo: Self.pieceLength))
                    }
                }
            }
            try encoder.finish()
            compressed = .buffer(encoder.output)
        } catch let error as CancellationError {
            throw error
        } catch {}
        try? lease?.resize(to: compressed?.count ?? answer.count)
        return compressed
    }
}
