import CloudKit
import CloudletServer
import CloudletTesting
import Foundation
import Records
import RecordsWire
import Testing

@testable import Cloudlet
@testable import TestKit

@Suite("Requests that are repeated after a lost answer", .timeLimit(.minutes(30)))
struct LongLivedRepeatTests {
    private static let zone = CKRecordZone.ID(zoneName: "Z")

    /// Runs a long-lived save in a process that ends before its completion block returns, and resumes the
    /// save in the next process.
    private func resumed(
        _ fixture: Fixture, _ save: CKModifyRecordsOperation,
        broken: @escaping @Sendable (CloudRequest) throws -> Void = { _ in },
        meanwhile: () async throws -> Void
    ) async throws -> (log: [String], operation: CKModifyRecordsOperation) {
        let death = Death()
        save.database = fixture.watched { try broken($0) }.privateCloudDatabase
        save.isLongLived = true
        await save.endWithoutCompletion(death)
        try await meanwhile()
        let found = try await fixture.phone().longLivedOperation(for: save.operationID)
        let again = try #require(found as? CKModifyRecordsOperation)
        let log = Log()
        again.perRecordSaveBlock = { id, result in log.add("\(id.recordName) \(result.code)") }
        again.perRecordDeleteBlock = { id, result in log.add("deleted \(id.recordName) \(result.code)") }
        again.modifyRecordsResultBlock = { log.add("end \($0.code)") }
        await again.run()
        death.end()
        return (log.all, again)
    }

    @Test(
        "A new record whose answer was lost with the process is recognised as saved",
        arguments: [true, false])
    func lostCreation(isAtomic: Bool) async throws {
        try await withFixture { fixture in
            if isAtomic {
                _ = try await fixture.alice.privateCloudDatabase.save(CKRecordZone(zoneID: Self.zone))
            }
            let zone = isAtomic ? Self.zone : .default
            fixture.world.server.faults.add(
                .init(.responseLost, endpoint: "records/modify", device: "phone", count: 1))
            let record = party("a", zone: zone)
            record["guests"] = 3
            record["tags"] = ["x", "y"]
            record["at"] = Date(timeIntervalSince1970: 7.0625)
            record["place"] = CLLocation(latitude: 1, longitude: 2)
            record["host"] = CKRecord.Reference(
                recordID: CKRecord.ID(recordName: "b", zoneID: zone), action: .none)
            record.encryptedValues["secret"] = "s"
            let save = CKModifyRecordsOperation(recordsToSave: [party("b", zone: zone), record])
            let (log, again) = try await resumed(fixture, save) {}
            #expect(log == ["b 0", "a 0", "end 0"])
            let now = try await fixture.tablet.privateCloudDatabase.record(for: record.recordID)
            #expect(again.recordsToSave?.last?.recordChangeTag == now.recordChangeTag)
        }
    }

    @Test("A new share and its root whose answer was lost are recognised as saved")
    func lostShare() async throws {
        try await withFixture { fixture in
            _ = try await fixture.alice.privateCloudDatabase.save(CKRecordZone(zoneID: Self.zone))
            fixture.world.server.faults.add(
                .init(.responseLost, endpoint: "records/modify", device: "phone", count: 1))
            let root = party("root", zone: Self.zone)
            let share = CKShare(
                rootRecord: root, shareID: CKRecord.ID(recordName: "share", zoneID: Self.zone))
            let bob = try await fixture.bob.userRecordID()
            share.addParticipant(CKShareParticipant(userRecordID: bob, permission: .readOnly))
            let save = CKModifyRecordsOperation(recordsToSave: [root, share])
            let (log, again) = try await resumed(fixture, save) {}
            #expect(log == ["root 0", "share 0", "end 0"])
            let saved = try #require(again.recordsToSave?.last as? CKShare)
            #expect(saved.url != nil)
            #expect(saved.participants.map(\.permission) == [.readWrite, .readOnly])
            #expect(again.recordsToSave?.first?.share?.recordID == share.recordID)
        }
    }

