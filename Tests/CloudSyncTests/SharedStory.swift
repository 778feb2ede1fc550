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
    private let written = Mutex(Written())
    private let isJoined = Mutex(true)

    /// What the devices have written.
    private struct Written {
        /// The words that were typed, by note.
        var typed: [Int: Set<String>] = [:]
        /// The words that were removed, or deleted with their note.
        var gone: Set<String> = []
        /// The sum of the numbers that were added, by note.
        var sums: [Int: Int64] = [:]
        /// The last mark of each device, by note and field.
        var marks: [Int: [String: Int64]] = [:]
        /// The notes that were deleted at some time. Some devices may have written to them meanwhile, so only
        /// their typed words are checked.
        var deleted: Set<Int> = []
    }

    /// A difference that shows before the end of the story.
    private struct Unexpected: Error, CustomStringConvertible {
        var text: String

        var description: String { text }
    }

    /// The fields of a note.
    private struct Note: Hashable {
        var text = ""
        var numbers: [String: Int64] = [:]
        var parent: String?
    }

    init(seed: UInt64) async throws {
        let (owner, guest) = ("share\(seed)-owner", "share\(seed)-guest")
        let clock = WorldClock(WorldClock.beginning)
        let notes = try await SharedNotes(of: owner, with: guest)
        var devices: [Device] = []
        for number in 0..<4 {
            devices.append(
                try await SyncWorld.device(
                    of: number < 2 ? owner : guest, "d\(number)", clock: clock,
                    scope: number < 2 ? .private : .shared
                ) { $0.policy["Note", "sum"] = .sum })
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
            written.withLock { _ = $0.typed[note, default: []].insert(word) }
            try await write(list, on: device, note)
        case .erase(let device, let note, let place):
            var list = try await list(device, note)
            if list.isEmpty { break }
            let word = list.remove(at: place % list.count)
            written.withLock { _ = $0.gone.insert(word) }
            let text = list.joined(separator: " ")
            try await change(note, on: device) { $0[field: "text"] = .string(text) }
        case .add(let device, let note, let number):
            written.withLock { $0.sums[note, default: 0] += number }
            try await change(note, on: device) { record in
                let sum = if case .int64(let sum)? = record[field: "sum"] { sum } else { Int64(0) }
                record[field: "sum"] = .int64(sum + number)
            }
        case .mark(let device, let note, let number):
            written.withLock { $0.marks[note, default: [:]]["d\(device)"] = number }
            try await change(note, on: device) { $0[field: "d\(device)"] = .int64(number) }
        case .delete(let device, let note):
            let list = try await list(device, note)
            written.withLock { written in
                written.gone.formUnion(list)
                written.deleted.insert(note)
            }
            let id = RecordID(name: "n\(note)", zone: zone(of: device))
            try await devices[device].replica.write { try $0.delete(id) }
        case .sync(let device):
            let status = try await devices[device].sync.sync()
            if status.activity == .idle, device > 1 { try await checkGuest(device) }
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

    /// Changes a note where it is; a new one becomes part of the share.
    private func change(
        _ note: Int, on device: Int, _ edit: @escaping @Sendable (inout ReplicaRecord) -> Void
    ) async throws {
        let id = RecordID(name: "n\(note)", zone: zone(of: device))
        try await devices[device].replica.write { writer in
            var record = try writer.reader.record(id)
            if record == nil {
                record = ReplicaRecord(type: "Note", id: id)
                record?.parent = "root"
            }
            guard var record else { return }
            edit(&record)
            try writer.save(record)
        }
    }

    /// A device of the guest that has nothing more to do has the notes of the share and no others, but for
    /// its own edits that were refused.
    private func checkGuest(_ device: Int) async throws {
        let zone = zone(of: device)
        let pending = try await devices[device].replica.read { try $0.pendingChanges() }
        let own = Set(pending.filter { $0.id.zone == zone }.map(\.id.name))
        let isJoined = isJoined.withLock { $0 }
        let shared = try await stateOnServer().filter { name, note in
            isJoined && (name == "root" || note.parent == "root")
        }
        let (found, expected) = (
            try await state(of: device).filter { !own.contains($0.key) },
            shared.filter { !own.contains($0.key) }
        )
        if found != expected {
            throw Unexpected(text: "\(devices[device].name) has \(found), shared are \(expected)")
        }
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
        let written = written.withLock { $0 }
        for note in 0..<4 {
            let name = "n\(note)"
            let kept = Set((server[name]?.text ?? "").split(separator: " ").map(String.init))
            let lost = written.typed[note, default: []].subtracting(written.gone).subtracting(kept)
            if !lost.isEmpty { faults.append("\(name) lost \(lost.sorted())") }
            if written.deleted.contains(note) { continue }
            let back = kept.intersection(written.gone)
            if !back.isEmpty { faults.append("\(name) has the removed words \(back.sorted())") }
            var numbers = written.marks[note, default: [:]]
            numbers["sum"] = written.sums[note]
            let found = server[name]?.numbers ?? [:]
            if found != numbers { faults.append("\(name) has the numbers \(found), written were \(numbers)") }
        }
        return faults
    }

    private func state(of device: Int) async throws -> [String: Note] {
        let zone = zone(of: device)
        let records = try await devices[device].replica.read { try $0.records(ofType: "Note", in: zone) }
        var state: [String: Note] = [:]
        for record in records {
            var note = Note(parent: record.parent)
            for key in record.keys {
                switch record[field: key] {
                case .string(let text): note.text = text
                case .int64(let number): note.numbers[key] = number
                default: break
                }
            }
            state[record.id.name] = note
        }
        return state
    }

    private func stateOnServer() async throws -> [String: Note] {
        let database = notes.owner.privateCloudDatabase
        var state: [String: Note] = [:]
        var token: CKServerChangeToken?
        while true {
            let page = try await database.recordZoneChanges(inZoneWith: SharedNotes.zoneID, since: token)
            for (id, result) in page.modificationResultsByID {
                let record = try result.get().record
                guard record.recordType == "Note" else { continue }
                var note = Note(parent: record.parent?.recordID.recordName)
                for key in record.allKeys() {
                    if let text = record[key] as? String { note.text = text }
                    if let number = record[key] as? Int64 { note.numbers[key] = number }
                }
                state[id.recordName] = note
            }
            for deletion in page.deletions { state[deletion.recordID.recordName] = nil }
            token = page.changeToken
            if !page.moreComing { return state }
        }
    }
}
