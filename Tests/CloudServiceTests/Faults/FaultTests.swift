import CloudService
import CloudletServer
import Foundation
import Records
import RecordsWire
import Synchronization
import Testing

@testable import ServerKit
@testable import TestKit

@Suite("Faults", .timeLimit(.minutes(30)))
struct FaultTests {
    private static let modify = FaultCall(endpoint: "records/modify", device: "phone")

    /// The number of faults that apply to each of some calls.
    private static func appliedCounts(_ fault: Fault, _ calls: [FaultCall]) -> [Int] {
        var book = FaultList()
        _ = book.add(fault)
        return calls.map { book.applyFaults(Set(FaultKind.allCases), to: $0).count }
    }

    @Test("A fault applies to the calls that its selectors match, from its first call, up to its count")
    func selectors() {
        let query = FaultCall(endpoint: "records/query", device: "pad")
        let calls = [Self.modify, query, Self.modify, query, Self.modify]
        #expect(Self.appliedCounts(Fault(.unavailable), calls) == [1, 1, 1, 1, 1])
        #expect(Self.appliedCounts(Fault(.unavailable, count: 2), calls) == [1, 1, 0, 0, 0])
        #expect(Self.appliedCounts(Fault(.unavailable, first: 2, count: 1), calls) == [0, 1, 0, 0, 0])
        #expect(Self.appliedCounts(Fault(.unavailable, endpoint: "records/query"), calls) == [0, 1, 0, 1, 0])
        #expect(Self.appliedCounts(Fault(.slow, device: "phone", first: 3), calls) == [0, 0, 0, 0, 1])
        #expect(Self.appliedCounts(Fault(.zoneBusy, count: 2), calls) == [1, 0, 1, 0, 0])
        #expect(Self.appliedCounts(Fault(.tokenExpired), calls) == [0, 0, 0, 0, 0])
        #expect(Self.appliedCounts(Fault(.unavailable, count: 0), calls) == [0, 0, 0, 0, 0])
    }

