import CloudService
import HTTPTypes
import Hummingbird
import NIOCore
import Records
import RecordsWire

extension RequestHandler {
    /// Receives a file, as the whole body or as the part `files` of a multipart form. The ticket in the path
    /// is the only credential (CloudKit Web Services Reference, *Uploading Assets*).
    ///
    /// Answers with `tryAgainLater` if too much is being received: each upload keeps a piece of its file in
    /// memory, which counts against the person who asked for the ticket.
    func upload(_ request: Request, _ context: ServerRequestContext, ticket: String) async -> Response {
        await answering(request, context.notes) { uuid in
            let uploader = try service.assets.uploader(with: ticket)
            context.notes.note(uploader.caller, fileIn: uploader.database)
            let lease = try uploadLease(request, Payers(network(of: request, context), uploader.caller))
            defer { withExtendedLifetime(lease) {} }
            let asset = try await received(request, ticket: ticket)
            context.notes.note { $0.requestBytes = Int(clamping: asset.size) }
            return Self.response(.ok, SingleFileAnswer(asset).encoded(), uuid: uuid)
        }
    }

    private func uploadLease(_ request: Request, _ payers: Payers) throws(RecordError) -> ByteLease? {
        guard payers.isCounted else { return nil }
        let buffer = service.assets.uploadBuffer
        let length = request.headers[.contentLength].flatMap { Int($0) } ?? buffer
        return try service.traffic.receiving.lease(min(max(length, 0), buffer), for: payers.all)
    }

    private func received(_ request: Request, ticket: String) async throws -> Asset {
        if let boundary = MultipartScanner.boundary(of: request.headers[.contentType]) {
            let file = MultipartFile(
                base: BodyPieces(base: request.body), scanner: MultipartScanner(boundary: boundary))
            return try await service.assets.receive(file, expectedSize: nil, ticket: ticket)
        }
        let length = request.headers[.contentLength].flatMap { Int64($0) }
        return try await service.assets.receive(
            BodyPieces(base: request.body), expectedSize: length, ticket: ticket)
    }

    /// Sends a file, whole or in part, unless the client has it already (RFC 9110, sections 13 and 14).
    ///
    /// Answers with `tryAgainLater` if too much is being sent: each download keeps a piece of its file in
    /// memory.
    func download(_ request: Request, _ context: ServerRequestContext, ticket: String) async -> Response {
        await answering(request, context.notes) { uuid in
            let file = try await service.assets.download(ticket: ticket)
            context.notes.note { $0.file = (file.database, file.kind) }
            let buffer = try request.method == .head ? nil : buffer(for: file, request, context)
            return try await response(with: file, for: request.headers, buffer, uuid)
        }
    }

    /// The memory in which a file is sent, chunk by chunk.
    private struct DownloadBuffer {
        /// Bytes of a chunk.
        var bytes: Int64
        /// The lease for the memory of the chunk; nil if it is not counted.
        var lease: ByteLease?

        /// The standard size of a chunk, and a smaller, slower one for times when much is being sent.
        static let (standard, least): (Int64, Int64) = (512 * 1024, 64 * 1024)
    }

    /// Returns a buffer of the standard size, or of the least size if too much is being sent. Throws
    /// `tryAgainLater` if there is no room for that either.
    private func buffer(
        for file: Download, _ request: Request, _ context: ServerRequestContext
    ) throws(RecordError) -> DownloadBuffer {
        let payers = Payers(network(of: request, context))
        func buffer(_ bytes: Int64) throws(RecordError) -> DownloadBuffer {
            DownloadBuffer(bytes: bytes, lease: try lease(Int(min(file.size, bytes)), for: payers))
        }
        do throws(RecordError) {
            return try buffer(DownloadBuffer.standard)
        } catch {
            return try buffer(DownloadBuffer.least)
        }
    }

    private func response(
        with file: Download, for requestHeaders: HTTPFields, _ buffer: DownloadBuffer?, _ uuid: String
    ) async throws -> Response {
        let tag = "\"\(file.fileChecksum)\""
        var headers = HTTPFields()
        headers[.contentType] = "application/octet-stream"
        headers[.xContentTypeOptions] = "nosniff"
        headers[.accessControlAllowOrigin] = "*"
        headers[.accessControlExposeHeaders] = "Accept-Ranges,Content-Length,Content-Range,ETag"
        headers[.acceptRanges] = "bytes"
        headers[.eTag] = tag
        // The content of a URL never changes.
        headers[.cacheControl] = "private, max-age=31536000, immutable"
        switch DownloadPlan(requestHeaders, tag: tag, size: file.size) {
        case .notModified: return Response(status: .notModified, headers: headers)
        case .unsatisfiable:
            headers[.contentRange] = "bytes */\(file.size)"
            return Response(status: .rangeNotSatisfiable, headers: headers)
        case .whole:
            let body = try await body(of: file, in: 0..<file.size, buffer, uuid)
            return Response(status: .ok, headers: headers, body: body)
        case .part(let range):
            headers[.contentRange] = "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(file.size)"
            let body = try await body(of: file, in: range, buffer, uuid)
            return Response(status: .partialContent, headers: headers, body: body)
        }
    }

    /// The body with a range of a file. If the file cannot be read to its end, the answer has begun already:
    /// then the reason is only logged, and the connection is closed.
    private func body(
        of file: Download, in range: Range<Int64>, _ buffer: DownloadBuffer?, _ uuid: String
    ) async throws -> ResponseBody {
        // A HEAD request: nothing is read.
        guard let buffer else {
            return ResponseBody(contentLength: range.count) { writer in try await writer.finish(nil) }
        }
        let chunks = try await file.chunks(range, buffer.bytes)
        return ResponseBody(contentLength: range.count) { writer in
            do {
                for try await chunk in chunks { try await writer.write(chunk) }
            } catch let error as RecordError {
                report(error, uuid: uuid)
                throw error
            }
            try await writer.finish(nil)
            withExtendedLifetime(buffer.lease) {}
        }
    }
}
