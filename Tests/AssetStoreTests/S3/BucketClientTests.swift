import Foundation
import NIOCore
import Records
import Synchronization
import Testing

@testable import AssetStoreS3
@testable import TestKit

@Suite("Requests to an object store", .timeLimit(.minutes(5)))
struct BucketClientTests {
    /// Sends requests to a server, and returns the error with which the last one ended.
    private func error(
        of server: StubServer, timeout: Duration = .seconds(30),
        _ request: (any ObjectBucket) async throws -> Void
    ) async throws -> RecordError? {
        defer { server.stop() }
        let engine = BucketEngine(
            try BucketAddress("s3://files?endpoint=\(server.address)"),
            BucketCredentials(keyID: "KEYID", secret: "the-secret"), makeNumber: { "1" }, now: { Date() },
            pause: { _ in }, timeout: timeout)
        var thrown: RecordError?
        do {
            try await request(engine.bucket)
        } catch {
            thrown = error as? RecordError
        }
        await engine.close()
        return thrown
    }

    @Test("A request that failed for a reason that may pass is repeated three times, signed anew each time")
    func temporary() async throws {
        let server = try StubServer(status: 503, body: "<Error><Code>SlowDown</Code></Error>")
        let error = try await error(of: server) { try await $0.delete("a") }
        #expect(error?.code == .tryAgainLater)
        #expect(error?.retryAfter == 5)
        #expect(error?.diagnosis?.contains("SlowDown") == true)
        #expect(server.received.count == 4)
        for request in server.received {
            #expect(request.contains("Credential=KEYID/"))
            #expect(!request.contains("the-secret"))
        }
    }

    @Test("The operator is told once that the object store fails, and once that it answers again")
    func outage() async throws {
        let count = Mutex(0)
        let server = try StubServer { _ in
            let number = count.withLock { count -> Int in
                count += 1
                return count
            }
            // Two requests fail, each after four attempts; further ones succeed.
            return number <= 8
                ? "<Error><Code>SlowDown</Code></Error>"
                : "<CopyObjectResult><ETag>\"t\"</ETag></CopyObjectResult>"
        }
        defer { server.stop() }
        let told = Mutex<[String]>([])
        let seconds = Mutex(0)
        let engine = BucketEngine(
            try BucketAddress("s3://files?endpoint=\(server.address)"),
            BucketCredentials(keyID: "KEYID", secret: "the-secret"), makeNumber: { "1" }, now: { Date() },
            pause: { _ in }, uptime: { .seconds(seconds.withLock { $0 }) },
            warn: { text in told.withLock { $0.append(text) } })
        var tags: [String?] = []
        for _ in 1...4 {
            tags.append(try? await engine.bucket.copy("a", ifTagged: "t", to: "b"))
            seconds.withLock { $0 += 40 }
        }
        await engine.close()
        #expect(tags == [nil, nil, "t", "t"])
        let texts = told.withLock { $0 }
        #expect(texts.count == 2)
        #expect(texts.first?.contains("files cannot be read or stored: ") == true)
        #expect(texts.first?.contains("SlowDown") == true)
        #expect(texts.last == "the object store answers again")
    }

    @Test("A refusal is not repeated, and its reason is for the log only")
    func refused() async throws {
        let body = "<Error><Code>AccessDenied</Code><Message>no</Message></Error>"
        let server = try StubServer(status: 403, body: body)
        let error = try await error(of: server) { try await $0.delete("a") }
        #expect(error?.code == .internalError)
        #expect(error?.diagnosis?.contains("AccessDenied") == true)
        #expect(error?.reason.contains("AccessDenied") == false)
        #expect(server.received.count == 1)
    }

    @Test("An answer that stops before its end is given up")
    func stuck() async throws {
        let server = try StubServer(isStuck: true, body: "abc")
        let error = try await error(of: server, timeout: .milliseconds(200)) { bucket in
            _ = try await bucket.get("a", in: 0..<4, ifTagged: nil)
        }
        #expect(error?.code == .tryAgainLater)
    }

    @Test("A longer answer than the request allows is refused at once")
    func long() async throws {
        let server = try StubServer(body: String(repeating: "x", count: 100_000))
        let error = try await error(of: server) { bucket in
            _ = try await bucket.get("a", in: 0..<4, ifTagged: nil)
        }
        #expect(error?.code == .internalError)
        #expect(server.received.count == 1)
    }

    @Test("All pages of a list of uploads in parts are read")
    func uploads() async throws {
        let server = try StubServer { request in
            let isFirst = !request.contains("key-marker=k1&")
            let name = isFirst ? "1" : "2"
            let next = "<NextKeyMarker>k1</NextKeyMarker><NextUploadIdMarker>u1</NextUploadIdMarker>"
            return "<ListMultipartUploadsResult><IsTruncated>\(isFirst)</IsTruncated>\(isFirst ? next : "")"
                + "<Upload><Key>k\(name)</Key><UploadId>u\(name)</UploadId>"
                + "<Initiated>2026-01-01T00:00:00.000Z</Initiated></Upload></ListMultipartUploadsResult>"
        }
        let error = try await error(of: server) { bucket in
            let uploads = try await bucket.partedUploads("k")
            #expect(uploads.map(\.id) == ["u1", "u2"])
        }
        #expect(error == nil)
        #expect(server.received.last?.contains("upload-id-marker=u1") == true)
    }

    @Test("A description of the keys has none of the secrets")
    func credentials() {
        let keys = BucketCredentials(keyID: "KEYID", secret: "the-secret", sessionToken: "the-token")
        var dumped = ""
        dump(keys, to: &dumped)
        for text in ["\(keys)", String(reflecting: keys), dumped, "\(Optional(keys) as Any)"] {
            #expect(text.contains("KEYID"))
            #expect(!text.contains("the-secret") && !text.contains("the-token"))
        }
    }
}
