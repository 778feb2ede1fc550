import Cloudlet
import CloudletTesting
import Foundation
import Glibc
import Synchronization
import Testing

@Suite("Timeouts and rate limits")
struct WaitingTests {
    private static let start = Date(timeIntervalSince1970: 1000)

    private func container(
        _ transport: any CloudTransport, _ clock: WorldClock, token: String = "session"
    ) -> CKContainer {
        let connection = CloudConnection(transport: transport, webAuthToken: token, now: { clock.now })
        return CKContainer(identifier: "iCloud.test", connection: connection)
    }

    private static let throttled = #"{"serverErrorCode":"THROTTLED","reason":"too much","retryAfter":30}"#
    private static let missing = #"{"records":[{"recordName":"a","serverErrorCode":"NOT_FOUND"}]}"#

    @Test("After a rate limit, nothing is sent until its time has passed")
    func rateLimit() async throws {
        let clock = WorldClock(Self.start)
        let transport = ScriptedTransport(
            ("records/lookup", .answer(429, Self.throttled)), ("records/lookup", .answer(200, Self.missing)),
            ("records/lookup", .answer(503, #"{"serverErrorCode":"TRY_AGAIN_LATER","retryAfter":30}"#)),
            ("records/lookup", .answer(200, Self.missing)))
        let container = container(transport, clock)
        func ask() async -> CKError? {
            do {
                _ = try await container.publicCloudDatabase.record(for: CKRecord.ID(recordName: "a"))
                return nil
            } catch {
                return error as? CKError
            }
        }
        let first = await ask()
        #expect(first?.code == .requestRateLimited)
        #expect(first?.retryAfterSeconds == 30)
        clock.advance(bySeconds: 29)
        let second = await ask()
        #expect(second?.code == .requestRateLimited)
        #expect(second?.retryAfterSeconds == 1)
        #expect(second?.localizedDescription.contains("1 s") == true)
        #expect(await transport.asked.count == 1)
        clock.advance(bySeconds: 1)
        #expect(await ask()?.code == .unknownItem)
        let busy = await ask()
        #expect(busy?.code == .serviceUnavailable)
        #expect(busy?.retryAfterSeconds == 30)
        #expect(await ask()?.code == .unknownItem)
        #expect(await transport.isFinished)
    }

    @Test("A rate limit holds for one person in one container, and for every copy of the connection")
    func rateLimitOfOne() async throws {
        let clock = WorldClock(Self.start)
        let transport = ScriptedTransport(
            ("records/lookup", .answer(429, Self.throttled)), ("records/lookup", .answer(200, Self.missing)),
            ("records/lookup", .answer(200, Self.missing)))
        var connection = CloudConnection(transport: transport, webAuthToken: "alice", now: { clock.now })
        func ask(_ name: String = "iCloud.test") async -> CKError.Code? {
            await code {
                let container = CKContainer(identifier: name, connection: connection)
                try await container.privateCloudDatabase.record(for: CKRecord.ID(recordName: "a"))
            }
        }
        #expect(await ask() == .requestRateLimited)
        #expect(await ask() == .requestRateLimited)
        #expect(await ask("iCloud.other") == .unknownItem)
        connection.webAuthToken = "bob"
        #expect(await ask() == .unknownItem)
        #expect(await transport.isFinished)
    }

    @Test(
        "The timeouts of an operation apply to each of its round trips"
    )
    func timeouts() async throws {
        let clock = WorldClock(Self.start)
        let seen = Mutex<[[Duration?]]>([])
        let transport = WatchedTransport(
            ScriptedTransport(
                ("records/lookup", .answer(200, Self.missing)),
                ("records/lookup", .answer(200, Self.missing)),
                ("records/lookup", .answer(200, Self.missing)))
        ) { request in
            seen.withLock { $0.append([request.idleTimeout, request.timeout]) }
            clock.advance(bySeconds: 40)
        }
        let zones = ["A", "B", "C"].map { CKRecordZone.ID(zoneName: $0) }
        let operation = CKFetchRecordsOperation(
            recordIDs: zones.map { CKRecord.ID(recordName: "a", zoneID: $0) })
        operation.database = container(transport, clock).privateCloudDatabase
        operation.timeoutIntervalForRequest = 5
        operation.timeoutIntervalForResource = 70
        let log = Log()
        operation.perRecordResultBlock = { id, result in log.add("\(id.zoneID.zoneName) \(result.code)") }
        operation.fetchRecordsResultBlock = { log.add("end \($0.code)") }
        await operation.run()
        #expect(seen.withLock { $0 } == Array(repeating: [.seconds(5), .seconds(70)], count: 3))
        #expect(log.all == ["A 11", "B 11", "C 11", "end 0"])
    }

    @Test("Convenience calls time out after a minute without traffic, and have no other limit")
    func convenience() async throws {
        let seen = Mutex<[Duration?]>([])
        let transport = WatchedTransport(ScriptedTransport()) { request in
            seen.withLock { $0 += [request.idleTimeout, request.timeout] }
        }
        let database = container(transport, WorldClock(Self.start)).publicCloudDatabase
        _ = try? await database.record(for: CKRecord.ID(recordName: "a"))
        let lazy = CKOperation.Configuration()
        lazy.qualityOfService = .utility
        await database.configuredWith(configuration: lazy) { database in
            _ = try? await database.record(for: CKRecord.ID(recordName: "a"))
        }
        #expect(seen.withLock { $0 } == [.seconds(60), nil, .seconds(60), .seconds(604_800)])
    }

    /// A socket that accepts connections and sends nothing.
    private func silentPort() throws -> (socket: Int32, port: UInt16) {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let bound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                Glibc.bind(descriptor, pointer, length) == 0 && listen(descriptor, 4) == 0
                    && getsockname(descriptor, pointer, &length) == 0
            }
        }
        try #require(bound)
        return (descriptor, UInt16(bigEndian: address.sin_port))
    }

