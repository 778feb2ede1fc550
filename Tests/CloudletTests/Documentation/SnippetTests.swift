import CloudKit
import CloudletServer
import CloudletTesting
import Foundation
import LocalReplica
import Records
import Testing

@testable import TestKit

@Suite("The pages of the documentation")
struct SnippetTests {
    private static let pages = URL.package.appending(path: "Sources/Cloudlet/Documentation.docc")

    /// The lines of the Swift blocks of a page, block by block, without indentation.
    private static func blocks(in page: String) -> [[String]] {
        page.components(separatedBy: "```swift\n").dropFirst().map { rest in
            let block = rest.components(separatedBy: "```").first ?? ""
            return lines(of: block)
        }
    }

    private static func lines(of text: String) -> [String] {
        text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
    }

    @Test(
        "Each block of code stands in this file, which is compiled and run",
        arguments: ["Cloudlet", "ComingFromCloudKit", "HandleErrors", "TestYourApp"])
    func compiled(_ name: String) throws {
        let page = try String(
            contentsOf: Self.pages.appendingPathComponent("\(name).md"), encoding: .utf8)
        let code = Self.lines(of: try String(contentsOf: URL(fileURLWithPath: #filePath), encoding: .utf8))
        let blocks = Self.blocks(in: page)
        #expect(!blocks.isEmpty)
        for block in blocks {
            let isHere = code.indices.contains { code[$0...].starts(with: block) }
            #expect(isHere, "\(name): not compiled: \(block.joined(separator: "\n"))")
        }
    }

    @Test("Cloudlet: the first record")
    func landing() async throws {
        let world = try await CloudletWorld.start(port: 0)
        let serverURL = try #require(world.server.url)
        let connection = try await CloudConnection(url: serverURL).signingIn(as: "alice")
        let container = CKContainer(identifier: "iCloud.com.example.parties", connection: connection)
        let party = CKRecord(recordType: "Party")
        party["name"] = "Coffee"
        let saved = try await container.privateCloudDatabase.save(party)
        #expect(saved.recordChangeTag != nil)
        await world.stop()
    }

    @Test("Cloudlet: a model is mapped once, for records of the cloud and of the device")
    func mapping() throws {
        let meeting = Meeting(
            id: "m", topic: "Cake", starts: Date(timeIntervalSince1970: 1_800_000_000), guests: ["Ann"])
        var cloud = CKRecord(recordType: "Meeting", recordID: CKRecord.ID(recordName: "m"))
        var device = ReplicaRecord(type: "Meeting", id: RecordID(name: "m"))
        meeting.write(to: &cloud)
        meeting.write(to: &device)
        #expect(try Meeting(cloud) == meeting)
        #expect(try Meeting(device) == meeting)
        #expect(cloud["guests"] as? [String] == ["Ann"])
        let bare = Meeting(id: "m", topic: "Tea", starts: nil, guests: [])
        bare.write(to: &cloud)
        bare.write(to: &device)
        #expect(try Meeting(cloud) == bare)
        #expect(try Meeting(device) == bare)
        #expect(cloud["starts"] == nil)
        let error = UnreadableField(recordType: "Meeting", recordName: "e", field: "topic")
        #expect(throws: error) {
            try Meeting(CKRecord(recordType: "Meeting", recordID: CKRecord.ID(recordName: "e")))
        }
    }

    @Test("Coming from CloudKit: a query, a delta, a push")
    func comingFromCloudKit() async throws {
        try await withCast { cast in
            let zoneID = CKRecordZone.ID(zoneName: "Parties")
            let database = cast.alice.privateCloudDatabase
            try await database.save(CKRecordZone(zoneID: zoneID))
            try await database.save(CKRecordZoneSubscription(zoneID: zoneID, subscriptionID: "s"))
            let record = party("Coffee", zone: zoneID)
            record["guests"] = 12
            try await database.save(record)
            var names: [String] = []
            let query = CKQuery(recordType: "Party", predicate: NSPredicate(format: "guests > %d", 10))
            query.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
            let (matches, cursor) = try await database.records(matching: query, inZoneWith: zoneID)
            for (_, result) in matches { names.append(try result.get()["name"] ?? "") }
            #expect(names == ["Coffee"])
            #expect(cursor == nil)
            let token: CKServerChangeToken? = nil
            var page = try await database.recordZoneChanges(inZoneWith: zoneID, since: token)
            while page.moreComing {
                page = try await database.recordZoneChanges(inZoneWith: zoneID, since: page.changeToken)
            }
            #expect(page.modificationResultsByID.count == 1)
            try await hearing(cast, zoneID)
        }
    }

    private func hearing(_ cast: Cast, _ zoneID: CKRecordZone.ID) async throws {
        let folder = cast.folder
        var connection = cast.alice.connection
        let keyFile = folder.appendingPathComponent("key")
        connection.encryptionKey = CloudEncryptionKey(file: keyFile)
        connection.operationFolder = folder.appendingPathComponent("operations")
        let container = CKContainer(identifier: Cast.containerName, connection: connection)
        try await connectOnce(container)
        try await cast.tablet.privateCloudDatabase.save(party("Wedding", zone: zoneID))
        var changedZones: [CKRecordZone.ID?] = []
        for await push in container.pushes() {
            guard let zone = push as? CKRecordZoneNotification else { continue }
            changedZones.append(zone.recordZoneID)
            break
        }
        #expect(changedZones == [zoneID])
    }

    /// A device that has been there once is sent what it missed.
    private func connectOnce(_ container: CKContainer) async throws {
        let (states, tell) = AsyncStream.makeStream(of: Bool.self)
        let pushes = container.pushes { tell.yield($0) }
        for await isConnected in states where isConnected { break }
        withExtendedLifetime(pushes) {}
    }

    private enum Next: Equatable {
        case done, fromTheBeginning, inHalves
        case later(Double)
        case never(String)
    }

    private func next(_ work: () async throws -> Void) async -> Next {
        do {
            try await work()
            return .done
        } catch let error as CKError {
            if let seconds = error.retryAfterSeconds { return .later(seconds) }
            switch error.code {
            case .networkUnavailable, .networkFailure, .serviceUnavailable, .zoneBusy: return .later(30)
            case .changeTokenExpired: return .fromTheBeginning
            case .limitExceeded: return .inHalves
            default: return .never(error.localizedDescription)
            }
        } catch {
            return .never("\(error)")
        }
    }

    @Test("Handle errors: many items, a conflict, later or never")
    func handleErrors() async throws {
        try await withCast { cast in
            let database = cast.alice.privateCloudDatabase
            let party = party("a")
            try await database.save(party)
            let records = [Self.fresh("a"), Self.fresh("b")]
            var failed: [String: CKError.Code] = [:]
            let (saves, _) = try await database.modifyRecords(saving: records, deleting: [])
            for (id, result) in saves {
                if case .failure(let error) = result { failed[id.recordName] = (error as? CKError)?.code }
            }
            #expect(failed == ["a": .serverRecordChanged])
            let other = try await cast.tablet.privateCloudDatabase.record(for: party.recordID)
            other["place"] = "Pier 7"
            try await cast.tablet.privateCloudDatabase.save(other)
            party["guests"] = 3
            do {
                try await database.save(party)
            } catch let error as CKError where error.code == .serverRecordChanged {
                guard let server = error.serverRecord else { throw error }
                server["guests"] = party["guests"] as? Int
                try await database.save(server)
            }
            let merged = try await database.record(for: party.recordID)
            #expect(merged["place"] == "Pier 7")
            #expect(merged["guests"] == 3)
            cast.world.server.faults.add(Fault(.unavailable, count: 1, seconds: 7))
            #expect(await next { _ = try await database.record(for: party.recordID) } == .later(7))
            #expect(await next { _ = try await database.record(for: party.recordID) } == .done)
        }
    }

    private static func fresh(_ name: String) -> CKRecord { party(name) }

    @Test("Test your app: a world, a rare event, time")
    func testYourApp() async throws {
        let party = party("a")
        let world = try await CloudletWorld.start()
        let phone = try await world.container("iCloud.com.example.parties", as: "alice", on: "phone")
        let tablet = try await world.container("iCloud.com.example.parties", as: "alice", on: "tablet")
        let saved = try await phone.privateCloudDatabase.save(party)
        let copy = try await tablet.privateCloudDatabase.record(for: saved.recordID)
        #expect(copy["name"] == "a")
        world.server.faults.add(Fault(.rateLimited, device: "phone", count: 1, seconds: 20))
        let held = await code { _ = try await phone.privateCloudDatabase.record(for: saved.recordID) }
        #expect(held == .requestRateLimited)
        world.clock.advance(bySeconds: 7 * 24 * 3600)
        #expect(world.clock.now == WorldClock.beginning.addingTimeInterval(604_800))
        await world.stop()
    }

    @Test("The README: a world for a test")
    func readme() async throws {
        let world = try await CloudletWorld.start()
        let alice = try await world.container("iCloud.com.example.parties", as: "alice", on: "phone")
        let party = CKRecord(recordType: "Party")
        party["name"] = "Coffee"
        try await alice.publicCloudDatabase.save(party)
        await world.stop()
    }

    @Test("Each paragraph of code in the README stands in a test that runs it, imports aside")
    func readmeIsCompiled() throws {
        let page = try String(contentsOf: .package.appending(path: "README.md"), encoding: .utf8)
        let tests = ["CloudletTests/Documentation/SnippetTests", "CloudletCommandTests/ExecReadmeTests"]
        let code = try tests.map { path in
            let file = URL.package.appending(path: "Tests/\(path).swift")
            return Self.lines(of: try String(contentsOf: file, encoding: .utf8))
                .map { $0.replacing("private func", with: "@Test func") }
        }
        let blocks = Self.blocks(in: page).map { $0.filter { !$0.hasPrefix("import ") } }
        #expect(blocks.count >= 2)
        for block in blocks {
            let isHere = code.contains { code in code.indices.contains { code[$0...].starts(with: block) } }
            #expect(isHere, "not compiled: \(block.joined(separator: "\n"))")
        }
    }
}

private struct Meeting: Hashable {
    var id: String
    var topic: String
    var starts: Date?
    var guests: [String]
}

extension Meeting {
    init(_ record: some ModelRecord) throws {
        id = record.recordName
        topic = try record.required("topic")
        starts = record[field: "starts"]
        guests = record[field: "guests"] ?? []
    }

    func write(to record: inout some ModelRecord) {
        record[field: "topic"] = topic
        record[field: "starts"] = starts
        record[field: "guests"] = guests
    }
}
