import CloudKit
import CloudletServer
import CloudletTesting
import Foundation
import Synchronization
import Testing

@testable import Cloudlet
@testable import TestKit

/// One test for each sentence about the behaviour of an engine that no other suite proves.
@Suite("Documented statements about sync engines", .timeLimit(.minutes(30)))
struct SyncEngineSentenceTests {
    private static let zone = CKRecordZone.ID(zoneName: "Notes")

    /// Runs the body with the app of a phone, whose engine syncs only on request, and the zone on the server.
    private static func withPhone(
        _ phone: SyncedNotes = SyncedNotes(),
        _ body: (Fixture, SyncedNotes, CKSyncEngine) async throws -> Void
    ) async throws {
        try await withFixture { fixture in
            try await fixture.alice.privateCloudDatabase.save(CKRecordZone(zoneID: zone))
            try await body(fixture, phone, phone.engine(fixture.alice.privateCloudDatabase))
        }
    }

    @Test("An engine works on a private or a shared database, not on the public one")
    func publicDatabase() async throws {
        try await withFixture { fixture in
            let phone = SyncedNotes()
            let engine = phone.engine(fixture.alice.publicCloudDatabase, automatic: true)
            #expect(await code { try await engine.fetchChanges() } == .invalidArguments)
            #expect(await code { try await engine.sendChanges() } == .invalidArguments)
            #expect(phone.events() == [])
        }
    }

    @Test("The next event waits until the current one is handled, whatever caused it")
    func oneAtATime() async throws {
        let phone = SyncedNotes(hook: { _, _ in for _ in 0..<20 { await Task.yield() } })
        try await Self.withPhone(phone) { _, phone, engine in
            await withTaskGroup { group in
                for number in 0..<5 {
                    group.addTask {
                        phone.write("text", to: "n\(number)", in: Self.zone, engine)
                        try? await engine.sendChanges()
                    }
                    group.addTask { try? await engine.fetchChanges() }
                }
            }
            let events = phone.events().filter { $0.hasPrefix("will ") || $0.hasPrefix("did ") }
            #expect(phone.overlaps == 0)
            #expect(events.filter { $0 == "will fetch" }.count == 5)
            var open: [String] = []
            for event in events {
                let name = event.split(separator: " ").dropFirst().joined(separator: " ")
                if event.hasPrefix("will ") { open.append(name) } else { #expect(open.popLast() == name) }
            }
            #expect(open == [])
        }
    }

    @Test("A callback may add changes, but neither fetch nor send")
    func callsInCallback() async throws {
        let codes = Mutex<[CKError.Code?]>([])
        let phone = SyncedNotes(hook: { event, engine in
            guard event.words == "did send" else { return }
            let fetch = await code { try await engine.fetchChanges() }
            let send = await code { try await engine.sendChanges() }
            codes.withLock { $0 += [fetch, send] }
            engine.state.add(pendingRecordZoneChanges: [.deleteRecord(CKRecord.ID(recordName: "x"))])
        })
        try await Self.withPhone(phone) { _, _, engine in
            try await engine.sendChanges()
            #expect(codes.withLock { $0 } == [.invalidArguments, .invalidArguments])
            #expect(engine.state.pendingRecordZoneChanges.count == 1)
        }
    }

    @Test("The delegate decides before each request of a fetch which zones are fetched, and which first")
    func fetchOptions() async throws {
        let zones = ["A", "B", "C"].map { CKRecordZone.ID(zoneName: $0) }
        let asked = Mutex(0)
        let phone = SyncedNotes(options: { context in
            asked.withLock { $0 += 1 }
            var options = context.options
            options.scope = .allExcluding([zones[0]])
            options.prioritizedZoneIDs = [zones[2], zones[0]]
            return options
        })
        try await withFixture { fixture in
            let tablet = fixture.tablet.privateCloudDatabase
            for zone in zones {
                try await tablet.save(CKRecordZone(zoneID: zone))
                try await tablet.save(party("a", zone: zone))
            }
            let engine = phone.engine(fixture.alice.privateCloudDatabase)
            try await engine.fetchChanges()
            #expect(
                phone.events().filter { $0.hasPrefix("will fetch ") } == ["will fetch C", "will fetch B"])
            #expect(engine.state.zoneIDsWithUnfetchedServerChanges == [zones[0]])
            #expect(asked.withLock { $0 } >= 3)
        }
    }

