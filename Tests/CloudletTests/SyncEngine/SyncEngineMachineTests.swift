import Foundation
import Testing

@testable import Cloudlet

@Suite("The sync engine machine")
struct SyncEngineMachineTests {
    private static let group = CKOperationGroup()
    private static let zone = CKRecordZone.ID(zoneName: "Notes")
    private static let a = CKRecord.ID(recordName: "a", zoneID: zone)
    private static let b = CKRecord.ID(recordName: "b", zoneID: zone)

    private static func fetching(_ options: CKSyncEngine.FetchChangesOptions = .init()) -> SyncEngineMachine {
        var machine = SyncEngineMachine()
        machine.beginFetch(.init(reason: .manual, options: options))
        return machine
    }

    private static func sending(
        _ changes: [CKSyncEngine.PendingRecordZoneChange], scope: CKSyncEngine.SendChangesOptions.Scope = .all
    ) -> SyncEngineMachine {
        var machine = SyncEngineMachine()
        machine.add(changes)
        machine.beginSend(.init(reason: .manual, options: .init(scope: scope)))
        return machine
    }

    /// Runs the machine to its end and answers each of its steps. Returns the steps in a few words.
    private static func play(
        _ machine: inout SyncEngineMachine,
        _ answer: (SyncEngineMachine.Step, inout SyncEngineMachine) -> Void
    ) -> [String] {
        var words: [String] = []
        while words.count < 100 {
            let step = machine.next()
            words.append(step.words)
            switch step {
            case .end, .rest: return words
            case .deliver: break
            default: answer(step, &machine)
            }
        }
        return words
    }

    private static func record(_ id: CKRecord.ID) -> CKRecord { CKRecord(recordType: "Note", recordID: id) }

    private static func token(_ text: String) -> CKServerChangeToken { CKServerChangeToken(text: text) }

