import CloudService
import Crypto
import Foundation
import Logging
import RecordsWire
import Synchronization
import Testing

@testable import CloudletServer
@testable import ServerKit
@testable import TestKit

@Suite("Traffic", .timeLimit(.minutes(30)))
struct TrafficTests {
    private static let target = ServerWorld.target("public/records/lookup")

    /// The head of a request for `target` on a connection that stays open.
    private static func head(_ target: String = target, length: Int, _ more: String = "") -> [UInt8] {
        Array("POST \(target) HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: \(length)\r\n\(more)\r\n".utf8)
    }

    /// The body of a lookup of no records, `count` bytes long.
    private static func body(_ count: Int) -> [UInt8] {
        let (start, end) = (Array(#"{"records":[],"x":""#.utf8), Array(#""}"#.utf8))
        return start + [UInt8](repeating: UInt8(ascii: "x"), count: count - start.count - end.count) + end
    }

    private static func raw(_ world: ServerWorld) throws -> RawHTTP {
        try RawHTTP(try #require(world.server.url))
    }

    // MARK: Decisions at the request head

    @Test("An unauthorized request is refused at its head, before the body is sent")
    func headFirst() async throws {
        try await withServer(.socket, { $0.access = .closed }) { world in
            let raw = try Self.raw(world)
            try await world.createContainer()
            for (target, more) in [
                (Self.target, ""), (Self.target + "?ckAPIToken=" + String(repeating: "0", count: 64), ""),
                (ServerWorld.target("public/records/lookup", container: "iCloud.other"), ""),
                (ServerWorld.target("public/records/none"), ""),
                (
                    Self.target,
                    "X-Apple-CloudKit-Request-KeyID: \(String(repeating: "0", count: 64))\r\n"
                        + "X-Apple-CloudKit-Request-ISO8601Date: 2014-06-02T12:00:00Z\r\n"
                        + "X-Apple-CloudKit-Request-SignatureV1: AAAA\r\n"
                ),
            ] {
                let (reply, rest) = try await raw.withConnection { connection in
                    try await connection.send(Self.head(target, length: 1_000_000, more))
                    return (try await connection.answer(), try await connection.readToEnd())
                }
                #expect([401, 404].contains(reply.status), "\(reply.failure)")
                #expect(reply.headers["Connection"] == "close")
                #expect(rest.isEmpty)
            }
        }
    }

    @Test("Bodies on sixty connections without credentials take up no memory")
    func strangers() async throws {
        try await withServer(.socket, { $0.access = .closed }) { world in
            let raw = try Self.raw(world)
            let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<60 {
                    group.addTask {
                        try await raw.withConnection { connection in
                            // All but the last byte, so that only the server can end the connection.
                            try await connection.send(Self.head(length: 1_000_001) + Self.body(1_000_000))
                            return try await connection.answer().status
                        }
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(statuses.allSatisfy { (400..<500).contains($0) })
            #expect(world.traffic.receiving.bytes == 0)
        }
    }

    @Test("A body at the size limit of its sender is accepted; one byte more is refused at the head")
    func limits() async throws {
        let lower: @Sendable (inout ServerConfiguration) -> Void = {
            $0.limits.anonymousRequestBytes = 100_000
            $0.limits.requestBytes = 200_000
        }
        try await withServer(.socket, lower) { world in
            let raw = try Self.raw(world)
            let alice = try await world.signIn("alice")
            let own = ServerWorld.target("public/records/lookup", as: alice)
            for (target, limit) in [(Self.target, 100_000), (own, 200_000)] {
                let most = try await raw.withConnection { connection in
                    try await connection.send(Self.head(target, length: limit) + Self.body(limit))
                    return try await connection.answer()
                }
                #expect(most.status == 200)
                let more = try await raw.withConnection { connection in
                    try await connection.send(Self.head(target, length: limit + 1))
                    return try await connection.answer()
                }
                #expect(
                    more.failure == "400 BAD_REQUEST: request is larger than the maximum of \(limit) bytes")
                let chunk = String(limit + 1, radix: 16) + "\r\n"
                let chunked =
                    "POST \(target) HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\n" + chunk
                let unknown = try await raw.withConnection { connection in
                    try await connection.send(Array(chunked.utf8) + Self.body(limit + 1))
                    return try await connection.answer()
                }
                #expect(unknown.failure == more.failure)
            }
        }
    }

    @Test("A signed body is verified after it has arrived, and has the size limit of a person")
    func signed() async throws {
        let lower: @Sendable (inout ServerConfiguration) -> Void = {
            $0.limits.anonymousRequestBytes = 1000
            $0.limits.requestBytes = 2000
        }
        try await withServer(.socket, lower) { world in
            let raw = try Self.raw(world)
            let pair = P256.Signing.PrivateKey()
            let key = try await world.register(pair.publicKey.pemRepresentation)
            let date = "2014-06-02T12:00:00Z"
            for (count, signedCount, status) in [(2000, 2000, 200), (2000, 1999, 401), (2001, 2001, 400)] {
                let hash = SignedRequest.hash(Self.body(signedCount))
                let text = Array("\(date):\(hash):\(Self.target)".utf8)
                let signature = try pair.signature(for: text).derRepresentation
                let reply = try await raw.send(
                    "POST", Self.target, SignedRequest.headers(key, date, Array(signature)),
                    Self.body(count))
                #expect(reply.status == status, "\(count) \(reply.failure)")
            }
        }
    }

    @Test("The rest of a request that was answered early is not read as a new request")
    func noDesync() async throws {
        try await withServer(.socket) { world in
            let hidden = Self.head(length: 2) + Array("{}".utf8)
            let sent = Self.head("/nowhere", length: 100_000)
            let received = try await Self.raw(world).withConnection { connection in
                try await connection.send(sent)
                let first = try await connection.answer()
                try await connection.send([UInt8](repeating: 32, count: 100_000) + hidden)
                return (first.status, try await connection.readToEnd())
            }
            #expect(received.0 == 404)
            #expect(received.1.isEmpty)
        }
    }

    // MARK: All connections together

    @Test("A body in pieces beyond the limit of its address is refused; a body in a single piece is not")
    func receiving() async throws {
        let lower: @Sendable (inout ServerConfiguration) -> Void = {
            $0.limits.receivingBytes = 800_000
            $0.limits.requestBytes = 200_000
        }
        try await withServer(.socket, lower) { world in
            let raw = try Self.raw(world)
            let alice = try await world.signIn("alice")
            let target = ServerWorld.target("public/records/lookup", as: alice)
            let body = Self.body(200_000)
            let replies = try await raw.withConnection { connection in
                try await connection.send(Self.head(target, length: body.count) + body.dropLast())
                try await until { world.traffic.receiving.bytes == body.count - 1 }
                let other = try await raw.withConnection { other in
                    try await other.send(Self.head(target, length: body.count) + body)
                    return try await other.answer()
                }
                // A body that arrives in one piece is not counted.
                let small = try await world.lookup("public", "a", as: alice)
                try await connection.send([UInt8(ascii: "}")])
                return (other, small, try await connection.answer())
            }
            #expect(replies.0.failure == "503 TRY_AGAIN_LATER: the server is receiving as much as it can")
            #expect(replies.0.headers["Retry-After"] == "5")
            #expect(replies.1.status == 200)
            #expect(replies.2.status == 200)
            try await until { world.traffic.receiving.bytes == 0 }
        }
    }

    @Test("The bytes of unread answers are limited, and a slow reader gets its whole answer of 3 MB")
    func sending() async throws {
        try await withServer(.socket, { $0.limits.sendingBytes = 4_000_000 }) { world in
            let raw = try Self.raw(world)
            let alice = try await world.signIn("alice")
            for name in ["a", "b", "c"] {
                let fields: JSON = ["body": text(String(repeating: name, count: 1_000_000))]
                let saved = try await world.modify("public", [create(name, type: "Big", fields)], as: alice)
                #expect(saved.records == ["ok"])
            }
            let question = try names("a", "b", "c").encoded()
            let whole = try await world.lookup("public", "a", "b", "c")
            #expect(whole.bytes.count > 3_000_000)
            try await until { world.traffic.sending.bytes == 0 }
            let (refused, other, late) = try await raw.withConnection(buffer: 65_536) { connection in
                try await connection.send(Self.head(length: question.count) + question)
                try await until { world.traffic.sending.bytes == whole.bytes.count }
                let refused = try await raw.send("POST", Self.target, [:], question)
                let other = try await world.send("GET", "/limits")
                return (refused, other, try await connection.answer())
            }
            #expect(refused.failure == "503 TRY_AGAIN_LATER: the server is sending as much as it can")
            #expect(other.status == 200)
            #expect(late.bytes == whole.bytes)
            try await until { world.traffic.sending.bytes == 0 }
            #expect(try await world.lookup("public", "a", "b", "c").status == 200)
        }
    }

    @Test("A large answer reserves its size before it is made, and releases it afterwards")
    func roomFirst() async throws {
        let gate = GatedExecutor()
        try await withServer(.socket) {
            $0.bodyThreads = gate.threads
            $0.limits.sendingBytes = 4_000_000
        } _: { world in
            let raw = try Self.raw(world)
            let alice = try await world.signIn("alice")
            // Each record is small enough to be saved without the threads that the gate holds back.
            let all = (1...12).map { "r\($0)" }
            for name in all {
                let fields: JSON = ["body": text(String(repeating: "x", count: 50_000))]
                let saved = try await world.modify("public", [create(name, type: "Big", fields)], as: alice)
                #expect(saved.records == ["ok"])
            }
            defer { gate.open() }
            let question: JSON = ["records": .array(all.map { ["recordName": .string($0)] })]
            let bytes = try question.encoded()
            async let first = raw.send("POST", Self.target, [:], bytes)
            await gate.waitForWork()
            #expect(world.traffic.sending.bytes > 1_200_000)
            let second = try await raw.send("POST", Self.target, [:], bytes)
            #expect(second.failure == "503 TRY_AGAIN_LATER: the server is sending as much as it can")
            gate.open()
            #expect(try await first.status == 200)
            try await until { world.traffic.sending.bytes == 0 }
            #expect(try await raw.send("POST", Self.target, [:], bytes).status == 200)
        }
    }

    @Test(
        "A save whose answer would exceed the limit is refused and changes nothing",
        arguments: ["forceUpdate", "update"])
    func saves(kind: String) async throws {
        try await withServer(.socket, { $0.limits.sendingBytes = 4_000_000 }) { world in
            let raw = try Self.raw(world)
            let alice = try await world.signIn("alice")
            let names = ["a", "b", "c"]
            for name in names {
                let fields: JSON = ["body": text(String(repeating: name, count: 900_000))]
                let saved = try await world.modify("public", [create(name, type: "Big", fields)], as: alice)
                #expect(saved.records == ["ok"])
            }
            try await until { world.traffic.sending.bytes == 0 }
            // The changes are small, but the answer contains large records.
            let tag: String? = kind == "update" ? "0" : nil
            let changes = names.map { operation(kind, $0, type: "Big", tag: tag, ["n": number(1)]) }
            let (body, target) = (
                try batch(changes).encoded(), ServerWorld.target("public/records/modify", as: alice)
            )
            do {
                let bob = BytePayer.person(container: "iCloud.test", name: "_bob")
                let held = try world.traffic.sending.lease(900_000, for: [bob])
                let refused = try await raw.send("POST", target, [:], body)
                #expect(refused.failure == "503 TRY_AGAIN_LATER: the server is sending as much as it can")
                #expect(world.traffic.sending.bytes == 900_000)
                withExtendedLifetime(held) {}
            }
            try await until { world.traffic.sending.bytes == 0 }
            let found = try await world.lookup("public", "a")
            #expect(found.json["records"][0]["fields"].keys == ["body"])
        }
    }

    // MARK: Connections

    @Test("A header with too many combining marks in a row is answered with 400")
    func marks() async throws {
        try await withServer(.socket) { world in
            let value = "a" + String(repeating: "\u{301}\u{323}", count: 65)
            let head = "GET /limits HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept-Encoding: \(value)\r\n\r\n"
            let answer = try await Self.raw(world).exchange(Array(head.utf8))
            #expect(String(decoding: answer, as: UTF8.self).hasPrefix("HTTP/1.1 400"))
            #expect(try await world.send("GET", "/limits").status == 200)
        }
    }

    @Test("Connections of one address beyond its limit are closed immediately")
    func connections() async throws {
        try await withServer(.socket, { $0.connectionsPerAddress = 2 }) { world in
            let raw = try Self.raw(world)
            let ask = Array("GET /limits HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".utf8)
            let asked: @Sendable (inout RawConnection) async throws -> Int = { connection in
                try await connection.send(ask)
                return try await connection.answer().status
            }
            let statuses = try await raw.withConnection { first in
                let one = try await asked(&first)
                let (two, three) = try await raw.withConnection { second in
                    let two = try await asked(&second)
                    return (two, try? await raw.withConnection(asked))
                }
                return [one, two, three]
            }
            #expect(statuses == [200, 200, nil])
            // Waits until the server has noticed that a connection has ended.
            while await (try? raw.withConnection(asked)) != 200 { try Task.checkCancellation() }
        }
    }

    /// Sends half of four requests. The fourth is closed; the others stay until the body has returned.
    private static func withHalfSent(
        _ body: (_ world: ServerWorld, _ raw: RawHTTP, _ closed: Int?) async throws -> Void
    ) async throws {
        try await withServer(.socket, { $0.connectionsPerAddress = 6 }) { world in
            let raw = try raw(world)
            let half = Array("POST \(target) HTTP/1.1\r\nHos".utf8)
            try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<4 {
                    group.addTask {
                        try await raw.withConnection { connection in
                            try await connection.send(half)
                            return try await connection.readToEnd().count
                        }
                    }
                }
                try await body(world, raw, try await group.next())
                group.cancelAll()
            }
        }
    }

    @Test("Incomplete requests of one address are limited; complete ones are still answered")
    func halfSent() async throws {
        try await Self.withHalfSent { world, _, closed in
            let whole = try await world.lookup("public", "a")
            #expect(closed == 0)
            #expect(whole.status == 200)
        }
    }

    @Test("A refused request of a disconnected client ends only its connection")
    func refusedAndHungUp() async throws {
        try await Self.withHalfSent { world, raw, _ in
            for _ in 0..<20 { _ = try? await raw.exchange(Array("PO".utf8), breaksOff: true) }
            let whole = try await world.lookup("public", "a")
            #expect(whole.status == 200)
        }
    }

    // MARK: Disconnects

    @Test("A disconnect or an invalid chunk is not logged as an error of the server")
    func hangUps() async throws {
        let notebook = LogRecorder()
        let logging: @Sendable (inout ServerConfiguration) -> Void = { configuration in
            configuration.logger = Logger(label: "test") { _ in LogRecorder.Writer(notebook: notebook) }
        }
        try await withServer(.socket, logging) { world in
            let raw = try Self.raw(world)
            let alice = try await world.signIn("alice")
            let file = String(
                try await world.uploadAddress(record: "f1", as: alice).dropFirst(ServerWorld.publicURL.count))
            let chunked = "Host: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\n"
            for target in [Self.target, file] {
                let broken = try await raw.exchange(
                    Self.head(target, length: 100) + Array("{".utf8), breaksOff: true)
                #expect(!String(decoding: broken, as: UTF8.self).contains("HTTP/1.1 500"))
                let start = Array("POST \(target) HTTP/1.1\r\n\(chunked)".utf8)
                let bad = try await raw.exchange(start + Array("zz\r\nabc\r\n".utf8))
                #expect(String(decoding: bad, as: UTF8.self).hasPrefix("HTTP/1.1 400"))
                let late = try await raw.exchange(start + Array("1\r\n{\r\nzz\r\n".utf8))
                #expect(String(decoding: late, as: UTF8.self).hasPrefix("HTTP/1.1 400"))
                _ = try? await raw.withConnection { try await $0.send(Self.head(target, length: 1_000_000)) }
            }
            #expect(try await world.send("GET", "/limits").status == 200)
            try await until { world.incomingFiles.isEmpty }
        }
        #expect(notebook.lines.withLock(\.self) == [])
    }
}

extension ServerWorld {
    fileprivate var traffic: Traffic { service.traffic }
}
