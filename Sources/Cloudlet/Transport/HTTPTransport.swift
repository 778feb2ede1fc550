#if Networking
internal import AsyncHTTPClient
public import Foundation
internal import NIOCore
internal import NIOHTTP1
internal import NIOHTTPCompression
public import RecordsWire
internal import Synchronization

/// Sends requests over HTTP or HTTPS. Files are sent and received in constant memory.
///
/// It follows no redirects, retries nothing and keeps no cookies. Connections are kept open and shared by all
/// transports of the process that trust the same certificates.
public struct HTTPTransport: CloudTransport {
    private let base: String
    private let client: HTTPClient
    private let answered = AnswerFlag()

    /// Whether responses may be compressed. The default is true, except for `localhost` and loopback
    /// addresses, where the transfer is too short to gain from it.
    public var acceptsCompression: Bool

    /// Creates a transport to the server at `url`; the paths of requests are appended to it.
    public init(url: URL) {
        self.init(url: url, client: Self.client)
    }

    /// Creates a transport that trusts the certificates in a PEM file instead of the system's, for a server
    /// whose certificate no public authority has signed.
    ///
    /// - Throws: `CKError.badContainer` when the file cannot be read or contains no certificate.
    public init(url: URL, trustingCertificatesIn file: URL) throws {
        self.init(url: url, client: try Self.client(trusting: .file(file.path)))
    }

    /// Creates a transport that trusts only the server with this certificate, in DER, whatever host `url`
    /// names.
    ///
    /// - Throws: `CKError.badContainer` when the bytes are no certificate.
    package init(url: URL, trustingExactly certificate: [UInt8]) throws {
        self.init(url: url, client: try Self.client(trusting: .exactly(certificate)))
    }

    private init(url: URL, client: HTTPClient) {
        self.client = client
        var text = url.absoluteString
        while text.hasSuffix("/") { text.removeLast() }
        base = text
        let host = (url.host ?? "").filter { !"[]".contains($0) }
        acceptsCompression = !(host == "localhost" || host.hasPrefix("127.") || host == "::1")
    }

    /// Sends the request and waits for the response. See `CloudTransport.send(_:)` for the errors.
    public func send(_ request: CloudRequest) async throws -> CloudResponse {
        guard request.timeout != nil || request.idleTimeout != nil else { return try await exchange(request) }
        let watch = TrafficWatch(idle: request.idleTimeout, total: request.timeout)
        var watched = request
        watched.onProgress = { done, total in
            watch.touch()
            request.onProgress?(done, total)
        }
        return try await withThrowingTaskGroup(of: CloudResponse?.self) { [watched] group in
            group.addTask { try await exchange(watched, watch) }
            group.addTask {
                try await watch.waitForLimit()
                throw CloudTransportError.timedOut
            }
            defer { group.cancelAll() }
            guard let response = try await group.next() ?? nil else { throw CloudTransportError.timedOut }
            return response
        }
    }

    private func exchange(
        _ request: CloudRequest, _ watch: TrafficWatch? = nil
    ) async throws -> CloudResponse {
        let (outgoing, file) = try prepared(request)
        do {
            let response = try await client.execute(outgoing, deadline: .distantFuture)
            watch?.touch()
            answered.set()
            let headers = CloudHeaders(
                response.headers.map { CloudHeaders.Line(name: $0.name, value: $0.value) })
            let body = try await received(response, for: request, watch)
            return CloudResponse(status: Int(response.status.code), headers: headers, body: body)
        } catch {
            try Task.checkCancellation()
            if let failure = file?.failure { throw failure }
            if error as? HTTPClientError == .cancelled { throw CancellationError() }
            throw CloudTransportError(
                http: error, mayNeedTLS: base.hasPrefix("http://") && !answered.isSet)
        }
    }

    /// Whether an address names no port, or one that can exist. With another one, the HTTP client would end
    /// the process.
    package static func hasPossiblePort(_ address: String) -> Bool {
        (0...65_535).contains(URL(string: address)?.port ?? 0)
    }

    private func prepared(_ request: CloudRequest) throws -> (HTTPClientRequest, FileChunks?) {
        let target = request.target.hasPrefix("/") ? base + request.target : request.target
        // Only HTTP: the HTTP client would also accept other schemes, such as that of Unix domain sockets.
        guard target.hasPrefix("https://") || target.hasPrefix("http://"), Self.hasPossiblePort(target) else {
            throw CloudTransportError.badTarget(target)
        }
        var outgoing = HTTPClientRequest(url: target)
        outgoing.method = HTTPMethod(rawValue: request.method.rawValue)
        for line in request.headers { outgoing.headers.add(name: line.name, value: line.value) }
        let isCompressible = acceptsCompression && request.saveTo == nil
        outgoing.headers.replaceOrAdd(name: "accept-encoding", value: isCompressible ? "gzip" : "identity")
        if let path = request.saveTo, request.resumes {
            let left = DownloadedFile.left(of: path)
            if left > 0 { outgoing.headers.replaceOrAdd(name: "range", value: "bytes=\(left)-") }
        }
        switch request.body {
        case .none: return (outgoing, nil)
        case .bytes(let bytes):
            outgoing.body = .bytes(bytes)
            return (outgoing, nil)
        case .file(let path):
            let chunks = try FileChunks(path: path, onProgress: request.onProgress)
            outgoing.body = .stream(chunks, length: .known(chunks.size))
            return (outgoing, chunks)
        }
    }

