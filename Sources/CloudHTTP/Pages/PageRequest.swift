import CloudService
package import HTTPTypes
package import Hummingbird
import RecordsWire

/// A request to pages that another module makes, such as the console.
package struct PageRequest: Sendable {
    let handler: RequestHandler
    package let request: Request
    let context: ServerRequestContext

    package var method: HTTPRequest.Method { request.method }

    /// The parts of the path, still percent-encoded. Empty ones are left out.
    package var path: [Substring] {
        request.uri.path.utf8.split(separator: UInt8(ascii: "/")).map { Substring($0) }
    }

    /// The query, still percent-encoded.
    package var query: String { request.uri.query ?? "" }

    /// Whether the browser reached the server with TLS.
    package var isSecure: Bool { baseURL.hasPrefix("https://") }

    /// The base URL under which the browser reached the server.
    package var baseURL: String { handler.baseURL(of: request) }

    /// The client's address as limits count it; nil for requests from this process.
    package var clientKey: String? { handler.client(of: request, context)?.limitKey }

    /// As much of the client's address as the operator's log shows; nil for nothing.
    package var loggedClient: String? { handler.requestLog.text(of: handler.client(of: request, context)) }

    /// The value of a cookie; nil if the browser sent none.
    package func cookie(_ name: String) -> String? { request.cookies[name]?.value }

    /// The boundary between the parts of a form with files; nil for any other body.
    package var formBoundary: String? { MultipartScanner.boundary(of: request.headers[.contentType]) }

    /// Calls `work` with the body of a form.
    ///
    /// Throws `badRequest` for a form that a page of another site has sent, and `limitExceeded` for one with
    /// more than `limit` bytes.
    package func withForm<Result>(
        upTo limit: Int, _ work: (_ body: [UInt8]) async throws -> Result
    ) async throws -> Result {
        try handler.checkSite(of: request)
        let payers = Payers(handler.network(of: request, context))
        let body = try await handler.received(request, upTo: limit, from: payers)
        let result = try await work(body.bytes)
        withExtendedLifetime(body.lease) {}
        return result
    }

    /// Logs an internal error for the operator.
    package func report(_ error: any Error) { handler.report(error, uuid: "console") }
}

/// Answers the requests to pages that another module makes.
package typealias PageHandler = @Sendable (PageRequest) async -> Response
