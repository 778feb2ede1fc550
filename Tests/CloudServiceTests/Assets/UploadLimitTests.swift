import CloudletServer
import CloudletTesting
import Foundation
import NIOCore
import Records
import RecordsWire
import Synchronization
import Testing

@testable import CloudService
@testable import ServerKit
@testable import TestKit

@Suite("Limits of uploads", .timeLimit(.minutes(30)))
struct UploadLimitTests {
    private static let full = "413 QUOTA_EXCEEDED: quota exceeded"

    private func file(_ count: Int) -> [UInt8] { Array(repeating: 7, count: count) }

    @Test(
        "A length that no file can have is refused before it is counted, whatever the number",
        arguments: [Int64.max, Int64.max - 1, 1001, 1000, -1])
    func sizes(length: Int64) async throws {
        let configure: @Sendable (inout ServerConfiguration) -> Void = {
            $0.limits.assetBytes = 1000
            $0.limits.quota = QuotaRules()
        }
        try await withServer(.socket, configure) { world in
            let alice = try await world.signIn("alice")
            let saved = try await world.modify("private", [create("p")], as: alice)
            #expect(saved.records == ["ok"])
            let address = try await world.uploadAddress(record: "f", database: "private", as: alice)
            let target = String(address.dropFirst(ServerWorld.publicURL.count))
            let raw = try RawHTTP(#require(world.server.url))
            let bytes = raw.head("POST", target, ["Content-Length": "\(length)"], length: nil)
            // `head` adds a length of 0 for POST, which the tested length replaces.
            let head = String(decoding: bytes, as: UTF8.self).replacing("Content-Length: 0\r\n", with: "")
            let answer = try? Reply(try await raw.exchange(Array(head.utf8) + [1], breaksOff: true))
            if length > 1000 {
                #expect(answer?.failure == "400 BAD_REQUEST: the file is larger than an asset can be")
            } else {
                #expect(answer?.status != 200)
            }
            let exact = try await world.send("POST", address, body: file(1000))
            #expect(exact.status == 200)
            let other = try await world.uploadAddress(record: "f", database: "private", as: alice)
            let larger = try await world.send("POST", other, body: file(1001))
            #expect(larger.failure == "400 BAD_REQUEST: the file is larger than an asset can be")
        }
    }

    @Test("A ticket is valid for one upload; after a failed upload it can be used again")
    func once() async throws {
        try await serving({ $0.limits.assetBytes = 1000 }) { world in
            let alice = try await world.signIn("alice")
            let address = try await world.uploadAddress(record: "f", as: alice)
            #expect(try await world.send("POST", address, body: file(1001)).status == 400)
            #expect(try await world.send("POST", address, body: file(10)).status == 200)
            let again = try await world.send("POST", address, body: file(11))
            #expect(again.failure == "403 ACCESS_DENIED: this URL was used for an upload already")
            #expect(world.incomingFiles.count == 1)
            let other = try await world.uploadAddress(record: "f", as: alice)
            #expect(try await world.send("POST", other, body: file(11)).status == 200)
        }
    }

    @Test(
        "The names in a token have the limits of the names of records, types and fields",
        arguments: ["recordName", "recordType", "fieldName"])
    func names(_ member: String) async throws {
        try await serving { world in
            let alice = try await world.signIn("alice")
            func ask(_ name: String) async throws -> Reply {
                let token: JSON = ["recordName": "a", "recordType": "Photo", "fieldName": "file"]
                return try await world.call(
                    "private/assets/upload", ["tokens": [token.with([member: .string(name)])]], as: alice,
                    headers: ["X-Cloudlet-Details": "1"])
            }
            let longest = try await ask(String(repeating: "x", count: 255))
            #expect(longest.status == 200)
            let longer = try await ask(String(repeating: "x", count: 256))
            #expect(longer.failure == "400 BAD_REQUEST: \(member) must have 1 to 255 characters")
            #expect(longer.json["cloudlet"]["culprit"] == .string(String(repeating: "x", count: 60)))
            let invalid = try await ask("a\u{e9}")
            #expect(invalid.status == 400)
            #expect(invalid.json["cloudlet"]["culprit"] == "a\u{e9}")
        }
    }

    @Test("An upload counts as a request of the person who asked for its ticket")
    func rate() async throws {
        try await serving({ $0.limits.personRate = .init(requests: 3, seconds: 3) }) { world in
            let alice = try await world.signIn("alice")
            let token: JSON = ["recordType": "Photo", "fieldName": "file"]
            let places = try await world.call(
                "public/assets/upload", ["tokens": [token, token, token]], as: alice
            ).json["tokens"].elements.compactMap { $0["url"].text }
            #expect(places.count == 3)
            for place in places.prefix(2) {
                #expect(try await world.send("POST", place, body: file(1)).status == 200)
            }
            let refused = try await world.send("POST", places[2], body: file(1))
            #expect(refused.failure == "429 THROTTLED: too many requests")
            #expect(refused.headers["Retry-After"] == "1")
            world.clock.advance(bySeconds: 1)
            #expect(try await world.send("POST", places[2], body: file(1)).status == 200)
        }
    }

    @Test("The bytes of one person's unused uploads are limited")
    func waiting() async throws {
        try await serving({ $0.limits.waitingUploadBytes = 100 }) { world in
            let (alice, bob) = (try await world.signIn("alice"), try await world.signIn("bob"))
            let first = try await world.upload(file(60), record: "a", as: alice)
            let exact = try await world.uploadAddress(record: "b", database: "private", as: alice)
            let refused = try await world.send("POST", exact, body: file(41))
            #expect(
                refused.failure
                    == "413 QUOTA_EXCEEDED: more than 100 bytes of uploaded files are in no record yet")
            #expect(try await world.send("POST", exact, body: file(40)).status == 200)
            // Other people have their own limit, and saving a record with the file frees space for another.
            _ = try await world.upload(file(100), record: "c", as: bob)
            let next = try await world.uploadAddress(record: "d", as: alice)
            #expect(try await world.send("POST", next, body: file(1)).status == 413)
            let saved = try await world.modify("public", [world.photo("a", first)], as: alice)
            #expect(saved.records == ["ok"])
            #expect(try await world.send("POST", next, body: file(60)).status == 200)
        }
    }

