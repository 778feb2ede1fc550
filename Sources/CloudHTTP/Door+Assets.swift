import CloudService
import HTTPTypes
import Hummingbird
import NIOCore
import Records
import RecordsWire

extension Door {
    /// Receives a file, as the whole body or as the part `files` of a multipart form. The ticket in the path
    /// is the only credential (CloudKit Web Services Reference, *Uploading Assets*).
    func upload(_ request: Request, ticket: String) async -> Response {
        await answering(request) { uuid in
            let asset = try await received(request, ticket: ticket)
            return Self.response(.ok, SingleFileAnswer(asset).encoded(), uuid: uuid)
        }
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
    func download(_ request: Request, _ context: DoorContext, ticket: String) async -> Response {
        await answering(request) { _ in
            let file = try await service.assets.download(ticket: ticket)
            let piece = Int(min(file.size, Self.downloadPiece))
            let lease =
                request.method == .head ? nil : try lease(piece, for: Payers(origin(of: request, context)))
            return try Self.response(with: file, for: request.headers, lease)
        }
    }

    /// The bytes of a file that are in memory while it is sent, at most.
    private static let downloadPiece: Int64 = 512 * 1024

    private static func response(
        with file: Download, for asked: HTTPFields, _ lease: ByteLease?
    ) throws -> Response {
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
        switch DownloadPlan(asked, tag: tag, size: file.size) {
        case .notModified: return Response(status: .notModified, headers: headers)
        case .unsatisfiable:
            headers[.contentRange] = "bytes */\(file.size)"
            return Response(status: .rangeNotSatisfiable, headers: headers)
        case .whole:
            return Response(status: .ok, headers: headers, body: try body(of: file, in: 0..<file.size, lease))
        case .part(let range):
            headers[.contentRange] = "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(file.size)"
            return Response(
                status: .partialContent, headers: headers, body: try body(of: file, in: range, lease))
        }
    }

    private static func body(
        of file: Download, in range: Range<Int64>, _ lease: ByteLease?
    ) throws -> ResponseBody {
        let chunks = try file.chunks(range)
        return ResponseBody(contentLength: range.count) { writer in
            for try await chunk in chunks { try await writer.write(chunk) }
            try await writer.finish(nil)
            withExtendedLifetime(lease) {}
        }
    }
}