    @Test("A fetch with a scope leaves the other zones for a later one")
    func fetchScope() async throws {
        try await Self.withPhone { fixture, phone, engine in
            let other = CKRecordZone.ID(zoneName: "Other")
            try await fixture.tablet.privateCloudDatabase.save(CKRecordZone(zoneID: other))
            try await fixture.tablet.privateCloudDatabase.save(party("a", zone: other))
            try await engine.fetchChanges(.init(scope: .zoneIDs([other])))
            #expect(engine.state.zoneIDsWithUnfetchedServerChanges == [Self.zone])
            #expect(phone.events().contains("will fetch Other"))
            try await engine.fetchChanges()
            #expect(engine.state.zoneIDsWithUnfetchedServerChanges == [])
            #expect(phone.events().filter { $0.hasPrefix("will fetch ") } == ["will fetch Notes"])
        }
    }

    @Test("A send with a scope sends only the changes in it")
    func sendScope() async throws {
        try await Self.withPhone { _, phone, engine in
            phone.write([("a", "1"), ("b", "2")], in: Self.zone, engine)
            engine.state.add(pendingDatabaseChanges: [.saveZone(CKRecordZone(zoneName: "Other"))])
            let id = CKRecord.ID(recordName: "b", zoneID: Self.zone)
            try await engine.sendChanges(.init(scope: .recordIDs([id])))
            #expect(phone.events() == ["sign-in", "will send", "sent 1/0-0/0", "did send"])
            #expect(engine.state.pendingDatabaseChanges.count == 1)
            #expect(engine.state.pendingRecordZoneChanges.map(\.recordID.recordName) == ["a"])
        }
    }

    @Test("A change for which the provider has no record is left out, and stays pending")
    func missingRecord() async throws {
        try await Self.withPhone { _, phone, engine in
            let lost = CKRecord.ID(recordName: "lost", zoneID: Self.zone)
            engine.state.add(pendingRecordZoneChanges: [.saveRecord(lost)])
            phone.write("text", to: "a", in: Self.zone, engine)
            try await engine.sendChanges()
            #expect(phone.events() == ["sign-in", "will send", "sent 1/0-0/0", "did send"])
            #expect(engine.state.pendingRecordZoneChanges == [.saveRecord(lost)])
            let batch = await CKSyncEngine.RecordZoneChangeBatch(
                pendingChanges: engine.state.pendingRecordZoneChanges, recordProvider: { _ in nil })
            #expect(batch == nil)
        }
    }

    @Test("A batch ends before 251 records, or before 2 MB of fields; the first record is always taken")
    func batchSize() async throws {
        let ids = (0..<300).map { CKRecord.ID(recordName: "n\($0)", zoneID: Self.zone) }
        func batch(bytes: Int) async throws -> CKSyncEngine.RecordZoneChangeBatch {
            let made = await CKSyncEngine.RecordZoneChangeBatch(
                pendingChanges: ids.map { .saveRecord($0) },
                recordProvider: { id in
                    let record = CKRecord(recordType: "Note", recordID: id)
                    record["text"] = String(repeating: "x", count: bytes)
                    return record
                })
            return try #require(made)
        }
        #expect(try await batch(bytes: 10).recordsToSave.map(\.recordID) == Array(ids.prefix(250)))
        #expect(try await batch(bytes: 500_000).recordsToSave.count == 4)
        #expect(try await batch(bytes: 3_000_000).recordsToSave.count == 1)
    }

    @Test("A batch that is too large fails with limitExceeded, one out of scope with invalidArguments")
    func refusedBatches() async throws {
        let ids = (0..<251).map { CKRecord.ID(recordName: "n\($0)", zoneID: Self.zone) }
        // Counts the pending changes before the app adds its failed deletions again.
        let pending = Mutex<[Int]>([])
        let phone = SyncedNotes(
            hook: { event, engine in
                guard case .sentRecordZoneChanges = event else { return }
                let count = engine.state.pendingRecordZoneChanges.count
                pending.withLock { $0.append(count) }
            },
            batch: { _ in .init(recordIDsToDelete: ids) })
        try await Self.withPhone(phone) { _, phone, engine in
            engine.state.add(pendingRecordZoneChanges: ids.map { .deleteRecord($0) })
            let scope = CKSyncEngine.SendChangesOptions.Scope.allExcluding([Self.zone])
            #expect(await code { try await engine.sendChanges(.init(scope: scope)) } == .invalidArguments)
            #expect(phone.events() == ["sign-in", "will send", "did send"])
            #expect(engine.state.pendingRecordZoneChanges.count == 251)
            #expect(await code { try await engine.sendChanges() } == .limitExceeded)
            #expect(phone.events() == ["will send", "sent 0/0-0/251", "did send"])
            #expect(pending.withLock { $0 } == [0])
        }
    }

