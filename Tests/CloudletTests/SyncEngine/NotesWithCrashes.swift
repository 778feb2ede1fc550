import CloudKit
import Foundation
import Synchronization

@testable import Cloudlet

/// An app whose process can end at any event. It checks the order of its events.
final class NotesWithCrashes: CKSyncEngineDelegate {
    private struct State {
        var isDead = false
        /// The engine of the current process.
        var engine: ObjectIdentifier?
        /// An action, and the number of events before it runs.
        var countdown: (Int, @Sendable () -> Void)?
        var open: [String] = []
        var wrong: [String] = []
        /// The record versions that the current engine has delivered since a token expired.
        var seen: Set<String> = []
    }

    private let notes = SyncedNotes()
    private let state = Mutex(State())

    var texts: [String: String] { notes.texts }
    var saved: CKSyncEngine.State.Serialization? { notes.saved }
    var overlaps: Int { notes.overlaps }

    func write(_ text: String, to name: String, in zone: CKRecordZone.ID, _ engine: CKSyncEngine) {
        notes.write(text, to: name, in: zone, engine)
    }

    func delete(_ name: String, in zone: CKRecordZone.ID, _ engine: CKSyncEngine) {
        notes.delete(name, in: zone, engine)
    }

    /// Makes an engine with the saved state, whose delegate is this object.
    func engine(_ database: CKDatabase) -> CKSyncEngine {
        var configuration = CKSyncEngine.Configuration(
            database: database, stateSerialization: saved, delegate: self)
        configuration.automaticallySync = false
        let engine = CKSyncEngine(configuration)
        state.withLock { $0.engine = ObjectIdentifier(engine) }
        return engine
    }

    /// Ends the process at the event after this number of events.
    func dies(atEvent number: Int) {
        atEvent(number) { [weak self] in self?.state.withLock { $0.isDead = true } }
    }

    func atEvent(_ number: Int, _ action: @escaping @Sendable () -> Void) {
        state.withLock { $0.countdown = (number, action) }
    }

    func revive() {
        state.withLock { state in
            (state.isDead, state.countdown, state.open, state.seen) = (false, nil, [], [])
        }
    }

    /// The errors in the order of events since the last call.
    func check() -> [String] {
        state.withLock { state in
            defer { (state.wrong, state.open, state.countdown) = ([], [], nil) }
            if !state.isDead, !state.open.isEmpty { state.wrong.append("\(state.open) did not end") }
            return state.wrong
        }
    }

    func handleEvent(_ event: CKSyncEngine.Event, syncEngine: CKSyncEngine) async {
        let action = state.withLock { state -> (@Sendable () -> Void)? in
            guard let (number, action) = state.countdown else { return nil }
            state.countdown = number > 0 ? (number - 1, action) : nil
            return number == 0 ? action : nil
        }
        action?()
        let isDead = state.withLock { state in
            if state.engine != ObjectIdentifier(syncEngine) { return true }
            if !state.isDead { Self.checkOrder(of: event, &state) }
            return state.isDead
        }
        if !isDead { await notes.handleEvent(event, syncEngine: syncEngine) }
    }

    func nextRecordZoneChangeBatch(
        _ context: CKSyncEngine.SendChangesContext, syncEngine: CKSyncEngine
    ) async -> CKSyncEngine.RecordZoneChangeBatch? {
        if state.withLock({ $0.isDead }) { return nil }
        return await notes.nextRecordZoneChangeBatch(context, syncEngine: syncEngine)
    }

    /// Checks that an event comes in the right order, and that it delivers no version twice.
    private static func checkOrder(of event: CKSyncEngine.Event, _ state: inout State) {
        func needs(_ place: [String]) {
            if state.open != place { state.wrong.append("\(event) within \(state.open)") }
        }
        switch event {
        case .stateUpdate: break
        case .accountChange:
            needs([])
            state.seen = []
        case .willFetchChanges:
            needs([])
            state.open = ["fetch"]
        case .fetchedDatabaseChanges: needs(["fetch"])
        case .willFetchRecordZoneChanges(let event):
            needs(["fetch"])
            state.open.append(event.zoneID.zoneName)
        case .fetchedRecordZoneChanges(let changes):
            for record in changes.modifications.map(\.record) {
                needs(["fetch", record.recordID.zoneID.zoneName])
                let version = "\(record.recordID.recordName) \(record.recordChangeTag ?? "")"
                if !state.seen.insert(version).inserted { state.wrong.append("\(version) came twice") }
            }
        case .didFetchRecordZoneChanges(let event):
            needs(["fetch", event.zoneID.zoneName])
            _ = state.open.popLast()
        case .didFetchChanges:
            needs(["fetch"])
            state.open = []
        case .willSendChanges:
            needs([])
            state.open = ["send"]
        case .sentDatabaseChanges, .sentRecordZoneChanges: needs(["send"])
        case .didSendChanges:
            needs(["send"])
            state.open = []
        }
    }

    /// Accepts versions that were delivered before, because a token has expired.
    func expectRepetition() {
        state.withLock { $0.seen = [] }
    }
}
