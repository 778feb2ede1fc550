import CloudHTTP
import CloudService
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import RecordsWire
import _NIOFileSystem

/// Passes requests to the responder and collects its answers, without a network.
struct LoopbackTransport: CloudTransport {
    let responder: CloudResponder
    let gate: OpenFlag
    /// The server's clock, by which timeouts are measured.
    let clock: @Sendable () -> Date

    func send(_ request: CloudRequest) async throws -> CloudResponse {
        if !gate.isOpen { throw CloudTransportError.unreachable("the server has stopped") }
        let start = clock()
        do {
            let response = try await send(request, to: responder)
            try checkTime(since: start, for: request)
            return response
        } catch is BrokenConnection {
            throw CloudTransportError.connectionLost("the server closed the connection")
        }
    }

    /// Throws `timedOut` if the request took longer than its timeout by the server's clock. This is checked
    /// only after the answer, because a test may advance that clock; as after a timeout on a network, the
    /// server may have executed the request.
    private func checkTime(since start: Date, for request: CloudRequest) throws {
        let passed = clock().timeIntervalSince(start)
        let isTransfer = request.saveTo != nil || request.onBytes != nil
        let limits = [request.timeout, isTransfer ? nil : request.idleTimeout].compactMap(\.self)
        if limits.contains(where: { passed >= $0 / .seconds(1) }) { throw CloudTransportError.timedOut }
    }

    private func send(
        _ request: CloudRequest, to responder: some HTTPResponder<ServerRequestContext>
    ) async throws -> CloudResponse {
        let context = ServerRequestContext()
        let response: Response
        switch request.body {
        case .none:
            response = try await responder.respond(
                to: head(request, length: 0, ByteBuffer()), context: context)
        case .bytes(let bytes):
            let body = ByteBuffer(bytes: bytes)
            response = try await responder.respond(
                to: head(request, length: bytes.count, body), context: context)
        case .file(let path):
            response = try await upload(path, request, to: responder, context)
        }
        // A cancelled caller receives `CancellationError`, not the error that the cancellation caused in the
        // server.
        try Task.checkCancellation()
        var headers = CloudHeaders()
        for field in response.headers { headers.add(field.name.rawName, field.value) }
        let body = try await collect(response, request)
        return CloudResponse(status: response.status.code, headers: headers, body: body)
    }

    private func upload(
        _ path: String, _ request: CloudRequest, to responder: some HTTPResponder<ServerRequestContext>,
        _ context: ServerRequestContext
    ) async throws -> Response {
        do {
            return try await FileSystem.shared.withFileHandle(forReadingAt: FilePath(path)) { file in
                let size = try await file.info().size
                let body = RequestBody(asyncSequence: file.readChunks(chunkLength: .kibibytes(128)))
                let head = requestHead(request, length: Int(size))
                let response = try await responder.respond(
                    to: Request(head: head, body: body), context: context)
                request.onProgress?(size, size)
                return response
            }
        } catch let error as FileSystemError {
            throw CloudTransportError.file(path: path, reason: error.message)
        }
    }

    private func head(_ request: CloudRequest, length: Int, _ body: ByteBuffer) -> Request {
        Request(head: requestHead(request, length: length), body: RequestBody(buffer: body))
    }

    private func requestHead(_ request: CloudRequest, length: Int) -> HTTPRequest {
        var head = HTTPRequest(
            method: request.method == .get ? .get : .post, scheme: "http", authority: "loopback",
            path: Self.path(of: request.target)
        )
        for line in request.headers {
            if let name = HTTPField.Name(line.name) { head.headerFields[name] = line.value }
        }
        head.headerFields[.contentLength] = String(length)
        return head
    }

    /// The path and query of a target, which may be an absolute URL of this server.
    private static func path(of target: String) -> String {
        if target.hasPrefix("/") { return target }
        let parts = target.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
        return parts.count == 4 ? "/" + parts[3] : "/"
    }

    // MARK: Answers

    private func collect(_ response: Response, _ request: CloudRequest) async throws -> CloudResponse.Body {
        if let take = request.onBytes, response.status == .ok {
            try await response.body.write(LoopbackWriter { try await take(Array($0.readableBytesView)) })
            return .bytes([])
        }
        guard let path = request.saveTo, response.status.code < 300 else {
            let sink = LoopbackSink()
            try await response.body.write(LoopbackWriter { sink.append($0) })
            return .bytes(sink.bytes)
        }
        do {
            try await FileSystem.shared.withFileHandle(
                forWritingAt: FilePath(path), options: .newFile(replaceExisting: true)
            ) { file in
                let progress = LoopbackProgress(request: request, total: response.body.contentLength)
                try await response.body.write(
                    LoopbackWriter { buffer in
                        let at = progress.advance(by: buffer.readableBytes)
                        try await file.write(contentsOf: buffer, toAbsoluteOffset: at)
                    }
                )
            }
        } catch let error as FileSystemError {
            throw CloudTransportError.file(path: path, reason: error.message)
        }
        return .file(path: path)
    }
}
