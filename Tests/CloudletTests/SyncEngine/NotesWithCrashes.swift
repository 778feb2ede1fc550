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
        /// The record versions that the current engine has sent.
        var sent: Set<String> = []
        /// The person of the last account event.
        var person: String?
        /// Faults with which tokens expire: whether each has happened.
        var expiries: [@Sendable () -> Bool] = []
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

    /// Starts the app: makes an engine with the saved state, whose delegate is this object. Events of an
    /// earlier engine are ignored from now on.
    func engine(_ database: CKDatabase, automatic: Bool = false) -> CKSyncEngine {
        var configuration = CKSyncEngine.Configuration(
            database: database, stateSerialization: saved, delegate: self)
        configuration.automaticallySync = automatic
        // In one step, because an automatic engine delivers its first event at once.
        return state.withLock { state in
            let engine = CKSyncEngine(configuration)
            state.engine = ObjectIdentifier(engine)
            (state.isDead, state.countdown, state.open) = (false, nil, [])
            (state.seen, state.sent, state.person) = ([], [], nil)
            return engine
        }
    }

    /// Ends the process at the event after this number of events.
    func dies(atEvent number: Int) {
        atEvent(number) { [weak self] in self?.state.withLock { $0.isDead = true } }
    }

    func atEvent(_ number: Int, _ action: @escaping @Sendable () -> Void) {
        state.withLock { $0.countdown = (number, action) }
    }

    /// The errors in the order of events since the last call.
    ///
    /// - Parameter isOver: whether no fetch or send is going on.
    func check(isOver: Bool = true) -> [String] {
        state.withLock { state in
            defer { (state.wrong, state.countdown) = ([], nil) }
            guard isOver else { return state.wrong }
            defer { state.open = [] }
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
        let isOver = state.withLock { $0.isDead || $0.engine != ObjectIdentifier(syncEngine) }
        if isOver { return nil }
        return await notes.nextRecordZoneChangeBatch(context, syncEngine: syncEngine)
    }

    /// Checks that an event comes in the right order, and that it delivers no version twice.
    private static func checkOrder(of event: CKSyncEngine.Event, _ state: inout State) {
        func needs(_ place: [String]) {
            if state.open != place { state.wrong.append("\(event) within \(state.open)") }
        }
        switch event {
        case .stateUpdate: break
        case .accountChange(let change):
            needs([])
            (state.seen, state.sent) = ([], [])
            let person = change.changeType.person
            if let person, person == state.person { state.wrong.append("\(person) has signed in twice") }
            state.person = person
        case .willFetchChanges:
            needs([])
            state.open = ["fetch"]
        case .fetchedDatabaseChanges: needs(["fetch"])
        case .willFetchRecordZoneChanges(let event):
            needs(["fetch"])
            state.open.append(event.zoneID.zoneName)
        case .fetchedRecordZoneChanges(let changes):
            let expiries = state.expiries.filter { !$0() }
            if expiries.count < state.expiries.count { (state.expiries, state.seen) = (expiries, []) }
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
        case .sentDatabaseChanges: needs(["send"])
        case .sentRecordZoneChanges(let sent):
            needs(["send"])
            for record in sent.savedRecords {
                let version = "\(record.recordID.recordName) \(record.recordChangeTag ?? "")"
                if !state.sent.insert(version).inserted { state.wrong.append("\(version) was sent twice") }
            }
        case .didSendChanges:
            needs(["send"])
            state.open = []
        }
    }

    /// Accepts versions that were delivered before, as soon as a token has expired.
    func expectRepetition(when hasExpired: @escaping @Sendable () -> Bool) {
        state.withLock { $0.expiries.append(hasExpired) }
    }
}

extension CKSyncEngine.Event.AccountChange.ChangeType {
    /// The record name of the person who is signed in now; nil if nobody is.
    fileprivate var person: String? {
        switch self {
        case .signIn(let user), .switchAccounts(_, let user): user.recordName
        case .signOut: nil
        }
    }
}