    private func received(
        _ response: HTTPClientResponse, for request: CloudRequest, _ watch: TrafficWatch?
    ) async throws -> CloudResponse.Body {
        let isCompressed = response.headers.contains(name: "content-encoding")
        let total =
            isCompressed ? nil : response.headers.first(name: "content-length").flatMap { Int64($0) }
        if let take = request.onBytes, response.status == .ok {
            for try await chunk in response.body {
                watch?.touch()
                try await take(Array(chunk.readableBytesView))
            }
            return .bytes([])
        }
        if let path = request.saveTo, [.ok, .partialContent].contains(response.status) {
            return try await saved(response, to: path, total: total, for: request, watch)
        }
        if let path = request.saveTo, response.status == .rangeNotSatisfiable {
            DownloadedFile.forget(path)
            throw CloudTransportError.connectionLost("the server does not have the rest of the file")
        }
        var bytes: [UInt8] = []
        let asked = request.saveTo == nil ? request.maximumBytes : nil
        let most = min(asked ?? Self.maximumBytes, Self.maximumBytes)
        if let total, (0..<min(most, 64 << 20)).contains(total) { bytes.reserveCapacity(Int(total)) }
        for try await chunk in response.body {
            watch?.touch()
            guard bytes.count + chunk.readableBytes <= most else { throw Self.tooLong(most) }
            bytes.append(contentsOf: chunk.readableBytesView)
        }
        return .bytes(bytes)
    }

    private func saved(
        _ response: HTTPClientResponse, to path: String, total: Int64?, for request: CloudRequest,
        _ watch: TrafficWatch?
    ) async throws -> CloudResponse.Body {
        let start = response.status == .partialContent ? DownloadedFile.left(of: path) : 0
        let file = try DownloadedFile(path: path, after: start)
        let (sum, isOver) = (total ?? 0).addingReportingOverflow(start)
        let most = request.maximumBytes ?? .max
        var isTooLong = false
        do {
            for try await chunk in response.body {
                watch?.touch()
                isTooLong = Int64(chunk.readableBytes) > most - file.size
                if isTooLong { throw Self.tooLong(most) }
                try file.append(chunk)
                request.onProgress?(file.size, total == nil || isOver ? nil : sum)
            }
            try file.keep()
        } catch {
            file.close(keepingPart: request.resumes && !isTooLong)
            throw error
        }
        return .file(path: path)
    }

    /// The maximum size of a response in memory, in bytes: several times the server's limits.
    private static let maximumBytes: Int64 = 1 << 27

    private static func tooLong(_ most: Int64) -> CloudTransportError {
        .connectionLost("the server's answer is longer than \(most) bytes")
    }

    /// One client for the whole process. It is never shut down, since the end of the process closes its
    /// connections.
    private static let client = makeClient { _ in }

    /// Returns the one client for each set of trusted certificates. It is never shut down either.
    private static func client(trusting certificates: TrustedCertificates) throws -> HTTPClient {
        try trusting.withLock { clients in
            if let client = clients[certificates] { return client }
            let client = try makeClient { try $0.trust(certificates) }
            clients[certificates] = client
            return client
        }
    }

    private static let trusting = Locked<[TrustedCertificates: HTTPClient]>([:])

    private static func makeClient(
        _ change: (inout HTTPClient.Configuration) throws -> Void
    ) rethrows -> HTTPClient {
        var configuration = HTTPClient.Configuration(redirectConfiguration: .disallow)
        configuration.timeout.connect = .seconds(10)
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 64
        configuration.connectionPool.retryConnectionEstablishment = false
        // Only responses to requests that accept compression are compressed. The limit is twice
        // `maximumBytes`.
        configuration.decompression = .enabled(limit: .size(1 << 28))
        try change(&configuration)
        return HTTPClient(eventLoopGroup: HTTPClient.defaultEventLoopGroup, configuration: configuration)
    }
}

/// Remembers whether a server has answered a request.
private final class AnswerFlag: Sendable {
    private let flag = Atomic(false)

    var isSet: Bool { flag.load(ordering: .relaxed) }

    func set() { flag.store(true, ordering: .relaxed) }
}
#endif
