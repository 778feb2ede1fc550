import CloudHTTP
import CloudletTesting
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import RecordsWire
import Synchronization
import Testing

@testable import CloudletServer
@testable import TestKit

/// A person who has signed in.
struct Person: Sendable {
    var name: String
    var token: String
    var recordName: String
}

/// A running server with a transcript of all requests and answers.
final class ServerWorld: Sendable {
    let server: CloudletServer
    let transport: Transport
    let clock: WorldClock
    private let exchanges = Mutex<[String]>([])

    /// The server's address in answers, for both transports.
    static let publicURL = "http://cloud.test"

    private init(_ server: CloudletServer, _ transport: Transport, _ clock: WorldClock) {
        self.server = server
        self.transport = transport
        self.clock = clock
    }

    static func start(
        _ transport: Transport, _ configure: @Sendable (inout ServerConfiguration) -> Void = { _ in }
    ) async throws -> ServerWorld {
        let clock = WorldClock(WorldClock.beginning)
        var configuration = ServerConfiguration.ephemeral
        configuration.seed = 1
        configuration.clock = { clock.now }
        // Measured durations are zero unless a test sets another clock.
        configuration.uptime = { .zero }
        configuration.publicURL = publicURL
        // People sign in by name, also where the server listens and keeps its data.
        configuration.access = .open
        configuration.port = transport == .socket ? 0 : nil
        // On a busy machine, a test may be slow to send its request.
        configuration.limits.transferPatienceSeconds = 3600
        configure(&configuration)
        return ServerWorld(try await CloudletServer.start(configuration), transport, clock)
    }

    func stop() async { await server.stop() }

    /// Every request with its answer, without the parts that depend on the transport.
    var transcript: [String] { exchanges.withLock { $0 } }

    // MARK: Requests

    /// Calls an endpoint of the protocol: `public/records/query`, for example.
    @discardableResult
    func call(
        _ endpoint: String, _ body: JSON = [:], as person: Person? = nil, container: String = "iCloud.test",
        environment: String = "development", parameters: String = "", headers: CloudHeaders = [:]
    ) async throws -> Reply {
        let target = Self.target(
            endpoint, as: person, container: container, environment: environment, parameters: parameters
        )
        return try await send("POST", target, headers: headers, body: try body.encoded())
    }

    /// Calls an endpoint that needs no body.
    func get(_ endpoint: String, as person: Person? = nil) async throws -> Reply {
        try await send("GET", Self.target(endpoint, as: person))
    }

    static func target(
        _ endpoint: String, as person: Person? = nil, container: String = "iCloud.test",
        environment: String = "development", parameters: String = ""
    ) -> String {
        var query = [parameters]
        if let person { query.append("ckWebAuthToken=\(person.token)") }
        query.removeAll(where: \.isEmpty)
        let path = "/database/1/\(container)/\(environment)/\(endpoint)"
        return query.isEmpty ? path : path + "?" + query.joined(separator: "&")
    }

    /// Signs a person in by name.
    func signIn(_ name: String, container: String = "iCloud.test") async throws -> Person {
        let body: JSON = ["name": .string(name), "container": .string(container)]
        let reply = try await send("POST", "/dev/sign-in", body: try body.encoded())
        try #require(reply.status == 200, "\(reply.text)")
        return Person(
            name: name, token: try #require(reply.json["ckWebAuthToken"].text),
            recordName: try #require(reply.json["userRecordName"].text)
        )
    }

    /// Sends a request to a path or to an absolute address of this server.
    @discardableResult
    func send(
        _ method: String, _ target: String, headers: CloudHeaders = [:], body: [UInt8] = []
    ) async throws -> Reply {
        let target =
            target.hasPrefix(Self.publicURL) ? String(target.dropFirst(Self.publicURL.count)) : target
        let reply = try await carried(method, target, headers, body)
        exchanges.withLock {
            // A server that listens has a write-ahead log in separate files.
            let text = reply.text.replacing(/"bytes":\d+,"publicRecordBytes"/, with: #""publicRecordBytes""#)
            $0.append("\(method) \(target)\n\(reply.status)\n\(reply.ownHeaders)\n\(text)")
        }
        return reply
    }

    private func carried(
        _ method: String, _ target: String, _ headers: CloudHeaders, _ body: [UInt8]
    ) async throws -> Reply {
        if transport == .socket {
            let url = try #require(server.url)
            return try await RawHTTP(url).send(method, target, headers, body)
        }
        if let method = CloudRequest.Method(rawValue: method) {
            let sent = method == .get && body.isEmpty ? CloudRequest.Body.none : .bytes(body)
            let request = CloudRequest(method, target, headers: headers, body: sent)
            let response = try await server.transport.send(request)
            return Reply(status: response.status, headers: response.headers, bytes: response.bytes)
        }
        return try await routed(method, target, headers, body)
    }

    /// Passes a request directly to the router, for methods that the client cannot send.
    private func routed(
        _ method: String, _ target: String, _ headers: CloudHeaders, _ body: [UInt8]
    ) async throws -> Reply {
        let loopback = try #require(server.transport as? LoopbackTransport)
        var head = HTTPRequest(
            method: try #require(HTTPRequest.Method(method)), scheme: "http", authority: "loopback",
            path: target
        )
        for line in headers { head.headerFields[try #require(HTTPField.Name(line.name))] = line.value }
        let request = Request(head: head, body: RequestBody(buffer: ByteBuffer(bytes: body)))
        let response = try await loopback.responder.respond(to: request, context: ServerRequestContext())
        let sink = LoopbackSink()
        try await response.body.write(LoopbackWriter { sink.append($0) })
        var fields = CloudHeaders()
        for field in response.headers { fields.add(field.name.rawName, field.value) }
        return Reply(status: response.status.code, headers: fields, bytes: sink.bytes)
    }
}