    @Test("A change, a creation and a deletion in one atomic batch are recognised together")
    func lostBatch() async throws {
        try await withFixture { fixture in
            let database = fixture.alice.privateCloudDatabase
            _ = try await database.save(CKRecordZone(zoneID: Self.zone))
            let old = try await database.save(party("old", zone: Self.zone))
            let gone = try await database.save(party("gone", zone: Self.zone))
            fixture.world.server.faults.add(
                .init(.responseLost, endpoint: "records/modify", device: "phone", count: 1))
            old["name"] = "changed"
            let save = CKModifyRecordsOperation(
                recordsToSave: [party("new", zone: Self.zone), old], recordIDsToDelete: [gone.recordID])
            let (log, again) = try await resumed(fixture, save) {}
            #expect(log == ["new 0", "old 0", "deleted gone 0", "end 0"])
            let now = try await fixture.tablet.privateCloudDatabase.record(for: old.recordID)
            #expect(now["name"] == "changed")
            #expect(again.recordsToSave?.last?.recordChangeTag == now.recordChangeTag)
        }
    }

    @Test("A record that another device changed since is a conflict; an unchanged one counts as saved")
    func changedSince() async throws {
        try await withFixture { fixture in
            _ = try await fixture.alice.privateCloudDatabase.save(CKRecordZone(zoneID: Self.zone))
            fixture.world.server.faults.add(
                .init(.responseLost, endpoint: "records/modify", device: "phone", count: 1))
            let save = CKModifyRecordsOperation(
                recordsToSave: ["a", "b"].map { party($0, zone: Self.zone) })
            let (log, _) = try await resumed(fixture, save) {
                let database = fixture.tablet.privateCloudDatabase
                let id = CKRecord.ID(recordName: "b", zoneID: Self.zone)
                let record = try await database.record(for: id)
                record["name"] = "of the tablet"
                try await database.save(record)
            }
            #expect(log == ["a 0", "b 14", "end 0"])
        }
    }

    @Test("A utility save whose answer was lost is sent again and recognised in the same process")
    func lostAnswer() async throws {
        try await withFixture { fixture in
            fixture.world.server.faults.add(
                .init(.responseLost, endpoint: "records/modify", device: "phone", count: 1))
            let log = Log()
            let clock = fixture.world.clock
            let phone = fixture.phone {
                $0.pause = { clock.advance(bySeconds: TimeInterval($0.components.seconds)) }
            }
            let operation = CKModifyRecordsOperation.heard([party("a")], in: phone, log)
            operation.qualityOfService = .utility
            await operation.run()
            #expect(log.all == ["saved a 0", "end 0"])
            let now = try await fixture.tablet.privateCloudDatabase.record(for: CKRecord.ID(recordName: "a"))
            #expect(operation.recordsToSave?.first?.recordChangeTag == now.recordChangeTag)
            // An operation that is not long-lived fails at once.
            fixture.world.server.faults.add(
                .init(.responseLost, endpoint: "records/modify", device: "phone", count: 1))
            let urgent = Log()
            await CKModifyRecordsOperation.heard([party("b")], in: phone, urgent).run()
            #expect(urgent.all == ["end 34"])
        }
    }

    @Test("If the records of a repeated batch cannot be looked up, its outcome is unknown")
    func failedLookUp() async throws {
        try await withFixture { fixture in
            let faults = fixture.world.server.faults
            faults.add(.init(.responseLost, endpoint: "records/modify", device: "phone", count: 1))
            faults.add(.init(.signedOut, endpoint: "records/lookup", device: "phone", count: 1))
            let clock = fixture.world.clock
            let phone = fixture.phone {
                $0.pause = { clock.advance(bySeconds: TimeInterval($0.components.seconds)) }
            }
            let log = Log()
            let operation = CKModifyRecordsOperation.heard([party("a")], in: phone, log)
            operation.qualityOfService = .utility
            await operation.run()
            #expect(log.all.last == "end 34")
        }
    }

