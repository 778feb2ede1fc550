import CloudKit
import Foundation
import Synchronization

/// An app that syncs notes with a sync engine, like Apple's sample: after a conflict its own text wins, and
/// it creates missing zones.
final class SyncedNotes: CKSyncEngineDelegate {
    private struct State {
        var texts: [CKRecord.ID: String] = [:]
        var versions: [CKRecord.ID: CKRecord] = [:]
        var saved: CKSyncEngine.State.Serialization?
        var log: [String] = []
        var codes: [CKError.Code] = []
        var present = 0
        var overlaps = 0
    }

    private let state = Mutex(State())
    /// Called with each event before it is handled.
    let hook: @Sendable (CKSyncEngine.Event, CKSyncEngine) async -> Void
    /// Replaces the batches of the app.
    let batch: (@Sendable (CKSyncEngine.SendChangesContext) -> CKSyncEngine.RecordZoneChangeBatch?)?
    /// Replaces the options of fetches.
    let options: (@Sendable (CKSyncEngine.FetchChangesContext) -> CKSyncEngine.FetchChangesOptions)?
    /// Whether the app's batches are atomic.
    let isAtomic: Bool

    init(
        hook: @escaping @Sendable (CKSyncEngine.Event, CKSyncEngine) async -> Void = { _, _ in },
        batch: (@Sendable (CKSyncEngine.SendChangesContext) -> CKSyncEngine.RecordZoneChangeBatch?)? = nil,
        options: (@Sendable (CKSyncEngine.FetchChangesContext) -> CKSyncEngine.FetchChangesOptions)? = nil,
        isAtomic: Bool = false
    ) {
        self.hook = hook
        self.batch = batch
        self.options = options
        self.isAtomic = isAtomic
    }

    /// The text of each note by its name.
    var texts: [String: String] {
        let texts = state.withLock { $0.texts }
        return Dictionary(uniqueKeysWithValues: texts.map { ($0.key.recordName, $0.value) })
    }

    /// The events since the last call, without state updates.
    func events() -> [String] {
        state.withLock { state in
            defer { state.log = [] }
            return state.log
        }
    }

    /// The errors of records and zones that were not sent, since the last call.
    func errors() -> [CKError.Code] {
        state.withLock { state in
            defer { state.codes = [] }
            return state.codes
        }
    }

    /// The last state that the engine delivered.
    var saved: CKSyncEngine.State.Serialization? { state.withLock { $0.saved } }

    /// The number of events that began while the app handled another one.
    var overlaps: Int { state.withLock { $0.overlaps } }

    /// Makes an engine for a database, with the state that the last engine delivered.
    func engine(
        _ database: CKDatabase, automatic: Bool = false, subscription: String? = nil
    ) -> CKSyncEngine {
        var configuration = CKSyncEngine.Configuration(
            database: database, stateSerialization: saved, delegate: self)
        configuration.automaticallySync = automatic
        configuration.subscriptionID = subscription
        return CKSyncEngine(configuration)
    }

    /// Writes notes, and adds them to the pending changes.
    func write(_ notes: [(name: String, text: String)], in zone: CKRecordZone.ID, _ engine: CKSyncEngine) {
        let ids = notes.map { CKRecord.ID(recordName: $0.name, zoneID: zone) }
        state.withLock { state in
            for (id, note) in zip(ids, notes) { state.texts[id] = note.text }
        }
        engine.state.add(pendingRecordZoneChanges: ids.map { .saveRecord($0) })
    }

    func write(_ text: String, to name: String, in zone: CKRecordZone.ID, _ engine: CKSyncEngine) {
        write([(name, text)], in: zone, engine)
    }

    /// Deletes a note on this device, and adds the deletion to the pending changes.
    func delete(_ name: String, in zone: CKRecordZone.ID, _ engine: CKSyncEngine) {
        let id = CKRecord.ID(recordName: name, zoneID: zone)
        state.withLock { state in
            state.texts[id] = nil
            state.versions[id] = nil
        }
        engine.state.add(pendingRecordZoneChanges: [.deleteRecord(id)])
    }

    func nextFetchChangesOptions(
        _ context: CKSyncEngine.FetchChangesContext, syncEngine: CKSyncEngine
    ) async -> CKSyncEngine.FetchChangesOptions {
        options?(context) ?? context.options
    }

    func nextRecordZoneChangeBatch(
        _ context: CKSyncEngine.SendChangesContext, syncEngine: CKSyncEngine
    ) async -> CKSyncEngine.RecordZoneChangeBatch? {
        if let batch { return batch(context) }
        let scope = context.options.scope
        let changes = syncEngine.state.pendingRecordZoneChanges.filter { scope.contains($0) }
        var batch = await CKSyncEngine.RecordZoneChangeBatch(pendingChanges: changes) { id in
            self.record(id)
        }
        batch?.atomicByZone = isAtomic
        return batch
    }

    private func record(_ id: CKRecord.ID) -> CKRecord? {
        state.withLock { state in
            guard let text = state.texts[id] else { return nil }
            let record = state.versions[id]?.copy() as? CKRecord ?? CKRecord(recordType: "Note", recordID: id)
            record["text"] = text
            return record
        }
    }

    func handleEvent(_ event: CKSyncEngine.Event, syncEngine: CKSyncEngine) async {
        state.withLock { state in
            state.present += 1
            if state.present > 1 { state.overlaps += 1 }
            if let words = event.words { state.log.append(words) }
        }
        await hook(event, syncEngine)
        handle(event, syncEngine)
        state.withLock { $0.present -= 1 }
    }

