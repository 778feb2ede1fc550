import CloudService
import Hummingbird
import NIOCore
import NIOHTTP1
import Records
import RecordsWire

/// The body of a request, with the lease for its memory.
struct ReceivedBody: Sendable {
    var bytes: [UInt8] = []
    /// nil for a small body that arrived in one piece.
    var lease: ByteLease?
}

/// The address and the person to whom the memory of a request and its answer is charged.
struct Payers: Sendable {
    let network: ClientNetwork?
    private let caller: Caller?

    /// - Parameters:
    ///   - network: nil for requests from this process, which are not counted.
    ///   - caller: nil if the caller is not known.
    init(_ network: ClientNetwork?, _ caller: Caller? = nil) {
        self.network = network
        self.caller = caller
    }

    static let none = Payers(nil)

    var isCounted: Bool { network != nil }

    /// The address with its site, and the person if the caller is one. A server key is not charged: its name
    /// is not secret, and its signature cannot be checked before the body has been read.
    var all: [BytePayer] {
        guard let network else { return [] }
        var all = [BytePayer.network(network)]
        if let site = network.site { all.append(.network(site)) }
        if let person { all.append(person) }
        return all
    }

    /// The payers that must have room for an answer before the body is read. For a person, this is the person
    /// alone: large answers to others at the same address must not cause the refusal of a person's request,
    /// whose answer may be small.
    var forAnswer: [BytePayer] { person.map { [$0] } ?? all }

    private var person: BytePayer? {
        guard let caller, case .person(let name) = caller.identity else { return nil }
        return .person(container: caller.container, name: name)
    }
}

// MARK: - Bodies

extension RequestHandler {
    /// Returns how many bytes a caller may send in one body.
    func bodyLimit(for caller: Caller) -> Int {
        caller.identity == .anonymous
            ? min(service.limits.anonymousRequestBytes, service.limits.requestBytes)
            : service.limits.requestBytes
    }

    /// The memory of a head up to this size, and of a body up to this size that arrives in one piece, is not
    /// counted. `Limits.connections` limits the number of such requests at a time.
    private static let smallBody = 4096

    /// Counts the head of a request until it is answered. Returns nil for a small one, and for requests from
    /// this process. Throws `tryAgainLater` if too much is being received.
    func leaseForHead(
        of request: Request, _ context: ServerRequestContext
    ) throws(RecordError) -> ByteLease? {
        let bytes = request.headers.reduce(request.uri.string.utf8.count) {
            $0 + $1.name.rawName.utf8.count + $1.value.utf8.count
        }
        guard bytes > Self.smallBody, let network = network(of: request, context) else { return nil }
        return try service.traffic.receiving.lease(bytes, for: Payers(network).all)
    }

    /// Reads the body of a request. Its bytes are charged to `payers` as long as the lease lives.
    ///
    /// Throws `limitExceeded` for a body longer than `limit` bytes, before reading it if `Content-Length`
    /// says so; `tryAgainLater` if too much is being received; `badRequest` for a body that is cut off or
    /// malformed.
    func received(_ request: Request, upTo limit: Int, from payers: Payers) async throws -> ReceivedBody {
        // The HTTP parser refuses requests with several lengths.
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
            // Reserving does not use memory: the system provides it when the bytes are written.
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
            throw Self.readError(error)
        }
    }

    private func count(_ bytes: Int, of body: inout ReceivedBody, from payers: Payers) throws(RecordError) {
        if let lease = body.lease { return try lease.grow(by: bytes) }
        body.lease = try service.traffic.receiving.lease(bytes, for: payers.all)
    }

    /// Turns an error of the connection into `badRequest`, since it means that the client cut the body off or
    /// sent a malformed one. Returns other errors unchanged.
    static func readError(_ error: any Error) -> any Error {
        guard error is HTTPParserError || error is IOError || error is ChannelError else { return error }
        return RecordError(
            .badRequest, "the body of the request is incomplete or malformed", culprit: "body",
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

/// The pieces of a body that is written to a file. Errors of the connection become those of
/// `RequestHandler.readError`.
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
                throw RequestHandler.readError(error)
            }
        }
    }
}

extension RequestHandler {
    /// Returns a lease for bytes that wait to be sent; nil if they are not counted. Throws `tryAgainLater`.
    func lease(_ bytes: Int, for payers: Payers) throws(RecordError) -> ByteLease? {
        guard payers.isCounted else { return nil }
        return try service.traffic.sending.lease(bytes, for: payers.all)
    }
}