    @Test("The list counts each fault separately, and never reuses a number")
    func book() {
        var book = FaultList()
        #expect(book.add(Fault(.slow)) == 1)
        #expect(book.add(Fault(.rateLimited, first: 2)) == 2)
        #expect(book.applyFaults([.slow, .rateLimited], to: Self.modify).map(\.kind) == [.slow])
        #expect(
            book.applyFaults([.slow, .rateLimited], to: Self.modify).map(\.kind) == [.slow, .rateLimited])
        #expect(book.applyFaults([.responseLost], to: Self.modify) == [])
        #expect(book.entries.map(\.matchingCalls) == [2, 2])
        #expect(book.entries.map(\.affectedCalls) == [2, 1])
        let removals = [book.remove(1), book.remove(1)]
        #expect(removals == [true, false])
        book.clear()
        #expect(book.add(Fault(.slow)) == 3)
    }

    @Test("Simulated refusals have the code, status and wait of their kind, and execute nothing")
    func refusals() async throws {
        let cases: [(FaultKind, String, Int)] = [
            (.zoneBusy, "503 TRY_AGAIN_LATER: zone is busy: CAS Op-Lock failed. Retry request", 1),
            (.unavailable, "503 TRY_AGAIN_LATER: service unavailable", 3),
            (.rateLimited, "429 THROTTLED: too many requests", 3),
        ]
        try await serving { world in
            let alice = try await world.signIn("alice")
            for (name, failure, seconds) in cases {
                world.server.faults.add(Fault(name, count: 1))
                let save = batch([create(name.rawValue)])
                let refused = try await world.call("public/records/modify", save, as: alice)
                #expect(refused.failure == failure)
                #expect(refused.json["retryAfter"].number == Int64(seconds))
                #expect(refused.headers["Retry-After"] == String(seconds))
                let saved = try await world.call("public/records/modify", save, as: alice)
                #expect(saved.records == ["ok"])
            }
            world.server.faults.clear()
            world.server.faults.add(Fault(.rateLimited, seconds: 42))
            #expect(try await world.get("public/zones/list").json["retryAfter"] == 42)
        }
    }

    @Test(
        "A broken connection loses the answer, but not the change that was executed before",
        arguments: Transport.allCases)
    func broken(transport: Transport) async throws {
        for (name, survives) in [(FaultKind.networkFailureBefore, false), (.responseLost, true)] {
            try await withServer(transport) { world in
                let alice = try await world.signIn("alice")
                world.server.faults.add(Fault(name, endpoint: "records/modify", count: 1))
                await #expect(throws: (any Error).self) {
                    try await world.modify("public", [create("p")], as: alice)
                }
                let found = try await world.lookup("public", "p")
                #expect((found.records == ["ok"]) == survives)
            }
        }
    }

    @Test("In process, a simulated broken connection is reported as a network failure")
    func brokenLoopback() async throws {
        try await withServer(.loopback) { world in
            world.server.faults.add(Fault(.networkFailureBefore))
            let error = await #expect(throws: CloudTransportError.self) {
                try await world.get("public/zones/list")
            }
            #expect(error == .connectionLost("the server closed the connection"))
        }
    }

    @Test("Expired tokens are refused, requests without one are answered")
    func tokens() async throws {
        try await serving { world in
            let alice = try await world.signIn("alice")
            try await world.call("private/zones/modify", zones(create: ["Notes"]), as: alice)
            let token = try await world.get("private/zones/list", as: alice).json["zones"][1]["syncToken"]
            world.server.faults.add(Fault(.tokenExpired, count: 1))
            let zone: JSON = ["zoneID": ["zoneName": "Notes"]]
            let fresh = try await world.call("private/changes/zone", ["zones": [zone]], as: alice)
            #expect(fresh.items("zones") == ["ok"])
            let old: JSON = ["zones": [zone.with(["syncToken": token])]]
            let details: CloudHeaders = ["X-Cloudlet-Details": "1"]
            let refused = try await world.call("private/changes/zone", old, as: alice, headers: details)
            let words = "BAD_REQUEST: client knowledge differs from server knowledge"
            #expect(refused.items("zones") == [words])
            #expect(refused.json["zones"][0]["cloudlet"]["code"] == "changeTokenExpired")
            let later = try await world.call("private/changes/zone", old, as: alice)
            #expect(later.items("zones") == ["ok"])
        }
    }

    @Test("A simulated full quota refuses saves and uploads, but not deletions")
    func quota() async throws {
        try await serving { world in
            let alice = try await world.signIn("alice")
            try await world.modify("public", [create("old")], as: alice)
            let place = try await world.uploadAddress(record: "f1", as: alice)
            world.server.faults.add(Fault(.quotaFull))
            let mixed = batch([create("new"), forceDelete("old")])
            let reply = try await world.call("public/records/modify", mixed, as: alice)
            #expect(reply.records == ["QUOTA_EXCEEDED: quota exceeded", "ok"])
            let token: JSON = ["tokens": [["recordType": "Photo", "fieldName": "file"]]]
            let upload = try await world.call("public/assets/upload", token, as: alice)
            #expect(upload.failure == "413 QUOTA_EXCEEDED: quota exceeded")
            let bytes = try await world.send("POST", place, body: [1])
            #expect(bytes.failure == "413 QUOTA_EXCEEDED: quota exceeded")
        }
    }

    @Test("A slow server answers after its delay, on one device only", arguments: Transport.allCases)
    func slow(transport: Transport) async throws {
        let waits = Mutex<[Duration]>([])
        try await withServer(transport, { $0.pause = { wait in waits.withLock { $0.append(wait) } } }) {
            world in
            world.server.faults.add(Fault(.slow, device: "phone", seconds: 7))
            let phone = ServerWorld.target("public/zones/list", parameters: "clientId=phone")
            let pad = ServerWorld.target("public/zones/list", parameters: "clientId=pad")
            for target in [pad, phone, pad] {
                let reply = try await world.send("GET", target)
                #expect(reply.status == 200)
            }
        }
        #expect(waits.withLock { $0 } == [.seconds(7)])
    }

    @Test("A cancelled call fails as cancelled, not as a server error")
    func stopsWaiting() async throws {
        try await withServer(.loopback) { world in
            world.server.faults.add(Fault(.slow, seconds: 3600))
            let path = "/database/1/iCloud.test/development/public/zones/list"
            let call = Task { try await world.server.transport.send(CloudRequest(.get, path)) }
            call.cancel()
            await #expect(throws: CancellationError.self) { try await call.value }
        }
    }

    @Test("An open server lets clients add, list and remove faults")
    func wire() async throws {
        try await serving { world in
            func set(_ body: JSON) async throws -> Reply {
                try await world.send("POST", "/dev/faults", body: try body.encoded())
            }
            let catalogue = try await world.send("GET", "/dev/faults").json["catalogue"].texts("name")
            #expect(catalogue == FaultKind.allCases.map(\.rawValue))
            let fault: JSON = ["name": "unavailable", "endpoint": "zones/list", "first": 2, "count": 1]
            let added = try await set(["add": fault])
            let shown = fault.with(["id": 1, "seconds": 3, "met": 0, "struck": 0])
            #expect(added.json == ["faults": [shown]])
            #expect(try await world.get("public/zones/list").status == 200)
            #expect(try await world.get("public/zones/list").status == 503)
            #expect(try await world.get("public/zones/list").status == 200)
            #expect(world.server.faults.active.map(\.affectedCalls) == [1])
            #expect(try await set(["remove": 9]).status == 404)
            #expect(try await set(["remove": 1]).json == ["faults": []])
            let unknown = try await set(["add": ["name": "earthquake"]])
            #expect(unknown.failure == "400 BAD_REQUEST: there is no fault with this name")
            let mistakes: [(String, JSON)] = [
                ("endpoint", "records/invent"), ("first", 0), ("count", 0), ("seconds", -1), ("count", "x"),
            ]
            for (key, wrong) in mistakes {
                let fault = JSON.object(["name": "slow"]).with([key: wrong])
                #expect(try await set(["add": fault]).status == 400, "\(key) \(wrong)")
            }
            _ = try await set(["add": ["name": "slow"]])
            #expect(try await set(["clear": true]).json == ["faults": []])
        }
        try await serving({ $0.access = .closed }) { world in
            for (method, body) in [("GET", ""), ("POST", "{}")] {
                let reply = try await world.send(method, "/dev/faults", body: Array(body.utf8))
                let refusal = "403 ACCESS_DENIED: only a server that is open for development allows this"
                #expect(reply.failure == refusal)
            }
        }
    }

    @Test("A server with kept data on the network accepts no faults; an embedded one does")
    func keepers() async throws {
        let folder = URL.unused()
        defer { folder.remove() }
        let refusal =
            "403 ACCESS_DENIED: this server keeps its data and listens on the network, so it "
            + "accepts no faults"
        try await withServer(.socket, { $0.storage = .folder(folder) }) { world in
            for (method, body) in [("GET", ""), ("POST", "{}")] {
                let reply = try await world.send(method, "/dev/faults", body: Array(body.utf8))
                #expect(reply.failure == refusal)
            }
            #expect(world.server.faults.add(Fault(.unavailable)) == 0)
            #expect(world.server.faults.active == [])
            #expect(try await world.get("public/zones/list").status == 200)
        }
        try await withServer(.loopback, { $0.storage = .folder(folder) }) { world in
            let reply = try await world.send("GET", "/dev/faults")
            #expect(reply.status == 200)
        }
    }
}