    @Test("With untracked changes the delegate is asked for batches until it has none")
    func untracked() async throws {
        let rest = Mutex(2)
        let phone = SyncedNotes(batch: { _ in
            let number = rest.withLock { rest in
                rest -= 1
                return rest
            }
            guard number >= 0 else { return nil }
            let id = CKRecord.ID(recordName: "n\(number)", zoneID: Self.zone)
            return .init(recordsToSave: [CKRecord(recordType: "Note", recordID: id)])
        })
        try await withFixture { fixture in
            try await fixture.alice.privateCloudDatabase.save(CKRecordZone(zoneID: Self.zone))
            let engine = phone.engine(fixture.alice.privateCloudDatabase, automatic: true)
            try await until { phone.events().contains("did fetch") }
            let before = rest.withLock { $0 }
            #expect(before == 2)
            engine.state.hasPendingUntrackedChanges = true
            try await until { !engine.state.hasPendingUntrackedChanges }
            try await until { phone.events().contains("did send") }
            let after = rest.withLock { $0 }
            #expect(after == -1)
        }
    }

    @Test("In a batch that is atomic by zone one failure fails all, and none stays pending")
    func atomicBatch() async throws {
        let sends = Mutex(true)
        let phone = SyncedNotes(batch: { _ in
            let isFirst = sends.withLock { sends in
                defer { sends = false }
                return sends
            }
            guard isFirst else { return nil }
            let records = ["a", "b"].map {
                CKRecord(recordType: "Note", recordID: CKRecord.ID(recordName: $0, zoneID: Self.zone))
            }
            return .init(recordsToSave: records, atomicByZone: true)
        })
        try await Self.withPhone(phone) { fixture, phone, engine in
            try await fixture.tablet.privateCloudDatabase.save(
                CKRecord(recordType: "Note", recordID: CKRecord.ID(recordName: "a", zoneID: Self.zone)))
            for name in ["a", "b"] {
                let id = CKRecord.ID(recordName: name, zoneID: Self.zone)
                engine.state.add(pendingRecordZoneChanges: [.saveRecord(id)])
            }
            try await engine.sendChanges()
            #expect(Set(phone.errors()) == [.serverRecordChanged, .batchRequestFailed])
            #expect(engine.state.pendingRecordZoneChanges == [])
        }
    }

    @Test("Records of the default zone are sent, and never fetched")
    func defaultZone() async throws {
        try await withFixture { fixture in
            let (phone, tablet) = (SyncedNotes(), SyncedNotes())
            let one = phone.engine(fixture.alice.privateCloudDatabase)
            phone.write("text", to: "a", in: .default, one)
            try await one.sendChanges()
            #expect(phone.events() == ["sign-in", "will send", "sent 1/0-0/0", "did send"])
            let two = tablet.engine(fixture.tablet.privateCloudDatabase)
            try await two.fetchChanges()
            #expect(tablet.events() == ["sign-in", "will fetch", "did fetch"])
        }
    }

    @Test(
        "A deleted zone is reported with its reason", arguments: ["deleted", "purged", "encryptedDataReset"])
    func zoneDeletions(reason: String) async throws {
        try await Self.withPhone { fixture, phone, engine in
            phone.write("text", to: "a", in: Self.zone, engine)
            try await engine.sendChanges()
            try await engine.fetchChanges()
            _ = phone.events()
            if reason == "deleted" {
                try await fixture.tablet.privateCloudDatabase.deleteRecordZone(withID: Self.zone)
            } else {
                try await fixture.tablet.connection.removeZones(
                    [Self.zone], because: reason == "purged" ? .purged : .encryptedDataReset,
                    inContainer: Fixture.containerName)
            }
            try await engine.fetchChanges()
            #expect(phone.events() == ["will fetch", "zones -Notes \(reason)", "did fetch"])
            #expect(phone.texts == [:])
            #expect(phone.saved?.memory.zoneTokens == [:])
        }
    }

    @Test("The engine of a shared database fetches and sends the records of other people's zones")
    func sharedDatabase() async throws {
        try await withFixture { fixture in
            let root = CKRecord(
                recordType: "Note", recordID: CKRecord.ID(recordName: "a", zoneID: Self.zone))
            root["text"] = "alice's"
            try await fixture.world.share(root, of: fixture.alice, with: [fixture.bob])
            let bob = SyncedNotes()
            let engine = bob.engine(fixture.bob.sharedCloudDatabase)
            try await engine.fetchChanges()
            #expect(bob.texts["a"] == "alice's")
            let owner = try await fixture.alice.userRecordID().recordName
            let zone = CKRecordZone.ID(zoneName: "Notes", ownerName: owner)
            bob.write("bob's", to: "a", in: zone, engine)
            try await engine.sendChanges()
            let saved = try await fixture.alice.privateCloudDatabase.record(for: root.recordID)
            #expect(saved["text"] == "bob's")
        }
    }