    @Test("In the default zone a batch is not sent again if any of it would be executed twice")
    func defaultZone() async throws {
        try await withFixture { fixture in
            let database = fixture.tablet.privateCloudDatabase
            try await database.save(party("a"))
            fixture.world.server.faults.add(
                .init(.responseLost, endpoint: "records/modify", device: "phone", count: 1))
            let clock = fixture.world.clock
            let phone = fixture.phone {
                $0.pause = { clock.advance(bySeconds: TimeInterval($0.components.seconds)) }
            }
            let log = Log()
            let operation = CKModifyRecordsOperation.heard([party("b")], in: phone, log)
            operation.recordIDsToDelete = [CKRecord.ID(recordName: "a")]
            operation.qualityOfService = .utility
            await operation.run()
            #expect(log.all.last == "end 34")
            // The server deleted the record once, and the operation ends with the error of the lost answer.
            await #expect(throws: CKError.self) {
                try await database.record(for: CKRecord.ID(recordName: "a"))
            }
        }
    }

    @Test(
        "A batch is sent again only if no operation of it can be executed twice",
        arguments: [
            ("Z", true, [RecordOperation.Kind.create, .forceDelete], true),
            ("Z", false, [.create, .forceDelete], false),
            ("_defaultZone", true, [.create, .forceDelete], false),
            ("_defaultZone", true, [.create, .create], true),
            ("_defaultZone", false, [.create], true),
            ("Z", true, [.forceDelete], false),
        ] as [(String, Bool, [RecordOperation.Kind], Bool)])
    func repeats(zone: String, isAtomic: Bool, kinds: [RecordOperation.Kind], isConditional: Bool) {
        let operations = kinds.map { RecordOperation($0, recordName: "a", recordType: "Party") }
        let request = ModifyRequest(operations, zone: ZoneID(name: zone), isAtomic: isAtomic)
        #expect(request.isConditional == isConditional)
        #expect(
            ModifyRequest(operations, isAtomic: isAtomic).isConditional
                == kinds.allSatisfy { $0 == .create })
    }

    @Test(
        "Expired upload addresses and receipts are requested again",
        arguments: ["upload", "records/modify"])
    func expiredFiles(where place: String) async throws {
        try await withFixture { fixture in
            let file = fixture.folder.appendingPathComponent("photo")
            try Data("a photo".utf8).write(to: file)
            let record = party("a")
            record["photo"] = CKAsset(fileURL: file)
            let save = CKModifyRecordsOperation(recordsToSave: [record])
            let (log, _) = try await resumed(
                fixture, save,
                broken: { request in
                    var isFile = false
                    if case .file = request.body { isFile = true }
                    let isStop = place == "upload" ? isFile : request.target.contains(place)
                    if isStop { throw CloudTransportError.unreachable("gone") }
                }
            ) {
                fixture.world.clock.advance(bySeconds: 12 * 3600)
            }
            #expect(log == ["a 0", "end 0"])
            let now = try await fixture.tablet.privateCloudDatabase.record(for: record.recordID)
            let url = try #require((now["photo"] as? CKAsset)?.fileURL)
            #expect(try Data(contentsOf: url) == Data("a photo".utf8))
        }
    }

    private func entry(_ id: String) throws -> OperationStore.Entry {
        let operation = CKFetchRecordsOperation(recordIDs: [CKRecord.ID(recordName: "a")])
        return OperationStore.Entry(
            id: id, container: "c", environment: "development", scope: 2,
            operation: try #require(ArchivedOperation(operation)))
    }

    @Test("A folder has at most the configured number of operations and bytes")
    func bounds() throws {
        let folder = URL.unused()
        defer { folder.remove() }
        var store = OperationStore(folder: folder)
        store.bounds = OperationStore.Bounds(operations: 2, answerBytes: 400)
        let now = Date(timeIntervalSince1970: 0)
        func known() -> [String] {
            store.entries(container: "c", environment: "development", now: now).map(\.id)
        }
        try store.keep(try entry("a"))
        try store.keep(try entry("b"))
        #expect(throws: CocoaError.self) { try store.keep(try entry("c")) }
        store.finish("b", at: now)
        try store.keep(try entry("c"))
        #expect(known() == ["a", "c"])
        let body = Data(repeating: 0, count: 90)
        for number in 1...4 {
            let name = "request#\(number)"
            store.add(RecordedAnswer(request: name, status: 0, headers: [], body: Data()), to: "a")
            store.add(RecordedAnswer(request: name, status: 200, headers: [], body: body), to: "a")
        }
        let answers = store.answers(of: "a")
        #expect(answers.count == 4)
        #expect(answers.values.filter { $0.status == 200 }.map(\.request) == ["request#1"])
    }
}
