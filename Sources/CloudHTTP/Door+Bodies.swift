import CloudService
import Hummingbird
import NIOCore
import NIOHTTP1
import Records
import RecordsWire

/// The body of a request, with the room that is taken up by it.
struct ReceivedBody: Sendable {
    var bytes: [UInt8] = []
    /// nil for a small body that arrived in one piece.
    var lease: ByteLease?
}

/// Who takes up the room for a request and its answer.
struct Payers: Sendable {
    let origin: NetworkOrigin?
    private let caller: Caller?

    /// - Parameters:
    ///   - origin: nil for requests from this process, which are not counted.
    ///   - caller: nil where it is not known who asks.
    init(_ origin: NetworkOrigin?, _ caller: Caller? = nil) {
        self.origin = origin
        self.caller = caller
    }

    static let none = Payers(nil)

    var isCounted: Bool { origin != nil }

    /// The address, and the person if it is one. A key is not a payer: its name is no secret, and whether it
    /// made the signature is not known before the body.
    var all: [BytePayer] {
        guard let origin else { return [] }
        guard let caller, case .person(let name) = caller.identity else { return [.origin(origin)] }
        return [.origin(origin), .person(container: caller.container, name: name)]
    }
}

// MARK: - Bodies

extension Door {
    /// How long a body of that caller may be.
    func bodyLimit(for caller: Caller) -> Int {
        caller.identity == .anonymous
            ? min(service.limits.anonymousRequestBytes, service.limits.requestBytes)
            : service.limits.requestBytes
    }

    /// A body of up to so many bytes that arrives in one piece is not counted: there is one for each of
    /// `Limits.connections` at most.
    private static let smallBody = 4096

    /// The body of a request, counted against those who send it for as long as the lease is kept.
    ///
    /// Throws `limitExceeded` for a longer body, before reading it if its head says so; `tryAgainLater` when
    /// too much is being received; `badRequest` for a body that breaks off.
    func received(_ request: Request, upTo limit: Int, from payers: Payers) async throws -> ReceivedBody {
        // There is one at most: of several, none comes through the parser.
        let length = request.headers.first { $0.name == .contentLength }.flatMap { Int($0.value) }
        if let length, length > limit { throw Self.bodyTooLong(limit) }
        do {
            var pieces = request.body.makeAsyncIterator()
            guard let first = try await pieces.next() else { return ReceivedBody() }
            if first.readableBytes > limit { throw Self.bodyTooLong(limit) }
            var body = ReceivedBody()
            if first.readableBytes == length {
                if payers.isCounted, first.readableBytes > Self.smallBody {
                    try count(first.readableBytes, of: &body, from: payers)
                }
                body.bytes = first.withUnsafeReadableBytes { [UInt8]($0) }
                return body
            }
            // Room that is reserved and not written to takes up no memory.
            body.bytes.reserveCapacity(length ?? first.readableBytes)
            var next: ByteBuffer? = first
            while let piece = next {
                if piece.readableBytes > limit - body.bytes.count { throw Self.bodyTooLong(limit) }
                if payers.isCounted { try count(piece.readableBytes, of: &body, from: payers) }
                body.bytes.append(contentsOf: piece.readableBytesView)
                next = try await pieces.next()
            }
            return body
        } catch {
            throw Self.told(error)
        }
    }

    private func count(_ bytes: Int, of body: inout ReceivedBody, from payers: Payers) throws(RecordError) {
        if let lease = body.lease { return try lease.grow(by: bytes) }
        body.lease = try service.traffic.receiving.lease(bytes, for: payers.all)
    }

    /// An error of a connection as that of a body which breaks off: nobody but the client can be at fault.
    /// Other errors pass.
    static func told(_ error: any Error) -> any Error {
        guard error is HTTPParserError || error is IOError || error is ChannelError else { return error }
        return RecordError(
            .badRequest, "the body of the request breaks off or is not well formed", culprit: "body",
            nextStep: "send the request again"
        )
    }

    private static func bodyTooLong(_ limit: Int) -> RecordError {
        RecordError(
            .limitExceeded, "request is larger than the maximum of \(limit) bytes",
            culprit: "body", nextStep: "split the request in half and send both"
        )
    }
}

/// The pieces of a body that goes into a file; errors of its connection are told as `Door.told` does.
struct BodyPieces: AsyncSequence, Sendable {
    typealias Element = ByteBuffer

    let base: RequestBody

    func makeAsyncIterator() -> Iterator { Iterator(base: base.makeAsyncIterator()) }

    struct Iterator: AsyncIteratorProtocol {
        var base: RequestBody.AsyncIterator

        mutating func next() async throws -> ByteBuffer? {
            do {
                return try await base.next()
            } catch {
                throw Door.told(error)
            }
        }
    }
}

// MARK: - Large answers

extension Door {
    /// Answers of so many bytes and more are written piece by piece and are counted until they are sent.
    static let largeAnswer = 128 * 1024
    private static let pieceLength = 64 * 1024
    /// For so long an answer is written before others of the same loop have their turn.
    private static let longestTurn = TimeAmount.milliseconds(2)

    /// The response with the answer to a call. A large one is written as fast as the client reads it, so that
    /// its end is not reached before its bytes are sent.
    ///
    /// - Parameter room: holds the bytes of the answer until they are sent; nil where they are not counted.
    ///
    /// Throws `tryAgainLater` when too much is being sent, unless the call has changed something.
    func sent(
        _ answer: AnswerBody, of endpoint: Endpoint, over context: DoorContext, _ room: ByteLease?,
        _ uuid: String
    ) throws(RecordError) -> Response {
        if answer.count < Self.largeAnswer { return Self.response(.ok, answer.whole, uuid: uuid) }
        try room?.resize(to: answer.count, must: !endpoint.isRead)
        let body = ResponseBody(contentLength: answer.count) { writer in
            // On the loop of the connection, which knows after each piece whether it takes another one: from
            // elsewhere all pieces would be written before the first is sent.
            try await context.onLoop {
                var turn = NIODeadline.now()
                for start in stride(from: 0, to: answer.count, by: Self.pieceLength) {
                    try await writer.write(answer.piece(at: start, upTo: Self.pieceLength))
                    // Compressing takes its time, and others of this loop wait meanwhile.
                    if NIODeadline.now() - turn > Self.longestTurn {
                        await context.giveWay()
                        turn = NIODeadline.now()
                    }
                }
            }
            try await writer.finish(nil)
            withExtendedLifetime(room) {}
        }
        return Self.response(.ok, body, uuid: uuid)
    }

    /// Room for bytes that wait to be sent; nil where they are not counted.
    func lease(_ bytes: Int, for payers: Payers) throws(RecordError) -> ByteLease? {
        guard payers.isCounted else { return nil }
        return try service.traffic.sending.lease(bytes, for: payers.all)
    }
}
