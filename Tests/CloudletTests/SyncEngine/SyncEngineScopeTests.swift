import Foundation
import Testing

@testable import Cloudlet

@Suite("Automatic sync engines after a call with a scope")
struct SyncEngineScopeTests {
    private static let zones = ["X", "Y"].map { CKRecordZone.ID(zoneName: $0) }
    private static let a = CKRecord.ID(recordName: "a", zoneID: zones[0])
    private static let b = CKRecord.ID(recordName: "b", zoneID: zones[1])

    private static func machine() -> SyncEngineMachine {
        var machine = SyncEngineMachine(isAutomatic: true)
        machine.schedule.wantsFetch = false
        machine.schedule.wantsSend = false
        return machine
    }

    /// Runs a cycle to its end. The delegate and the server agree with everything.
    private static func play(
        _ machine: inout SyncEngineMachine, zones: [CKRecordZone.ID] = [],
        batch: (inout SyncEngineMachine) -> CKSyncEngine.RecordZoneChangeBatch? = { _ in nil }
    ) {
        for _ in 0..<100 {
            switch machine.next() {
            case .end, .rest: return
            case .deliver: break
            case .askForOptions(let context): machine.take(context.options)
            case .askForBatch:
                let answer = batch(&machine)
                machine.take(answer)
            case .fetchDatabase:
                machine.take(
                    .success(
                        EngineDatabasePage(
                            modifications: zones.map { .init(zoneID: $0) },
                            token: CKServerChangeToken(text: "d"))))
            case .fetchZone:
                machine.take(
                    .success(EngineZonePage(end: .success(.init(token: CKServerChangeToken(text: "z"))))))
            case .sendZones(let changes, _):
                machine.take(ZoneResults(saved: changes.map { CKRecordZone(zoneID: $0.zoneID) }))
            case .sendRecords(let batch, _): machine.take(RecordResults(saved: batch.recordsToSave))
            }
        }
        Issue.record("the cycle does not end")
    }

    private static func record(_ id: CKRecord.ID) -> CKRecord { CKRecord(recordType: "Note", recordID: id) }

    @Test("After a send of one zone, the changes of the others are still due")
    func sends() {
        var machine = Self.machine()
        machine.add([.saveRecord(Self.a), .saveRecord(Self.b)])
        machine.beginSend(.init(reason: .manual, options: .init(scope: .zoneIDs([Self.zones[1]]))))
        Self.play(&machine) { machine in
            let isPending = machine.memory.records.all.contains(.saveRecord(Self.b))
            return isPending ? .init(recordsToSave: [Self.record(Self.b)]) : nil
        }
        #expect(machine.memory.records.all == [.saveRecord(Self.a)])
        #expect(machine.schedule.due(at: .distantPast, hasChanges: true) == .send)
        machine.beginSend(.init(reason: .scheduled, options: .init()))
        #expect(!machine.schedule.wantsSend)
    }

    @Test("After a fetch of one zone, the fetch of others that have changed is due, until all are fetched")
    func fetches() {
        var machine = Self.machine()
        machine.beginFetch(.init(reason: .manual, options: .init(scope: .zoneIDs([Self.zones[0]]))))
        Self.play(&machine, zones: Self.zones)
        #expect(machine.memory.unfetched.all == [Self.zones[1]])
        #expect(machine.schedule.due(at: .distantPast, hasChanges: false) == .fetch)
        machine.beginFetch(.init(reason: .scheduled, options: .init()))
        Self.play(&machine)
        #expect(machine.memory.unfetched.isEmpty)
        #expect(machine.schedule.due(at: .distantPast, hasChanges: false) == .nothing)
    }

    @Test("Untracked changes are reported until a send without a scope has asked for all of them")
    func untracked() {
        var machine = Self.machine()
        machine.setUntracked(true)
        machine.beginSend(.init(reason: .manual, options: .init(scope: .zoneIDs([Self.zones[1]]))))
        Self.play(&machine)
        #expect(machine.memory.hasUntrackedChanges)
        #expect(machine.schedule.wantsSend)
        machine.beginSend(.init(reason: .scheduled, options: .init()))
        Self.play(&machine) { machine in
            // The app gets another change while the delegate returns its batch.
            machine.setUntracked(true)
            return nil
        }
        #expect(machine.memory.hasUntrackedChanges)
        #expect(machine.schedule.wantsSend)
        machine.beginSend(.init(reason: .scheduled, options: .init()))
        Self.play(&machine)
        #expect(!machine.memory.hasUntrackedChanges)
        #expect(!machine.schedule.wantsSend)
    }

    @Test("A change stays known while it is sent, if its batch contains it twice")
    func twice() {
        var machine = Self.machine()
        machine.add([.saveRecord(Self.a)])
        machine.beginSend(.init(reason: .scheduled, options: .init()))
        while true {
            let step = machine.next()
            if case .askForBatch = step { break }
            if case .end = step {
                Issue.record("no batch was asked for")
                return
            }
        }
        machine.take(.init(recordsToSave: [Self.record(Self.a), Self.record(Self.a)]))
        #expect(machine.memoryToSave.records.all == [.saveRecord(Self.a)])
    }

    @Test("A cancelled cycle is due again")
    func cancelled() {
        for isFetch in [true, false] {
            var machine = Self.machine()
            machine.add([.saveRecord(Self.a)])
            if isFetch {
                machine.schedule.wantsSend = false
                machine.beginFetch(.init(reason: .scheduled, options: .init()))
            } else {
                machine.beginSend(.init(reason: .scheduled, options: .init()))
            }
            _ = machine.next()
            machine.cancel()
            Self.play(&machine)
            #expect((isFetch ? machine.schedule.wantsFetch : machine.schedule.wantsSend))
        }
    }
}
