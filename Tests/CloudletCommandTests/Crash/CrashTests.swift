import Foundation
import RecordStoreSQLite
import RecordsWire
import Synchronization
import Testing

@testable import TestKit

@Suite("Crash")
struct CrashTests {
    /// How often the server is killed.
    private static let kills = Int(ProcessInfo.processInfo.environment["CLOUDLET_KILLS"] ?? "") ?? 200

    @Test("A server that is killed again and again keeps every acknowledged write, and no half batch")
    func killed() async throws {
        let folder = URL.unused()
        folder.remove()
        defer { folder.remove() }
        var server = KilledServer(data: folder, seed: 231)
        for round in 1...Self.kills { try await server.runAndKill(round: round) }
        try await server.checkFiles()
        print("killed \(Self.kills) times, seed 231, \(server.acknowledgedCount) acknowledged batches")
    }
}

/// The values that the writers sent and that the server acknowledged, in one run of the server.
private final class WriteLog: Sendable {
    struct State: Sendable {
        var acknowledged: [Int]
        var sent: [Int]
        var count = 0
    }

    let state: Mutex<State>

    init(acknowledged: [Int], sent: [Int]) {
        state = Mutex(State(acknowledged: acknowledged, sent: sent))
    }
}

/// A server that is killed and started again with the same data.
private struct KilledServer {
    let data: URL
    private var random: SeededNumbers
    private var token = ""
    /// The last acknowledged value of each writer.
    private var acknowledged = [Int](repeating: 0, count: 6)
    /// The last value that each writer has sent.
    private var sent = [Int](repeating: 0, count: 6)
    private var syncToken: String?
    private(set) var acknowledgedCount = 0

    init(data: URL, seed: UInt64) {
        self.data = data
        random = SeededNumbers(seed: seed)
    }

    /// Starts the server, checks its data, lets writers write, and kills it during their requests.
    mutating func runAndKill(round: Int) async throws {
        let server = try Command("serve", "--data", data.path, "--port", "0", "--open")
        let http = try RawHTTP(try await server.address())
        if token.isEmpty { try await setUp(with: http) }
        try await check(http, round: round)
        try await checkFiles()
        let last = WriteLog(acknowledged: acknowledged, sent: sent)
        let enough = Int.random(in: 1...25, using: &random)
        let (reached, gate) = AsyncStream.makeStream(of: Never.self)
        let base = sent
        let token = token
        await withTaskGroup(of: Void.self) { group in
            for writer in acknowledged.indices {
                group.addTask {
                    var value = base[writer]
                    while true {
                        value += 1
                        last.state.withLock { $0.sent[writer] = value }
                        guard await Self.write(value, by: writer, http, token) else { return }
                        let count = last.state.withLock { state in
                            state.acknowledged[writer] = value
                            state.count += 1
                            return state.count
                        }
                        if count == enough { gate.finish() }
                    }
                }
            }
            for await _ in reached {}
            _ = await server.stop(SIGKILL)
        }
        let end = last.state.withLock { $0 }
        (acknowledged, sent) = (end.acknowledged, end.sent)
        acknowledgedCount += end.count
    }

    /// Signs in and creates the zone.
    private mutating func setUp(with http: RawHTTP) async throws {
        let reply = try await Self.post(http, "/dev/sign-in", #"{"name":"victim"}"#)
        token = try JSONDocument(reply).root.required("ckWebAuthToken").string()
        _ = try await Self.post(
            http, Self.path("zones/modify", token),
            #"{"operations":[{"operationType":"create","zone":{"zoneID":{"zoneName":"Z"}}}]}"#
        )
    }

    /// Saves a pair of records with one value in one atomic batch; false when no answer came.
    private static func write(_ value: Int, by writer: Int, _ http: RawHTTP, _ token: String) async -> Bool {
        let records = ["a", "b"].map { half in
            """
            {"operationType":"forceUpdate","record":{"recordName":"\(half)\(writer)","recordType":"Pair",\
            "fields":{"value":{"value":\(value),"type":"INT64"}}}}
            """
        }
        let operations = records.joined(separator: ",")
        let body = #"{"zoneID":{"zoneName":"Z"},"atomic":true,"operations":[\#(operations)]}"#
        let head = http.head("POST", path("records/modify", token), [:], length: body.utf8.count)
        guard let reply = try? await http.exchange(head + Array(body.utf8)) else { return false }
        return String(decoding: reply, as: UTF8.self).contains("recordChangeTag")
    }

    /// Both records of a writer have the same value, from the last acknowledged to the last sent one, and
    /// tokens still work.
    private mutating func check(_ http: RawHTTP, round: Int) async throws {
        let names = acknowledged.indices.flatMap { ["a\($0)", "b\($0)"] }
        let wanted = names.map { #"{"recordName":"\#($0)"}"# }.joined(separator: ",")
        let reply = try await Self.post(
            http, Self.path("records/lookup", token), #"{"zoneID":{"zoneName":"Z"},"records":[\#(wanted)]}"#
        )
        let values = try JSONDocument(reply).root.required("records").elements.map { node in
            node["fields"]?["value"]?["value"]?.int64Value.map(Int.init) ?? 0
        }
        for writer in acknowledged.indices {
            let (first, second) = (values[writer * 2], values[writer * 2 + 1])
            #expect(first == second, "round \(round): half a batch of writer \(writer)")
            #expect(
                (acknowledged[writer]...sent[writer]).contains(first),
                "round \(round): writer \(writer) was promised \(acknowledged[writer]) and has \(first)"
            )
            sent[writer] = max(sent[writer], first)
        }
        let since = syncToken.map { #","syncToken":"\#($0)""# } ?? ""
        let changes = try await Self.post(
            http, Self.path("changes/zone", token), #"{"zones":[{"zoneID":{"zoneName":"Z"}\#(since)}]}"#
        )
        for zone in try JSONDocument(changes).root.required("zones").elements {
            syncToken = try zone.required("syncToken").string()
        }
    }

    private static func path(_ action: String, _ token: String) -> String {
        "/database/1/iCloud.org.example.crash/development/private/\(action)?ckWebAuthToken=\(token)"
    }

    private static func post(_ http: RawHTTP, _ target: String, _ body: String) async throws -> [UInt8] {
        try await http.send("POST", target, [:], Array(body.utf8)).bytes
    }

    /// Runs SQLite's integrity check on every database file.
    func checkFiles() async throws {
        let files = FileManager.default.enumerator(at: data, includingPropertiesForKeys: nil)
        var checked = 0
        while let file = files?.nextObject() as? URL {
            let name = file.lastPathComponent
            guard name.hasSuffix(".sqlite"), name != "directory.sqlite",
                name != "telemetry.sqlite"
            else { continue }
            let store = try SQLiteStore(file: file, newIdentity: 0, codec: FieldJSON())
            #expect(try await store.faults() == [], "\(file.lastPathComponent)")
            try await store.close()
            checked += 1
        }
        #expect(checked > 0)
    }
}