    @Test("cancelOperations ends calls with operationCancelled and keeps pending changes")
    func cancelling() async throws {
        let phone = SyncedNotes(hook: { event, engine in
            if event.words == "will send" { await engine.cancelOperations() }
        })
        try await Self.withPhone(phone) { _, phone, engine in
            phone.write("text", to: "a", in: Self.zone, engine)
            #expect(await code { try await engine.sendChanges() } == .operationCancelled)
            #expect(phone.events() == ["sign-in", "will send", "did send"])
            #expect(engine.state.pendingRecordZoneChanges.count == 1)
            await engine.cancelOperations()
            try await engine.fetchChanges()
            #expect(phone.events().last == "did fetch")
        }
    }

    @Test("Cancelling the task of a call cancels its request")
    func cancelledTask() async throws {
        let called = Mutex<Task<CKError.Code?, Never>?>(nil)
        let phone = SyncedNotes(hook: { event, _ in
            if event.words == "will fetch" { called.withLock { $0?.cancel() } }
        })
        try await Self.withPhone(phone) { _, phone, engine in
            let (started, start) = AsyncStream.makeStream(of: Void.self)
            let call = Task {
                for await _ in started { break }
                return await code { try await engine.fetchChanges() }
            }
            called.withLock { $0 = call }
            start.yield()
            #expect(await call.value == .operationCancelled)
            #expect(phone.events() == ["sign-in", "will fetch", "did fetch"])
        }
    }

    @Test("A call fails with the error of the whole request; the errors of records are events")
    func errors() async throws {
        try await Self.withPhone { fixture, phone, engine in
            fixture.world.server.faults.add(Fault(.unavailable, endpoint: "records/modify", count: 1))
            phone.write("text", to: "a", in: Self.zone, engine)
            #expect(await code { try await engine.sendChanges() } == .serviceUnavailable)
            #expect(phone.events() == ["sign-in", "will send", "sent 0/1-0/0", "did send"])
            #expect(engine.state.pendingRecordZoneChanges.count == 1)
            fixture.world.clock.advance(bySeconds: 3600)
            fixture.world.server.faults.add(Fault(.quotaFull, count: 1))
            try await engine.sendChanges()
            #expect(phone.errors() == [.serviceUnavailable, .quotaExceeded])
            #expect(engine.state.pendingRecordZoneChanges == [])
        }
    }

    @Test("An engine without a state fetches everything again")
    func newState() async throws {
        try await Self.withPhone { fixture, phone, engine in
            phone.write("text", to: "a", in: Self.zone, engine)
            try await engine.sendChanges()
            try await engine.fetchChanges()
            let fresh = SyncedNotes()
            try await fresh.engine(fixture.alice.privateCloudDatabase).fetchChanges()
            #expect(fresh.texts == ["a": "text"])
        }
    }

    @Test(
        "Zone changes are equal if kind and zone ID are equal; all values have descriptions")
    func values() {
        let zone = CKRecordZone(zoneID: Self.zone)
        typealias Change = CKSyncEngine.PendingDatabaseChange
        #expect(Change.saveZone(zone) == .saveZone(CKRecordZone(zoneID: Self.zone)))
        #expect(Change.saveZone(zone) != .deleteZone(Self.zone))
        #expect(Set([Change.saveZone(zone), .saveZone(CKRecordZone(zoneID: Self.zone))]).count == 1)
        let id = CKRecord.ID(recordName: "a", zoneID: Self.zone)
        #expect("\(CKSyncEngine.PendingRecordZoneChange.saveRecord(id))" == "saveRecord(a in Notes)")
        #expect("\(CKSyncEngine.FetchChangesOptions(scope: .zoneIDs([Self.zone])))" == "zones Notes")
        #expect("\(CKSyncEngine.SendChangesOptions(scope: .recordIDs([id])))" == "records a")
        #expect("\(CKSyncEngine.SyncReason.manual)" == "manual")
        #expect(CKSyncEngine.FetchChangesOptions.Scope.allExcluding([Self.zone]).contains(.default))
        #expect(!CKSyncEngine.SendChangesOptions.Scope.zoneIDs([.default]).contains(id))
    }
}
