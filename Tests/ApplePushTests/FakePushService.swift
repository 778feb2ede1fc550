import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdHTTP2
import Logging
import NIOCore
import NIOSSL
import ServiceLifecycle
import Synchronization
import Testing

@testable import TestKit

/// A fake of Apple's push service. It listens on a free port, records deliveries, and answers as the test has
/// set.
final class FakePushService: Sendable {
    /// A push that a provider sent.
    struct Delivery: Sendable {
        var path: String
        var headers: [String: String]
        var payload: JSON
        var bytes: Int

        subscript(name: String) -> String? { headers[name] }
    }

    /// An answer other than 200.
    struct Answer: Sendable {
        var status: Int
        var body: String
        var retryAfter: String?

        init(_ status: Int, _ reason: String, timestamp: Int? = nil, retryAfter: String? = nil) {
            self.status = status
            self.retryAfter = retryAfter
            let since = timestamp.map { ",\"timestamp\":\($0)" } ?? ""
            body = "{\"reason\":\"\(reason)\"\(since)}"
        }
    }

    private struct State {
        var deliveries: [Delivery] = []
        var answers: [Answer] = []
        var meanwhile: (@Sendable () async throws -> Void)?
    }

    private let state = Mutex(State())
    private let (arrivals, arrival) = AsyncStream.makeStream(of: Delivery.self)

    /// The next deliveries are answered like this; all others with 200.
    func willAnswer(_ answers: Answer...) { state.withLock { $0.answers += answers } }

    /// Runs `work` before the next delivery is answered.
    func willWait(for work: @escaping @Sendable () async throws -> Void) {
        state.withLock { $0.meanwhile = work }
    }

    /// All deliveries so far.
    var deliveries: [Delivery] { state.withLock { $0.deliveries } }

    /// Waits for the next delivery that this method has not returned yet.
    func next() async throws -> Delivery {
        for await delivery in arrivals { return delivery }
        throw CancellationError()
    }

    /// Runs the service, passes its address to `body`, and stops it.
    static func running(
        _ files: Certificates, _ body: (FakePushService, URL) async throws -> Void
    ) async throws {
        let service = FakePushService()
        let router = Router()
        router.post("3/device/:token") { request, _ in try await service.take(request) }
        let encryption = TLSConfiguration.makeServerConfiguration(
            certificateChain: try NIOSSLCertificate.fromPEMFile(files.path("certificate")).map {
                .certificate($0)
            },
            privateKey: .privateKey(try NIOSSLPrivateKey(file: files.path("key"), format: .pem)))
        let (ports, port) = AsyncStream.makeStream(of: Int.self)
        var logger = Logger(label: "fake push service")
        logger.logLevel = .critical
        let application = Application(
            router: router, server: try .http2Upgrade(tlsConfiguration: encryption),
            configuration: .init(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { port.yield($0.localAddress?.port ?? 0) }, logger: logger)
        let group = ServiceGroup(
            configuration: ServiceGroupConfiguration(services: [application], logger: logger))
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { try await group.run() }
            var listening: Int?
            for await bound in ports {
                listening = bound
                break
            }
            let url = try #require(listening.flatMap { URL(string: "https://localhost:\($0)") })
            do {
                try await body(service, url)
            } catch {
                await group.triggerGracefulShutdown()
                throw error
            }
            await group.triggerGracefulShutdown()
            try await tasks.waitForAll()
        }
    }

    private func take(_ request: Request) async throws -> Response {
        let body = try await request.body.collect(upTo: 1 << 20)
        var headers: [String: String] = [:]
        for field in request.headers { headers[field.name.canonicalName] = field.value }
        let delivery = Delivery(
            path: request.uri.path, headers: headers, payload: try JSON(Array(body.readableBytesView)),
            bytes: body.readableBytes)
        let (answer, meanwhile) = state.withLock { state in
            state.deliveries.append(delivery)
            defer { state.meanwhile = nil }
            return (state.answers.isEmpty ? nil : state.answers.removeFirst(), state.meanwhile)
        }
        try await meanwhile?()
        arrival.yield(delivery)
        guard let answer else { return Response(status: .ok) }
        var response = Response(
            status: .init(code: answer.status), body: .init(byteBuffer: ByteBuffer(string: answer.body)))
        if let retryAfter = answer.retryAfter { response.headers[.retryAfter] = retryAfter }
        return response
    }
}