    private func handle(_ event: CKSyncEngine.Event, _ engine: CKSyncEngine) {
        switch event {
        case .stateUpdate(let update): state.withLock { $0.saved = update.stateSerialization }
        case .accountChange(let change): handle(change, engine)
        case .fetchedDatabaseChanges(let changes):
            let gone = Set(changes.deletions.map(\.zoneID))
            state.withLock { state in
                state.texts = state.texts.filter { !gone.contains($0.key.zoneID) }
                state.versions = state.versions.filter { !gone.contains($0.key.zoneID) }
            }
        case .fetchedRecordZoneChanges(let changes): handle(changes, engine)
        case .sentRecordZoneChanges(let sent): handle(sent, engine)
        case .sentDatabaseChanges(let sent):
            state.withLock { $0.codes += sent.failedZoneSaves.map(\.error.code) }
        default: break
        }
    }

    private func handle(_ change: CKSyncEngine.Event.AccountChange, _ engine: CKSyncEngine) {
        if case .signIn = change.changeType {
            let ids = state.withLock { Array($0.texts.keys) }.sorted { $0.recordName < $1.recordName }
            engine.state.add(pendingRecordZoneChanges: ids.map { .saveRecord($0) })
        } else {
            state.withLock { state in
                state.texts = [:]
                state.versions = [:]
            }
        }
    }

    private func handle(_ changes: CKSyncEngine.Event.FetchedRecordZoneChanges, _ engine: CKSyncEngine) {
        let pending = Set(engine.state.pendingRecordZoneChanges)
        state.withLock { state in
            for record in changes.modifications.map(\.record) {
                state.versions[record.recordID] = record
                let isEdited = pending.contains(.saveRecord(record.recordID))
                if isEdited || pending.contains(.deleteRecord(record.recordID)) { continue }
                state.texts[record.recordID] = record["text"] as? String ?? ""
            }
            for id in changes.deletions.map(\.recordID) {
                state.versions[id] = nil
                if !pending.contains(.saveRecord(id)) { state.texts[id] = nil }
            }
        }
    }

    private func handle(_ sent: CKSyncEngine.Event.SentRecordZoneChanges, _ engine: CKSyncEngine) {
        state.withLock { state in
            for record in sent.savedRecords where state.texts[record.recordID] != nil {
                state.versions[record.recordID] = record
            }
            state.codes +=
                sent.failedRecordSaves.map(\.error.code) + sent.failedRecordDeletes.map(\.value.code)
        }
        for failure in sent.failedRecordSaves {
            let id = failure.record.recordID
            switch failure.error.code {
            case .serverRecordChanged:
                state.withLock { $0.versions[id] = failure.error.serverRecord }
            case .zoneNotFound:
                engine.state.add(pendingDatabaseChanges: [.saveZone(CKRecordZone(zoneID: id.zoneID))])
                state.withLock { $0.versions[id] = nil }
            case .unknownItem: state.withLock { $0.versions[id] = nil }
            case .batchRequestFailed, .serverResponseLost, .internalError, .limitExceeded: break
            default: continue
            }
            let hasText = state.withLock { $0.texts[id] != nil }
            if hasText { engine.state.add(pendingRecordZoneChanges: [.saveRecord(id)]) }
        }
        for (id, error) in sent.failedRecordDeletes {
            let codes: [CKError.Code] = [
                .batchRequestFailed, .serverResponseLost, .internalError, .limitExceeded,
                .serverRecordChanged,
            ]
            guard codes.contains(error.code) else { continue }
            let hasText = state.withLock { $0.texts[id] != nil }
            if !hasText { engine.state.add(pendingRecordZoneChanges: [.deleteRecord(id)]) }
        }
    }
}

extension CKSyncEngine.Event {
    /// The event in a few words; nil for a state update, because its time varies.
    var words: String? {
        switch self {
        case .stateUpdate: return nil
        case .accountChange(let change):
            switch change.changeType {
            case .signIn: return "sign-in"
            case .signOut: return "sign-out"
            case .switchAccounts: return "switch"
            }
        case .fetchedDatabaseChanges(let changes):
            let gone = changes.deletions.map { "-\($0.zoneID.zoneName) \($0.reason)" }
            return "zones " + (changes.modifications.map(\.zoneID.zoneName) + gone).joined(separator: ",")
        case .fetchedRecordZoneChanges(let changes):
            return "records \(changes.modifications.count)-\(changes.deletions.count)"
        case .sentDatabaseChanges(let sent):
            return "sent zones \(sent.savedZones.count)/\(sent.failedZoneSaves.count)"
                + "-\(sent.deletedZoneIDs.count)/\(sent.failedZoneDeletes.count)"
        case .sentRecordZoneChanges(let sent):
            return "sent \(sent.savedRecords.count)/\(sent.failedRecordSaves.count)"
                + "-\(sent.deletedRecordIDs.count)/\(sent.failedRecordDeletes.count)"
        case .willFetchChanges: return "will fetch"
        case .willFetchRecordZoneChanges(let event): return "will fetch \(event.zoneID.zoneName)"
        case .didFetchRecordZoneChanges(let event):
            let error = event.error.map { " \($0.errorCode)" } ?? ""
            return "did fetch \(event.zoneID.zoneName)\(error)"
        case .didFetchChanges: return "did fetch"
        case .willSendChanges: return "will send"
        case .didSendChanges: return "did send"
        }
    }
}
