import Cloudlet
import CloudletServer
import CloudletTesting
import Foundation
import Synchronization
import Testing

@Suite("The HTTP transport", .timeLimit(.minutes(30)))
struct HTTPTransportTests {
    /// Runs the body with a server that listens on a port, and Alice's connection to it over HTTP.
    private func withListeningServer(
        limits: Limits = Limits(),
        _ body: (CloudletWorld, HTTPTransport, CloudConnection) async throws -> Void
    ) async throws {
        let world = try await CloudletWorld.start(port: 0, limits: limits)
        do {
            let transport = HTTPTransport(url: try #require(world.server.url))
            var connection = try await world.connection(of: "alice", on: "phone")
            connection.transport = transport
            try await body(world, transport, connection)
        } catch {
            await world.stop()
            throw error
        }
        await world.stop()
    }

    private func database(_ connection: CloudConnection) -> CKDatabase {
        CKContainer(identifier: Fixture.containerName, connection: connection).privateCloudDatabase
    }

    @Test("Long answers from remote servers are compressed, with the same content")
    func compression() async throws {
        try await withListeningServer { world, transport, connection in
            #expect(!transport.acceptsCompression)
            #expect(HTTPTransport(url: try #require(URL(string: "https://example.org"))).acceptsCompression)
            let seen = Encodings()
            var far = transport
            far.acceptsCompression = true
            var compressed = connection
            compressed.transport = ObservedTransport(base: far, encodings: seen)
            let records = (0..<60).map { party("\($0)") }
            _ = try await database(compressed).modifyRecords(saving: records, deleting: [])
            let ids = records.map(\.recordID)
            let small = try await database(compressed).records(for: ids)
            #expect(seen.all.contains("gzip"))
            seen.forget()
            var plain = connection
            plain.transport = ObservedTransport(base: transport, encodings: seen)
            let large = try await database(plain).records(for: ids)
            #expect(seen.all == [""])
            #expect(small.count == 60)
            for (id, result) in large {
                let same = try small[id]?.get()["name"] as? String
                #expect(try result.get()["name"] == same)
            }
        }
    }

    /// Bytes that do not repeat.
    private static let photo = Data(
        (0..<700_000).map { UInt8(truncatingIfNeeded: ($0 &* 2_654_435_761) >> 9) })

    private func savePhoto(_ world: CloudletWorld, _ connection: CloudConnection) async throws -> CKRecord.ID
    {
        let file = world.server.dataFolder.appendingPathComponent("photo")
        try Self.photo.write(to: file)
        let record = party("a")
        record["photo"] = CKAsset(fileURL: file)
        return try await database(connection).save(record).recordID
    }

    private func fetch(
        _ id: CKRecord.ID, _ connection: CloudConnection, _ quality: QualityOfService
    ) async throws -> Data? {
        let configuration = CKOperation.Configuration()
        configuration.qualityOfService = quality
        return try await database(connection).configuredWith(configuration: configuration) { database in
            let record = try await database.record(for: id)
            return try ((record["photo"] as? CKAsset)?.fileURL).map { try Data(contentsOf: $0) }
        }
    }

    @Test(
        "An interrupted download resumes: utility operations retry, others resume with the next fetch")
    func resuming() async throws {
        try await withListeningServer { world, transport, connection in
            let id = try await savePhoto(world, connection)
            let clock = world.clock
            var patient = connection
            patient.pause = { clock.advance(bySeconds: TimeInterval($0.components.seconds)) }
            let breaks = BreakingTransport(base: transport, at: 300_000)
            patient.transport = breaks
            #expect(try await fetch(id, patient, .utility) == Self.photo)
            #expect(breaks.statuses == [206])
            try FileManager.default.removeItem(at: connection.assetFolder)
            let again = BreakingTransport(base: transport, at: 650_000)
            var urgent = connection
            urgent.transport = again
            await #expect(throws: CKError.self) { try await fetch(id, urgent, .userInitiated) }
            #expect(try await fetch(id, urgent, .userInitiated) == Self.photo)
            #expect(again.statuses == [206])
        }
    }

    @Test("A download starts again if its part file is too long")
    func wrongParts() async throws {
        try await withListeningServer { world, transport, connection in
            let id = try await savePhoto(world, connection)
            let tooLong = BreakingTransport(base: transport, at: 700_000)
            tooLong.append(Data([1]))
            var patient = connection
            let clock = world.clock
            patient.pause = { clock.advance(bySeconds: TimeInterval($0.components.seconds)) }
            patient.transport = tooLong
            #expect(try await fetch(id, patient, .utility) == Self.photo)
            #expect(tooLong.statuses == [200])
        }
    }

    @Test("A complete part file of a killed process does not make the next fetch fail")
    func wholePart() async throws {
        try await withListeningServer { world, transport, connection in
            let id = try await savePhoto(world, connection)
            #expect(try await fetch(id, connection, .userInitiated) == Self.photo)
            let folder = connection.assetFolder
            let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
            let place = try #require(names.first { $0.contains("/") })
            let file = folder.appendingPathComponent(place)
            try FileManager.default.moveItem(at: file, to: file.appendingPathExtension("part"))
            #expect(try await fetch(id, connection, .userInitiated) == Self.photo)
            let left = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
            #expect(!left.contains { $0.hasSuffix(".part") })
        }
    }

    @Test("An error answer is complete even if it is longer than the expected file")
    func smallFile() async throws {
        try await withListeningServer { _, transport, _ in
            let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
            var request = CloudRequest(.get, "/assets/none", saveTo: file.path)
            request.maximumBytes = 1
            let response = try await transport.send(request)
            #expect(response.status == 403)
            #expect(String(decoding: response.bytes, as: UTF8.self).contains("ACCESS_DENIED"))
        }
    }

    @Test(
        "Answers of remote hosts may be compressed, those of this machine not",
        arguments: [
            ("http://localhost:8080", false), ("http://127.0.0.1", false), ("http://[::1]:8080", false),
            ("http://[2001:db8::1]", true), ("http://[fe80::1234]", true), ("https://example.org", true),
        ])
    func near(address: String, isFar: Bool) throws {
        let transport = HTTPTransport(url: try #require(URL(string: address)))
        #expect(transport.acceptsCompression == isFar)
    }

    @Test(
        "An address with a port that cannot exist is refused",
        arguments: ["http://127.0.0.1:99999/x", "http://[::1]:70000/x", "https://127.0.0.1:65536"])
    func impossiblePort(address: String) async throws {
        let transport = HTTPTransport(url: try #require(URL(string: "http://127.0.0.1")))
        let error = await #expect(throws: CloudTransportError.self) {
            _ = try await transport.send(CloudRequest(.get, address))
        }
        #expect(error?.description.contains(address) == true)
    }

    @Test("The client checks the server's published limits before it sends a request")
    func limits() async throws {
        var limits = Limits()
        limits.operationsPerRequest = 3
        try await withListeningServer(limits: limits) { _, transport, connection in
            let sent = Log()
            var watched = connection
            watched.transport = WatchedTransport(transport) { request in
                sent.add(request.target.split(separator: "?").first.map(String.init) ?? "")
            }
            let records = (0..<4).map { party("\($0)") }
            let database = database(watched)
            #expect(
                await code { _ = try await database.modifyRecords(saving: records, deleting: []) }
                    == .limitExceeded)
            #expect(sent.all.count == 1)
            try await watched.readLimits()
            #expect(sent.all.last == "/limits")
            #expect(
                await code { _ = try await database.modifyRecords(saving: records, deleting: []) }
                    == .limitExceeded)
            #expect(sent.all.count == 2)
            _ = try await database.modifyRecords(saving: Array(records.prefix(3)), deleting: [])
            #expect(sent.all.count == 3)
        }
    }
}