    @Test("The number of one person's unused uploads is limited, including files that needed no upload")
    func waitingFiles() async throws {
        try await serving({ $0.limits.waitingUploads = 2 }) { world in
            let alice = try await world.signIn("alice")
            _ = try await world.upload(file(1), record: "a", as: alice)
            let kept = try await world.upload(file(2), record: "b", as: alice)
            let next = try await world.uploadAddress(record: "c", as: alice)
            #expect(
                try await world.send("POST", next, body: file(3)).failure
                    == "413 QUOTA_EXCEEDED: more than 2 uploaded files are in no record yet")
            let saved = try await world.modify("public", [world.photo("b", kept)], as: alice)
            #expect(saved.records == ["ok"])
            // A file that needs no upload counts as waiting, too.
            let known: JSON = [
                "recordType": "Photo", "fieldName": "file", "fileChecksum": kept["fileChecksum"],
                "size": kept["size"],
            ]
            let offers = try await world.call(
                "public/assets/upload", ["tokens": [known, known]], as: alice
            ).json["tokens"].elements.map { $0["singleFile"]["receipt"].text != nil }
            #expect(offers == [true, false])
            #expect(try await world.send("POST", next, body: file(3)).status == 413)
        }
    }

    @Test("Unused uploads count against the quota of the database")
    func quota() async throws {
        let configure: @Sendable (inout ServerConfiguration) -> Void = {
            var quota = QuotaRules()
            quota.personBytes = 1000
            $0.limits.quota = quota
        }
        try await serving(configure) { world in
            let alice = try await world.signIn("alice")
            _ = try await world.upload(file(600), record: "a", database: "private", as: alice)
            let place = try await world.uploadAddress(record: "b", database: "private", as: alice)
            #expect(try await world.send("POST", place, body: file(401)).failure == Self.full)
            #expect(world.incomingFiles.count == 1)
            #expect(try await world.send("POST", place, body: file(400)).status == 200)
            let token: JSON = ["recordType": "Photo", "fieldName": "file"]
            let none = try await world.call("private/assets/upload", ["tokens": [token]], as: alice)
            #expect(none.failure == Self.full)
        }
    }

    @Test("An upload ends when its database is deleted, and does not delay the deletion")
    func removal() async throws {
        try await withServer(.loopback) { world in
            let alice = try await world.signIn("alice")
            let address = try await world.uploadAddress(record: "a", as: alice)
            let ticket = try #require(address.split(separator: "/").last.map(String.init))
            let (body, chunks) = AsyncStream.makeStream(of: ByteBuffer.self)
            chunks.yield(ByteBuffer(string: "a"))
            async let upload = world.service.assets.receive(body, expectedSize: nil, ticket: ticket)
            try await until { !world.incomingFiles.isEmpty }
            async let reset = world.service.schemas.resetSchema(of: "iCloud.test")
            let key = DatabaseKey(container: "iCloud.test", environment: .development, owner: nil)
            try await until { world.service.context.provider.isRemoved(key) }
            chunks.yield(ByteBuffer(string: "b"))
            do {
                _ = try await upload
                Issue.record("the upload was taken")
            } catch let error as RecordError {
                #expect(error.code == .tryAgainLater && error.reason == "the database is being deleted")
            }
            _ = try await reset
            #expect(world.incomingFiles == [])
        }
    }

    @Test("A form without a known length is counted while it is received")
    func form() async throws {
        try await withServer(.loopback, { $0.limits.waitingUploadBytes = 100 }) { world in
            let alice = try await world.signIn("alice")
            let address = try await world.uploadAddress(record: "a", as: alice)
            func send(_ count: Int) async throws -> Reply {
                let head = "--x\r\nContent-Disposition: form-data; name=\"files\"; filename=\"f\"\r\n\r\n"
                let body = Array(head.utf8) + file(count) + Array("\r\n--x--\r\n".utf8)
                return try await world.send(
                    "POST", address, headers: ["Content-Type": "multipart/form-data; boundary=x"], body: body)
            }
            #expect(try await send(101).status == 413)
            #expect(world.incomingFiles == [])
            #expect(try await send(100).status == 200)
        }
    }

    @Test("An unused file is deleted when due, even if nobody uploads")
    func forgotten() async throws {
        let time = Mutex(Date(timeIntervalSince1970: 1_401_710_400))
        let rounds = AsyncStream.makeStream(of: Void.self)
        let began = AsyncStream.makeStream(of: Void.self)
        let configure: @Sendable (inout ServerConfiguration) -> Void = {
            $0.clock = { time.withLock { $0 } }
            $0.idle = { _ in
                began.continuation.yield()
                for await _ in rounds.stream { return }
                throw CancellationError()
            }
        }
        try await withServer(.loopback, configure) { world in
            let alice = try await world.signIn("alice")
            _ = try await world.upload(file(10), record: "a", as: alice)
            var begins = began.stream.makeAsyncIterator()
            _ = await begins.next()
            for (seconds, left) in [(1800.0, 1), (1.0, 0)] {
                time.withLock { $0.addTimeInterval(seconds) }
                rounds.continuation.yield()
                if left > 0 { _ = await begins.next() }
                try await until { world.incomingFiles.count <= left }
                #expect(world.incomingFiles.count == left)
            }
        }
    }
}