    @Test("Over HTTP, a request to a silent server times out by either limit", arguments: [true, false])
    func silence(isIdle: Bool) async throws {
        let (socket, port) = try silentPort()
        defer { close(socket) }
        let transport = HTTPTransport(url: try #require(URL(string: "http://127.0.0.1:\(port)")))
        var request = CloudRequest(.get, "/")
        if isIdle { request.idleTimeout = .milliseconds(50) } else { request.timeout = .milliseconds(50) }
        await #expect(throws: CloudTransportError.timedOut) { try await transport.send(request) }
        let container = CKContainer(
            identifier: "iCloud.test", connection: CloudConnection(transport: transport))
        let hasty = CKOperation.Configuration()
        hasty.timeoutIntervalForRequest = 0.05
        await container.publicCloudDatabase.configuredWith(configuration: hasty) { database in
            let id = CKRecord.ID(recordName: "a")
            #expect(await code { try await database.record(for: id) } == .networkFailure)
        }
    }

    @Test("A stream times out when the server sends nothing")
    func silentStream() async throws {
        let (socket, port) = try silentPort()
        defer { shutdown(socket, Int32(SHUT_RDWR)) }
        let transport = HTTPTransport(url: try #require(URL(string: "http://127.0.0.1:\(port)")))
        // Sends the head of an endless answer, an empty line, and then nothing, until the test ends.
        Thread.detachNewThread {
            let answer = Array("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1\r\n\n\r\n".utf8)
            var connections: [Int32] = []
            while true {
                let connection = accept(socket, nil, nil)
                guard connection >= 0 else { break }
                connections.append(connection)
                _ = send(connection, answer, answer.count, Int32(MSG_NOSIGNAL))
            }
            for connection in connections + [socket] { close(connection) }
        }
        var timeout = Duration.milliseconds(50)
        var arrived: [UInt8] = []
        // On a busy machine, the thread may send nothing in time. Then the next request waits for longer.
        while arrived.isEmpty {
            let bytes = Mutex<[UInt8]>([])
            var request = CloudRequest(.get, "/")
            request.idleTimeout = timeout
            request.onBytes = { part in bytes.withLock { $0 += part } }
            await #expect(throws: CloudTransportError.timedOut) { try await transport.send(request) }
            arrived = bytes.withLock(\.self)
            timeout *= 2
        }
        #expect(arrived == Array("\n".utf8))
    }

    @Test("A push connection counts as broken after the time of three empty lines")
    func pushSilence() async throws {
        let courier = "http://localhost/push/poll?tok=1"
        let token = #"{"apnsEnvironment":"development","apnsToken":"1","webcourierURL":"\#(courier)"}"#
        let seen = Mutex<[String: Duration]>([:])
        let transport = WatchedTransport(
            ScriptedTransport(("tokens/create", .answer(200, token)), ("push/stream", .answer(200, "")))
        ) { request in
            let path = request.target.split(separator: "?").first.map(String.init) ?? ""
            seen.withLock { $0[path] = request.idleTimeout }
        }
        let container = container(transport, WorldClock(Self.start))
        try await container.receivePushes(onOpen: {}, { _ in })
        #expect(seen.withLock { $0["http://localhost/push/stream"] } == .seconds(75))
    }
}
