import CloudService
import CloudletServer
import HTTPTypes
import Hummingbird
import NIOCore
import Records
import RecordsWire
import Synchronization
import Testing

@testable import CloudHTTP
@testable import ServerKit
@testable import TestKit

@Suite("The measurement of requests", .timeLimit(.minutes(30)))
struct MeasurementTests {
    /// Keeps the measurements of all requests.
    private final class Notebook: RequestObserver {
        let requests = Mutex<[AnsweredRequest]>([])

        func observe(_ request: AnsweredRequest) { requests.withLock { $0.append(request) } }
    }

    private func measured(
        _ scenario: @Sendable (ServerWorld) async throws -> Void
    ) async throws -> [AnsweredRequest] {
        let notebook = Notebook()
        try await withServer(.loopback) {
            $0.observers = [notebook]
        } _: { world in
            try await scenario(world)
        }
        return notebook.requests.withLock(\.self)
    }

    @Test("A call of the web services is measured with its place, its caller and its sizes")
    func webService() async throws {
        let body = batch([create("a")])
        let requests = try await measured { world in
            let alice = try await world.signIn("alice")
            let saved = try await world.call("private/records/modify", body, as: alice)
            #expect(saved.status == 200)
            #expect(saved.headers["Server-Timing"] == "total;dur=0.000")
        }
        try #require(requests.count == 2)
        #expect(requests[0].operation == "POST /dev/sign-in")
        let save = requests[1]
        #expect(save.operation == "records/modify")
        #expect(save.container == "iCloud.test")
        #expect(save.environment == .development)
        #expect(save.database == .private)
        #expect(save.person?.hasPrefix("_") == true)
        #expect(save.client == .other)
        let sent = try body.encoded()
        #expect(save.requestBytes == sent.count)
        #expect((save.responseBytes ?? 0) > 100)
        #expect(save.error == nil && save.itemErrors == [:])
    }

    @Test("The conflict of one record is measured, although the answer has the status 200")
    func itemErrors() async throws {
        let requests = try await measured { world in
            let alice = try await world.signIn("alice")
            for _ in 0..<2 {
                _ = try await world.modify("private", [create("a")], as: alice)
            }
            _ = try await world.lookup("private", "missing", as: alice)
            let shares: JSON = ["shortGUIDs": [["value": "missing"], ["value": "0missing"]]]
            _ = try await world.call("public/records/requestAccess", shares, as: alice)
        }
        let errors = requests.dropFirst().map(\.itemErrors)
        #expect(errors == [[:], [.conflict: 1], [.notFound: 1], [.notFound: 2]])
        #expect(requests.allSatisfy { $0.status == 200 && $0.error == nil })
    }

    @Test("A refused request is measured with its error")
    func refused() async throws {
        let requests = try await measured { world in
            _ = try await world.call("private/records/lookup", names("a"))
            _ = try await world.call("private/nothing/here")
            _ = try await world.send("GET", "/secret/path")
            _ = try await world.send("GET", "/assets/ticket")
        }
        #expect(
            requests.map(\.operation) == ["records/lookup", "unknown", "unknown", "assets/fetch"])
        #expect(
            requests.map(\.error) == [.authenticationRequired, .notFound, .notFound, .accessDenied])
        #expect(requests.map(\.database) == [.private, nil, nil, nil])
        #expect(requests.allSatisfy { $0.person == nil })
    }

    @Test("The kind of the client is derived from its request")
    func clients() async throws {
        let requests = try await measured { world in
            _ = try await world.call("public/users/caller", headers: ["X-Cloudlet-Details": "1"])
            _ = try await world.call("public/users/caller", headers: ["Origin": "http://cloud.test"])
            _ = try await world.send("GET", "/operator/1/containers")
            _ = try await world.send("GET", "/console")
            _ = try await world.send("GET", "/limits")
        }
        #expect(requests.map(\.client) == [.app, .browser, .operator, .console, .other])
    }

    @Test("The length that a client announces counts only for a form that can have been read")
    func claimedBytes() {
        let notes = RequestNotes()
        func measured(
            _ method: HTTPRequest.Method, _ length: String, _ status: HTTPResponse.Status
        ) -> AnsweredRequest {
            let request = Request(
                head: HTTPRequest(
                    method: method, scheme: "http", authority: "localhost", path: "/",
                    headerFields: [.contentLength: length]),
                body: RequestBody(buffer: ByteBuffer()))
            return notes.measurement(of: request, on: .console, Response(status: status), after: .zero)
        }
        let refused = measured(.post, "1000", .contentTooLarge)
        #expect(refused.requestBytes == 0)
        #expect(refused.error == .quotaExceeded)
        #expect(measured(.post, "1000", .ok).requestBytes == 1000)
        for length in ["4194305", "9223372036854775807", "-1"] {
            #expect(measured(.post, length, .ok).requestBytes == 0)
        }
        // The bodies of these requests are never read.
        #expect(measured(.get, "1000", .ok).requestBytes == 0)
    }
}