    @Test("A token is saved only after the delegate has handled the changes that it covers")
    func tokens() {
        var machine = Self.fetching()
        let words = Self.play(&machine) { step, machine in
            switch step {
            case .askForOptions(let context): machine.take(context.options)
            case .fetchDatabase(let token, _):
                #expect(token == nil)
                machine.take(
                    .success(
                        EngineDatabasePage(
                            modifications: [.init(zoneID: Self.zone), .init(zoneID: .default)],
                            token: Self.token("d"))))
            case .fetchZone(_, let token, _):
                let isFirst = token == nil
                machine.take(
                    .success(
                        EngineZonePage(
                            modifications: [.init(record: Self.record(isFirst ? Self.a : Self.b))],
                            end: .success(
                                .init(token: Self.token(isFirst ? "1" : "2"), moreComing: isFirst)))))
            default: Issue.record("unexpected \(step.words)")
            }
        }
        #expect(
            words == [
                "will fetch", "ask options", "fetch database", "zones Notes", "state", "ask options",
                "will fetch Notes", "fetch Notes", "records 1-0", "state", "ask options", "fetch Notes",
                "records 1-0", "state", "did fetch Notes", "did fetch", "end",
            ])
        #expect(machine.memory.zoneTokens[Self.zone]?.text == "2")
        #expect(machine.memory.unfetched.isEmpty)
    }

    @Test("Prioritized zones come first, and zones outside of the scope stay unfetched")
    func scopeAndPriority() {
        let zones = ["A", "B", "C"].map { CKRecordZone.ID(zoneName: $0) }
        var options = CKSyncEngine.FetchChangesOptions(scope: .allExcluding([zones[0]]))
        options.prioritizedZoneIDs = [zones[2]]
        var machine = Self.fetching(options)
        let words = Self.play(&machine) { step, machine in
            switch step {
            case .askForOptions(let context): machine.take(context.options)
            case .fetchDatabase:
                machine.take(
                    .success(
                        EngineDatabasePage(
                            modifications: zones.map { .init(zoneID: $0) }, token: Self.token("d"))))
            default:
                machine.take(.success(EngineZonePage(end: .success(.init(token: Self.token("z"))))))
            }
        }
        #expect(words.filter { $0.hasPrefix("fetch ") } == ["fetch database", "fetch C", "fetch B"])
        #expect(machine.memory.unfetched.all == [zones[0]])
    }

    @Test("An expired token restarts the feed; a known zone that is missing from it counts as deleted")
    func expired() {
        var machine = SyncEngineMachine()
        let old = CKRecordZone.ID(zoneName: "Old")
        machine.memory.databaseToken = Self.token("old")
        machine.memory.zoneTokens = [Self.zone: Self.token("z"), old: Self.token("o")]
        machine.beginFetch(.init(reason: .manual, options: .init()))
        var starts: [String?] = []
        let words = Self.play(&machine) { step, machine in
            switch step {
            case .askForOptions(let context): machine.take(context.options)
            case .fetchDatabase(let token, _):
                starts.append(token?.text)
                if token != nil {
                    machine.take(Result<EngineDatabasePage, CKError>.failure(CKError(.changeTokenExpired)))
                } else {
                    machine.take(
                        .success(
                            EngineDatabasePage(
                                modifications: [.init(zoneID: Self.zone)], token: Self.token("new"))))
                }
            case .fetchZone(_, let token, _):
                starts.append(token?.text)
                if token != nil {
                    machine.take(.success(EngineZonePage(end: .failure(CKError(.changeTokenExpired)))))
                } else {
                    machine.take(.success(EngineZonePage(end: .success(.init(token: Self.token("y"))))))
                }
            default: Issue.record("unexpected \(step.words)")
            }
        }
        #expect(starts == ["old", nil, "z", nil])
        #expect(words.contains("zones Notes,-Old deleted"))
        #expect(machine.memory.zoneTokens == [Self.zone: Self.token("y")])
        #expect(machine.memory.unseen == nil)
    }

    @Test("A page with a record that could not be fetched is not delivered, and the next fetch repeats it")
    func incompletePage() {
        var machine = Self.fetching()
        let words = Self.play(&machine) { step, machine in
            switch step {
            case .askForOptions(let context): machine.take(context.options)
            case .fetchDatabase:
                machine.take(
                    .success(
                        EngineDatabasePage(
                            modifications: [.init(zoneID: Self.zone)], token: Self.token("d"))))
            default:
                machine.take(
                    .success(
                        EngineZonePage(
                            modifications: [.init(record: Self.record(Self.b))],
                            recordErrors: [Self.a: CKError(.networkFailure)],
                            end: .success(.init(token: Self.token("z"))))))
            }
        }
        #expect(words.last == "end")
        #expect(words.contains("did fetch Notes 4"))
        #expect(!words.contains("records 1-0"))
        #expect(machine.memory.zoneTokens.isEmpty)
        #expect(machine.memory.unfetched.all == [Self.zone])
        #expect(machine.schedule.wantsFetch)

        var tokens: [String?] = []
        machine.beginFetch(.init(reason: .scheduled, options: .init()))
        let again = Self.play(&machine) { step, machine in
            switch step {
            case .askForOptions(let context): machine.take(context.options)
            case .fetchDatabase: machine.take(.success(EngineDatabasePage(token: Self.token("d"))))
            case .fetchZone(_, let token, _):
                tokens.append(token?.text)
                machine.take(
                    .success(
                        EngineZonePage(
                            modifications: [Self.a, Self.b].map { .init(record: Self.record($0)) },
                            end: .success(.init(token: Self.token("z"))))))
            default: Issue.record("unexpected \(step.words)")
            }
        }
        #expect(tokens == [nil])
        #expect(again.contains("records 2-0"))
        #expect(machine.memory.unfetched.isEmpty)
    }

    private static let retried: Set<CKError.Code> = [
        .notAuthenticated, .accountTemporarilyUnavailable, .networkFailure, .networkUnavailable,
        .requestRateLimited, .serviceUnavailable, .zoneBusy,
    ]

    @Test("Seven errors leave a change pending; a cancellation does too, but is not retried")
    func retriedErrors() {
        #expect(Self.retried.count == 7)
        for code in (1...37).compactMap({ CKError.Code(rawValue: $0) }) {
            let change = CKSyncEngine.PendingRecordZoneChange.saveRecord(Self.a)
            var machine = Self.sending([change])
            machine.schedule.wantsSend = false
            _ = Self.play(&machine) { step, machine in
                switch step {
                case .askForBatch:
                    let isPending = !machine.memory.records.isEmpty
                    machine.take(isPending ? .init(recordsToSave: [Self.record(Self.a)]) : nil)
                default:
                    machine.take(
                        RecordResults(
                            failedSaves: [.init(record: Self.record(Self.a), error: CKError(code))]))
                }
            }
            let isRetried = Self.retried.contains(code)
            let stays = isRetried || code == .operationCancelled
            #expect(machine.memory.records.all == (stays ? [change] : []), "\(code)")
            #expect(machine.schedule.wantsSend == isRetried, "\(code)")
        }
    }

    @Test(
        "A change that is added while the same change is being sent stays pending",
        arguments: [nil, CKError.Code.serverRecordChanged, .networkFailure])
    func addedInFlight(code: CKError.Code?) {
        for added in [CKSyncEngine.PendingRecordZoneChange.saveRecord(Self.a), .deleteRecord(Self.a)] {
            var machine = Self.sending([.saveRecord(Self.a), .saveRecord(Self.b)])
            var hasAsked = false
            _ = Self.play(&machine) { step, machine in
                switch step {
                case .askForBatch:
                    machine.take(hasAsked ? nil : .init(recordsToSave: [Self.record(Self.a)]))
                    hasAsked = true
                default:
                    #expect(machine.memory.records.all == [.saveRecord(Self.b)])
                    #expect(machine.memoryToSave.records.all == [.saveRecord(Self.a), .saveRecord(Self.b)])
                    machine.add([added])
                    var results = RecordResults()
                    if let code {
                        results.failedSaves = [.init(record: Self.record(Self.a), error: CKError(code))]
                    } else {
                        results.saved = [Self.record(Self.a)]
                    }
                    machine.take(results)
                }
            }
            #expect(machine.memory.records.all == [.saveRecord(Self.b), added])
        }
    }

    @Test("Pending changes are ordered and unique; the opposite change replaces one")
    func pendingOrder() {
        var machine = SyncEngineMachine()
        machine.add([.saveRecord(Self.a), .saveRecord(Self.b), .saveRecord(Self.a)])
        #expect(machine.memory.records.all == [.saveRecord(Self.a), .saveRecord(Self.b)])
        machine.add([.deleteRecord(Self.a)])
        #expect(machine.memory.records.all == [.saveRecord(Self.b), .deleteRecord(Self.a)])
        machine.remove([.saveRecord(Self.a)])
        #expect(machine.memory.records.all == [.saveRecord(Self.b), .deleteRecord(Self.a)])
        machine.remove([.deleteRecord(Self.a)])
        #expect(machine.memory.records.all == [.saveRecord(Self.b)])
        let zone = CKRecordZone(zoneID: Self.zone)
        machine.add([.saveZone(zone), .saveZone(CKRecordZone(zoneID: Self.zone))])
        #expect(machine.memory.zones.all == [.saveZone(zone)])
        machine.add([.deleteZone(Self.zone)])
        #expect(machine.memory.zones.all == [.deleteZone(Self.zone)])
    }

    @Test("Zones that are added while a batch is sent are sent before the next batch")
    func zonesFirst() {
        var machine = Self.sending([.saveRecord(Self.a)])
        var batches = 0
        let words = Self.play(&machine) { step, machine in
            switch step {
            case .askForBatch:
                batches += 1
                machine.take(batches > 2 ? nil : .init(recordsToSave: [Self.record(Self.a)]))
            case .sendZones(let changes, _):
                machine.take(ZoneResults(saved: [CKRecordZone(zoneID: changes[0].zoneID)]))
            default:
                if batches == 1 { machine.add([.saveZone(CKRecordZone(zoneID: Self.zone))]) }
                machine.take(RecordResults(saved: [Self.record(Self.a)]))
            }
        }
        #expect(
            words.filter { $0 != "state" } == [
                "will send", "ask batch", "send 1", "sent 1/0-0/0", "send zones 1", "sent zones 1/0-0/0",
                "ask batch", "send 1", "sent 1/0-0/0", "ask batch", "did send", "end",
            ])
    }

    @Test("A batch outside of the scope, or with 251 records, fails the send")
    func refusedBatches() {
        let other = CKRecord.ID(recordName: "x", zoneID: CKRecordZone.ID(zoneName: "Other"))
        var machine = Self.sending([.saveRecord(Self.a)], scope: .zoneIDs([Self.zone]))
        var words = Self.play(&machine) { _, machine in
            machine.take(.init(recordIDsToDelete: [other]))
        }
        #expect(words.filter { $0 != "state" } == ["will send", "ask batch", "did send", "end 12"])
        #expect(machine.memory.records.all == [.saveRecord(Self.a)])
        for count in [250, 251] {
            machine = Self.sending([])
            let ids = (0..<count).map { CKRecord.ID(recordName: "\($0)", zoneID: Self.zone) }
            var hasAsked = false
            words = Self.play(&machine) { step, machine in
                switch step {
                case .askForBatch:
                    machine.take(hasAsked ? nil : .init(recordIDsToDelete: ids))
                    hasAsked = true
                default: machine.take(RecordResults(deleted: ids))
                }
            }
            #expect(words.last == (count == 250 ? "end" : "end 27"))
            #expect(words.contains("sent 0/0-0/251") == (count == 251))
        }
    }

    @Test("A sign-in, a sign-out and a switch are reported once and discard the state")
    func accounts() {
        var machine = SyncEngineMachine()
        let (ann, bob) = (CKRecord.ID(recordName: "_ann"), CKRecord.ID(recordName: "_bob"))
        func steps(_ found: SyncEngineMachine.FoundAccount) -> [String] {
            machine.add([.saveRecord(Self.a)])
            machine.isDirty = false
            machine.found(found)
            return Self.play(&machine) { _, _ in }
        }
        // Before the first check of the account, the changes belonged to no person.
        #expect(steps(.person(ann)) == ["sign-in", "state", "rest"])
        #expect(machine.memory.records.all == [.saveRecord(Self.a)])
        #expect(steps(.person(ann)) == ["rest"])
        #expect(steps(.person(bob)) == ["switch", "state", "rest"])
        #expect(machine.memory.records.isEmpty)
        machine.memory.databaseToken = Self.token("d")
        #expect(steps(.nobody) == ["sign-out", "state", "rest"])
        #expect(machine.memory.records.isEmpty)
        #expect(machine.memory.databaseToken == nil)
        #expect(steps(.nobody) == ["rest"])
        #expect(steps(.person(ann)) == ["sign-in", "state", "rest"])
        #expect(machine.memory.records.isEmpty)
    }

    @Test("A cancelled fetch or send delivers its last events and leaves changes pending")
    func cancelled() {
        var machine = Self.fetching()
        _ = machine.next()
        machine.cancel()
        #expect(Self.play(&machine) { _, _ in } == ["did fetch", "end 20"])
        machine = Self.sending([.saveRecord(Self.a)])
        let words = Self.play(&machine) { step, machine in
            #expect(step.words == "ask batch")
            machine.take(.init(recordsToSave: [Self.record(Self.a)]))
            machine.cancel()
        }
        #expect(words.suffix(3) == ["ask batch", "did send", "end 20"])
        #expect(machine.memory.records.all == [.saveRecord(Self.a)])
    }

    @Test("After each failure the engine waits longer, and at least as long as the server asks")
    func schedule() {
        let start = Date(timeIntervalSince1970: 0)
        var schedule = SyncEngineSchedule(isAutomatic: true)
        #expect(schedule.due(at: start, hasChanges: true) == .fetch)
        schedule.wantsFetch = false
        #expect(schedule.due(at: start, hasChanges: true) == .send)
        #expect(schedule.due(at: start, hasChanges: false) == .nothing)
        let waits: [(asked: TimeInterval?, seconds: TimeInterval)] = [
            (nil, 1), (nil, 2), (30, 30), (1, 8), (nil, 16), (nil, 32), (nil, 60),
        ]
        for (asked, seconds) in waits {
            schedule.retry(after: asked, isFetch: true)
            schedule.ended(isFetch: true, isDone: false, at: start)
            let until = start.addingTimeInterval(seconds)
            #expect(schedule.due(at: start, hasChanges: false) == .wait(until: until))
            #expect(schedule.due(at: start, hasChanges: true) == .send)
            #expect(schedule.due(at: until, hasChanges: true) == .fetch)
        }
        schedule.isDormant = true
        #expect(schedule.due(at: start, hasChanges: true) == .nothing)
        schedule.accountChanged()
        #expect(schedule.due(at: start, hasChanges: true) == .fetch)
        #expect(SyncEngineSchedule(isAutomatic: false).due(at: start, hasChanges: true) == .nothing)
    }
}

extension SyncEngineMachine.Step {
    /// The step in a few words.
    fileprivate var words: String {
        switch self {
        case .deliver(let event): event.words ?? "state"
        case .askForOptions: "ask options"
        case .askForBatch: "ask batch"
        case .fetchDatabase: "fetch database"
        case .fetchZone(let zone, _, _): "fetch \(zone.zoneName)"
        case .sendZones(let changes, _): "send zones \(changes.count)"
        case .sendRecords(let batch, _): "send \(batch.count)"
        case .end(let error): error.map { "end \($0.errorCode)" } ?? "end"
        case .rest: "rest"
        }
    }
}
