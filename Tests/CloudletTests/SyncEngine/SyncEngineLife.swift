import CloudKit
import CloudletServer
import CloudletTesting
import Foundation
import Synchronization

@testable import Cloudlet
@testable import TestKit

/// A step of `SyncEngineLife`.
enum EngineHappening: Sendable, CustomStringConvertible {
    case write(device: Int, note: Int, text: String)
    case delete(device: Int, note: Int)
    case send(device: Int)
    case fetch(device: Int)
    /// The process ends during the next send or fetch, at the event with this number.
    case kill(device: Int, event: Int, sends: Bool)
    case fault(device: Int, FaultKind, endpoint: String?)
    /// The other person signs in during the next fetch, at the event with this number.
    case switchAccount(event: Int)

    var description: String {
        switch self {
        case .write(let device, let note, let text): "\(device): write \(text) to n\(note)"
        case .delete(let device, let note): "\(device): delete n\(note)"
        case .send(let device): "\(device): send"
        case .fetch(let device): "\(device): fetch"
        case .kill(let device, let event, let sends): "\(device): kill at event \(event), sends \(sends)"
        case .fault(let device, let kind, let endpoint): "\(device): \(kind) \(endpoint ?? "")"
        case .switchAccount(let event): "0: switch at event \(event)"
        }
    }

    /// The steps of a seed on three devices.
    static func script(seed: UInt64) -> [EngineHappening] {
        var numbers = SeededNumbers(seed: seed)
        return (0..<40).map { place in
            let device = numbers.below(3)
            switch numbers.below(20) {
            case 0..<7: return .write(device: device, note: numbers.below(5), text: "t\(place)")
            case 7, 8: return .delete(device: device, note: numbers.below(5))
            case 9..<12: return .send(device: device)
            case 12..<15: return .fetch(device: device)
            case 15, 16:
                return .kill(device: device, event: numbers.below(6), sends: numbers.chance(60))
            case 17: return .switchAccount(event: numbers.below(5))
            case 18:
                let kind = numbers.pick([
                    FaultKind.zoneBusy, .conflict, .limitExceeded, .networkFailureBefore, .responseLost,
                ])
                return .fault(device: device, kind, endpoint: "records/modify")
            default:
                let kind = numbers.pick([
                    FaultKind.unavailable, .networkFailureBefore, .responseLost, .rateLimited, .tokenExpired,
                ])
                return .fault(device: device, kind, endpoint: nil)
            }
        }
    }
}

/// Three devices: two of Alice, and one on which Alice and Bob take turns. Their engines sync on
/// request only, or also automatically.
struct SyncEngineLife: Sendable {
    private static let zone = CKRecordZone.ID(zoneName: "Notes")

    private let fixture: Fixture
    private let devices: [LivingDevice]
    private let account: CloudAccount

    init(_ fixture: Fixture, automatic: Bool = false) async throws {
        self.fixture = fixture
        account = CloudAccount(webAuthToken: fixture.alice.connection.webAuthToken)
        var connection = try await fixture.world.connection(of: nil, on: "d0")
        connection.account = account
        var containers = [CKContainer(identifier: Fixture.containerName, connection: connection)]
        for number in 1...2 {
            containers.append(
                try await fixture.world.container(Fixture.containerName, as: "alice", on: "d\(number)"))
        }
        devices = containers.map { LivingDevice($0.privateCloudDatabase, automatic: automatic) }
    }

