import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import RecordsWire
import Testing

/// A server on a free port that passes each request on to a transport of the test. Programs that a test
/// starts use it as their server, so that the transport sees their requests, too.
///
/// It passes on a request that has arrived as a whole, and waits for the answer even if the program ends
/// meanwhile. A request that the transport does not answer gets the status 502.
enum ProgramGateway {
    /// The largest body of a request in bytes.
    private static let largestBody = 64 << 20

    /// Headers that belong to one connection. The gateway's server adds its own.
    private static let connectionHeaders = ["connection", "content-length", "date", "transfer-encoding"]

    /// Runs a gateway, passes its address to `body`, and stops it.
    ///
    /// - Parameter transport: receives the requests; nil to run no gateway, and to pass no address.
    static func run<T>(
        over transport: (any CloudTransport)?, isolation: isolated (any Actor)? = #isolation,
        _ body: (URL?) async throws -> T
    ) async throws -> T {
        guard let transport else { return try await body(nil) }
        let (ports, port) = AsyncStream.makeStream(of: Int.self)
        var logger = Logger(label: "gateway")
        logger.logLevel = .critical
        let application = Application(
            responder: CallbackResponder<BasicRequestContext> { request, _ in
                try await answer(to: request, from: transport)
            },
            configuration: .init(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { port.yield($0.localAddress?.port ?? 0) }, logger: logger)
        return try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask {
                defer { port.finish() }
                try await application.run()
            }
            defer { tasks.cancelAll() }
            var listening: Int?
            for await bound in ports {
                listening = bound
                break
            }
            let address = try #require(listening.flatMap { URL(string: "http://127.0.0.1:\($0)") })
            return try await body(address)
        }
    }

    private static func answer(
        to request: Request, from transport: any CloudTransport
    ) async throws -> Response {
        let bytes = try await request.body.collect(upTo: largestBody)
        var passed = CloudRequest(request.method == .get ? .get : .post, request.head.path ?? "/")
        if bytes.readableBytes > 0 { passed.body = .bytes(Array(bytes.readableBytesView)) }
        for field in request.headers where !connectionHeaders.contains(field.name.canonicalName) {
            passed.headers.add(field.name.rawName, field.value)
        }
        guard let response = try? await transport.send(passed) else { return Response(status: .badGateway) }
        var headers = HTTPFields()
        for line in response.headers where !connectionHeaders.contains(line.name.lowercased()) {
            if let name = HTTPField.Name(line.name) {
                headers.append(HTTPField(name: name, value: line.value))
            }
        }
        return Response(
            status: HTTPResponse.Status(code: response.status), headers: headers,
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: response.bytes)))
    }
}
