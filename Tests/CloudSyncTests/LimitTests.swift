import CloudSync
import Cloudlet
import CloudletServer
import CloudletTesting
import Foundation
import LocalReplica
import Records
import Synchronization
import Testing

@testable import TestKit

@Suite("The limits of a server", .timeLimit(.minutes(30)))
struct SyncLimitTests {
    /// Runs the body with a device of a server with changed limits, and with the requests that it sends.
    private static func modest(
        _ change: (inout Limits) -> Void, _ body: (Device, Requests) async throws -> Void
    ) async throws {
        var limits = Limits()
        change(&limits)
        let world = try await CloudletWorld.start(limits: limits)
        let phone = try await SyncWorld.device(of: "modest", "phone", in: world)
        let sent = Requests()
        phone.link.hook = { target in
            let path = target.prefix { $0 != "?" }.split(separator: "/").suffix(2)
            sent.add(path.joined(separator: "/"))
        }
        try await body(phone, sent)
        await world.stop()
    }

    @Test("Limits are read before anything is sent, and batches are as large as they allow")
    func heedsLimits() async throws {
        try await Self.modest {
            $0.operationsPerRequest = 3
        } _: { phone, sent in
            for number in 0..<8 { try await phone.write("text", to: "n\(number)") }
            try await phone.sync.waitUntilIdle()
            #expect(try await phone.pending() == [])
            #expect(sent.count("records/modify") == 3)
            try await phone.sync.waitUntilIdle()
            #expect(sent.count("limits") == 1)
        }
    }

    @Test("A file or record above the limit is refused without a request, and delays no other edit")
    func heedsSizes() async throws {
        try await Self.modest {
            $0.assetBytes = 10
            $0.recordBytes = 1000
        } _: { phone, sent in
            let file = phone.files.appendingPathExtension("jpg")
            try Data("eleven byte".utf8).write(to: file)
            let asset = try phone.replica.keepFile(at: file)
            try await phone.replica.write { writer in
                var receipt = ReplicaRecord(type: "Receipt", id: RecordID(name: "photo", zone: "Notes"))
                receipt[field: "photo"] = .asset(asset)
                try writer.save(receipt)
            }
            try await phone.write(String(repeating: "x", count: 1000), to: "long")
            try await phone.write("text", to: "n")
            try await phone.sync.waitUntilIdle()
            #expect(try await phone.pending() == ["create photo refused", "create long refused"])
            #expect(sent.count("records/modify") == 1)
            #expect(sent.count("assets/upload") == 0)
        }
    }

    @Test("Lists beyond the limit of a request are sent in several; a single one beyond it is refused")
    func heedsElements() async throws {
        try await Self.modest {
            $0.elementsPerRequest = 4
        } _: { phone, _ in
            try await phone.replica.write { writer in
                for (name, count) in [("a", 2), ("b", 2), ("c", 2), ("d", 2), ("long", 5)] {
                    var list = ReplicaRecord(type: "List", id: RecordID(name: name, zone: "Notes"))
                    list[field: "numbers"] = .list(.int64, (0..<count).map { .int64(Int64($0)) })
                    try writer.save(list)
                }
            }
            try await phone.sync.waitUntilIdle()
            #expect(try await phone.pending() == ["create long refused"])
        }
    }

    @Test("Files whose upload URLs expire while others are sent are uploaded again")
    func expiredUploads() async throws {
        let world = try await CloudletWorld.start()
        let phone = try await SyncWorld.device(of: "slow", "phone", in: world)
        for number in 1...6 {
            let file = phone.files.appendingPathExtension("\(number)")
            try Data("photo \(number)".utf8).write(to: file)
            defer { file.remove() }
            let asset = try phone.replica.keepFile(at: file)
            try await phone.replica.write { writer in
                var bill = ReplicaRecord(type: "Bill", id: RecordID(name: "bill\(number)", zone: "Notes"))
                bill[field: "photo"] = .asset(asset)
                try writer.save(bill)
            }
        }
        let uploads = Requests()
        phone.link.hook = { target in
            guard target.contains("/assets/"), !target.contains("assets/upload") else { return }
            uploads.add("file")
            // When the third file is sent, the upload addresses have expired.
            if uploads.count("file") == 3 { world.clock.advance(bySeconds: 1000) }
        }
        try await phone.sync.waitUntilIdle()
        #expect(try await phone.pending() == [])
        #expect(uploads.count("file") > 6)
        await world.stop()
    }

    @Test("A record whose file is missing on the device is refused, and delays no other edit")
    func missingFile() async throws {
        let phone = try await SyncWorld.device(of: "missingfile", "phone")
        let file = phone.files.appendingPathExtension("jpg")
        try Data("a lost picture".utf8).write(to: file)
        defer { file.remove() }
        let asset = try phone.replica.keepFile(at: file)
        try await phone.replica.write { writer in
            var bill = ReplicaRecord(type: "Bill", id: RecordID(name: "bill", zone: "Notes"))
            bill[field: "photo"] = .asset(asset)
            try writer.save(bill)
        }
        try await phone.write("text", to: "n")
        try #require(phone.replica.file(of: asset)).remove()
        try await phone.sync.waitUntilIdle()
        #expect(try await phone.pending() == ["create bill refused"])
    }

    @Test("Texts beyond the limit of a request are sent in several requests")
    func heedsTexts() async throws {
        try await Self.modest {
            $0.searchableBytesPerRequest = 1000
        } _: { phone, _ in
            for name in ["a", "b", "c", "d"] {
                try await phone.write(String(repeating: "word ", count: 120), to: name)
            }
            try await phone.sync.waitUntilIdle()
            #expect(try await phone.pending() == [])
        }
    }

    @Test("Sync works with a server that publishes no limits")
    func withoutLimits() async throws {
        let (phone, _) = try await SyncWorld.pair("nolimits")
        let base = try #require(phone.link.base)
        phone.link.base = Unpublished(base: base)
        try await phone.write("text", to: "n")
        try await phone.sync.waitUntilIdle()
        #expect(try await phone.pending() == [])
    }

    @Test("A server that is too busy to return its limits is asked again")
    func busyWithLimits() async throws {
        try await Self.modest {
            $0.operationsPerRequest = 3
        } _: { phone, sent in
            phone.link.revise = { target, response in
                guard target == "/limits" else { return response }
                var busy = response
                (busy.status, busy.body) = (503, .bytes([]))
                return busy
            }
            for number in 0..<8 { try await phone.write("text", to: "n\(number)") }
            #expect(try await phone.sync.sync().activity == .waiting)
            #expect(sent.count("records/modify") == 0)
            phone.link.revise = nil
            try await phone.sync.waitUntilIdle()
            #expect(try await phone.pending() == [])
            #expect(sent.count("records/modify") == 3)
        }
    }

    /// A transport to a server without the endpoint `/limits`.
    private struct Unpublished: CloudTransport {
        let base: any CloudTransport

        func send(_ request: CloudRequest) async throws -> CloudResponse {
            if request.target == "/limits" { throw CloudTransportError.badTarget(request.target) }
            return try await base.send(request)
        }
    }
}

/// The paths that a device has requested.
private final class Requests: Sendable {
    private let paths = Mutex<[String]>([])

    func add(_ path: String) { paths.withLock { $0.append(path) } }

    func count(_ path: String) -> Int { paths.withLock { $0.filter { $0 == path }.count } }
}