/// Collects the content encodings of the answers.
private final class Encodings: Sendable {
    private let seen = Mutex<[String]>([])

    var all: [String] { seen.withLock { $0 } }

    func add(_ encoding: String) { seen.withLock { $0.append(encoding) } }

    func forget() { seen.withLock { $0 = [] } }
}

private struct ObservedTransport: CloudTransport {
    let base: any CloudTransport
    let encodings: Encodings

    func send(_ request: CloudRequest) async throws -> CloudResponse {
        let response = try await base.send(request)
        encodings.add(response.headers["content-encoding"] ?? "")
        return response
    }
}

/// Breaks the first download off after a number of bytes, and collects the statuses of the downloads that
/// succeed.
private final class BreakingTransport: CloudTransport {
    private let base: HTTPTransport
    private let end: Int
    private let state = Mutex<(hasBroken: Bool, statuses: [Int], more: Data)>((false, [], Data()))

    init(base: HTTPTransport, at end: Int) {
        self.base = base
        self.end = end
    }

    var statuses: [Int] { state.withLock { $0.statuses } }

    /// Sets the bytes that the broken download gets in addition to the ones that the server sent.
    func append(_ data: Data) { state.withLock { $0.more = data } }

    func send(_ request: CloudRequest) async throws -> CloudResponse {
        guard let path = request.saveTo else { return try await base.send(request) }
        let (isFirst, more) = state.withLock { state in
            defer { state.hasBroken = true }
            return (!state.hasBroken, state.more)
        }
        if isFirst {
            var whole = request
            whole.saveTo = path + ".whole"
            whole.resumes = false
            _ = try await base.send(whole)
            let bytes = try Data(contentsOf: URL(fileURLWithPath: path + ".whole"))
            try FileManager.default.removeItem(atPath: path + ".whole")
            try (bytes.prefix(end) + more).write(to: URL(fileURLWithPath: path + ".part"))
            throw CloudTransportError.connectionLost("broken")
        }
        let response = try await base.send(request)
        state.withLock { $0.statuses.append(response.status) }
        return response
    }
}