    func live(_ happening: EngineHappening) async throws {
        switch happening {
        case .write(let number, let note, let text):
            let device = devices[number]
            device.app.write(text, to: "n\(note)", in: Self.zone, device.engine)
            try await device.flush()
        case .delete(let number, let note):
            let device = devices[number]
            device.app.delete("n\(note)", in: Self.zone, device.engine)
            try await device.flush()
        case .send(let number): try await devices[number].run(sends: true)
        case .fetch(let number): try await devices[number].run(sends: false)
        case .kill(let number, let event, let sends):
            let device = devices[number]
            device.app.dies(atEvent: event)
            try await device.run(sends: sends)
            device.restart()
        case .fault(let device, let kind, let endpoint):
            let faults = fixture.world.server.faults
            let number = faults.add(Fault(kind, endpoint: endpoint, device: "d\(device)", count: 1))
            guard kind == .tokenExpired else { break }
            devices[device].app.expectRepetition {
                !faults.active.contains { $0.id == number && $0.affectedCalls == 0 }
            }
        case .switchAccount(let event):
            let isAlice = account.webAuthToken == fixture.alice.connection.webAuthToken
            let next = isAlice ? fixture.bob.connection.webAuthToken : fixture.alice.connection.webAuthToken
            guard let next else { return }
            devices[0].app.atEvent(event) { [account] in account.signIn(webAuthToken: next) }
            try await devices[0].run(sends: false)
            // If the fetch had fewer events, the other person signs in now.
            account.signIn(webAuthToken: next)
        }
        fixture.world.clock.advance(bySeconds: 120)
    }

    /// Syncs all devices until no change is pending. Returns the differences between the devices and the
    /// server, and other errors.
    func settle() async throws -> [String] {
        fixture.world.server.faults.clear()
        fixture.world.clock.advance(bySeconds: 3600)
        if let alice = fixture.alice.connection.webAuthToken { account.signIn(webAuthToken: alice) }
        var faults: [String] = []
        // Automatic engines may be in the middle of a cycle.
        for _ in 0..<10 {
            for _ in 0..<3 {
                for device in devices {
                    try await device.run(sends: false)
                    try await device.run(sends: true)
                }
            }
            faults = try await differences()
            if faults.isEmpty { break }
        }
        for (number, device) in devices.enumerated() {
            if device.app.overlaps > 0 { faults.append("device \(number): overlapping events") }
            faults += device.faults.map { "device \(number): \($0)" }
        }
        return faults
    }

    private func differences() async throws -> [String] {
        let truth = try await serverTexts()
        var faults: [String] = []
        for (number, device) in devices.enumerated() {
            if device.app.texts != truth {
                faults.append("device \(number) has \(device.app.texts), the server \(truth)")
            }
            if !device.engine.state.pendingRecordZoneChanges.isEmpty {
                faults.append("device \(number) has \(device.engine.state.pendingRecordZoneChanges)")
            }
        }
        return faults
    }

    private func serverTexts() async throws -> [String: String] {
        let reader = SyncedNotes()
        let engine = reader.engine(fixture.alice.privateCloudDatabase)
        try await engine.fetchChanges()
        return reader.texts
    }
}

/// A device with an app and its engine.
final class LivingDevice: Sendable {
    let app = NotesWithCrashes()
    private let database: CKDatabase
    private let isAutomatic: Bool
    private let state: Mutex<CKSyncEngine>
    private let wrong = Mutex<[String]>([])

    init(_ database: CKDatabase, automatic: Bool) {
        self.database = database
        isAutomatic = automatic
        state = Mutex(app.engine(database, automatic: automatic))
    }

    var engine: CKSyncEngine { state.withLock { $0 } }

    var faults: [String] { wrong.withLock { $0 } }

    /// Waits until the app has saved what is pending.
    func flush() async throws {
        let engine = engine
        try await until { app.saved?.memory.records.all == engine.state.pendingRecordZoneChanges }
    }

    /// Fetches or sends. Ignores errors of the call, because the script causes them.
    func run(sends: Bool) async throws {
        let engine = engine
        do {
            if sends { try await engine.sendChanges() } else { try await engine.fetchChanges() }
        } catch is CKError {}
        let faults = app.check(isOver: !isAutomatic)
        wrong.withLock { $0 += faults }
    }

    /// Starts the app again.
    func restart() {
        let next = app.engine(database, automatic: isAutomatic)
        state.withLock { $0 = next }
    }
}
