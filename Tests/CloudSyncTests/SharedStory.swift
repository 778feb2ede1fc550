import CloudSync
import Cloudlet
import CloudletTesting
import Foundation
import LocalReplica
import Synchronization
import Testing

/// Runs a script of events on two devices of an owner and two of a guest, and checks the final state.
final class SharedStory: Sendable {
    private let notes: SharedNotes
    private let devices: [Device]
    private let clock: WorldClock
    /// The words that were typed, by note, and the words that were deleted with their note.
    private let words = Mutex<(typed: [Int: Set<String>], gone: Set<String>)>(([:], []))
    private let isJoined = Mutex(true)

    init(seed: UInt64) async throws {
        let (owner, guest) = ("share\(seed)-owner", "share\(seed)-guest")
        let clock = WorldClock(WorldClock.beginning)
        let notes = try await SharedNotes(of: owner, with: guest)
        var devices: [Device] = []
        for number in 0..<4 {
            devices.append(
                try await SyncWorld.device(
                    of: number < 2 ? owner : guest, "d\(number)", clock: clock,
                    scope: number < 2 ? .private : .shared))
        }
        try await notes.open()
        (self.clock, self.notes, self.devices) = (clock, notes, devices)
    }

    private func zone(of device: Int) -> ZoneID { device < 2 ? SharedNotes.ownZone : notes.zone }

    func live(_ happening: SharedHappening) async throws {
        switch happening {
        case .type(let device, let note, let word, let place):
            var list = try await list(device, note)
            list.insert(word, at: min(place, list.count))
            words.withLock { _ = $0.typed[note, default: []].insert(word) }
            try await write(list, on: device, note)
        case .delete(let device, let note):
            let list = try await list(device, note)
            words.withLock { $0.gone.formUnion(list) }
            let id = RecordID(name: "n\(note)", zone: zone(of: device))
            try await devices[device].replica.write { try $0.delete(id) }
        case .sync(let device): try await devices[device].sync.sync()
        case .offline(let device): devices[device].link.isCut = true
        case .online(let device): devices[device].link.isCut = false
        case .fault(let device, let name, let endpoint): devices[device].fault(name, on: endpoint)
        case .move(let device, let note): try await move(note, on: device) { $0 == nil ? "root" : nil }
        case .share(let readOnly): try await share(readOnly ? .readOnly : .readWrite)
        case .leave: try await end { try await $0.leave() }
        case .remove: try await end { try await $0.remove() }
        case .stop: try await end { try await $0.stop() }
        }
        clock.advance(bySeconds: 1)
    }

    private func share(_ permission: CKShare.ParticipantPermission) async throws {
        try await notes.open(permission)
        isJoined.withLock { $0 = true }
    }

    /// Ends the guest's access, if there is any.
    private func end(_ access: (SharedNotes) async throws -> Void) async throws {
        guard isJoined.withLock({ $0 }) else { return }
        try await access(notes)
        isJoined.withLock { $0 = false }
    }

    private func list(_ device: Int, _ note: Int) async throws -> [String] {
        let text = try await devices[device].text("n\(note)", in: zone(of: device))
        return text?.split(separator: " ").map(String.init) ?? []
    }

    private func write(_ list: [String], on device: Int, _ note: Int) async throws {
        try await devices[device].write(list.joined(separator: " "), to: "n\(note)", in: zone(of: device))
    }

    private func move(
        _ note: Int, on device: Int, to parent: @escaping @Sendable (String?) -> String?
    ) async throws {
        let id = RecordID(name: "n\(note)", zone: zone(of: device))
        try await devices[device].replica.write { writer in
            guard var record = try writer.reader.record(id) else { return }
            record.parent = parent(record.parent)
            try writer.save(record)
        }
    }

    /// Brings all devices online, lets the guest join, moves all notes into the share, and syncs until
    /// nothing is left to send or fetch.
    func settle() async throws {
        for device in devices { device.link.isCut = false }
        // A change of the share lets refused edits be sent again.
        for permission in [CKShare.ParticipantPermission.readOnly, .readWrite] { try await share(permission) }
        for device in devices { try await device.sync.waitUntilIdle() }
        try await devices[0].sync.waitUntilIdle()
        for note in 0..<4 { try await move(note, on: 0) { _ in "root" } }
        for _ in 0..<3 {
            for device in devices { try await device.sync.waitUntilIdle() }
        }
    }

    /// The errors in the final state, one per line.
    func faults() async throws -> [String] {
        var faults: [String] = []
        let server = try await stateOnServer()
        for (number, device) in devices.enumerated() {
            let pending = try await device.pending()
            if !pending.isEmpty { faults.append("\(device.name) still has to send \(pending)") }
            let state = try await state(of: number)
            if state != server { faults.append("\(device.name) has \(state), the server \(server)") }
        }
        let (typed, gone) = words.withLock { $0 }
        for (note, words) in typed {
            let kept = (server["n\(note)"] ?? "").split(separator: " ").map(String.init)
            let lost = words.subtracting(gone).subtracting(kept)
            if !lost.isEmpty { faults.append("n\(note) lost \(lost.sorted())") }
        }
        return faults
    }

    private func state(of device: Int) async throws -> [String: String] {
        let zone = zone(of: device)
        let records = try await devices[device].replica.read { try $0.records(ofType: "Note", in: zone) }
        var state: [String: String] = [:]
        for record in records {
            if case .string(let text)? = record[field: "text"] { state[record.id.name] = text }
        }
        return state
    }

    private func stateOnServer() async throws -> [String: String] {
        let database = notes.owner.privateCloudDatabase
        var state: [String: String] = [:]
        var token: CKServerChangeToken?
        while true {
            let page = try await database.recordZoneChanges(inZoneWith: SharedNotes.zoneID, since: token)
            for (id, result) in page.modificationResultsByID {
                let record = try result.get().record
                if record.recordType == "Note" { state[id.recordName] = record["text"] as? String }
            }
            for deletion in page.deletions { state[deletion.recordID.recordName] = nil }
            token = page.changeToken
            if !page.moreComing { return state }
        }
    }
}
