import CloudSync
import Cloudlet
import CloudletServer
import CloudletTesting
import Foundation
import LocalReplica
import Synchronization
import Testing

/// Runs a script of events on several devices and checks the final state.
final class Story: Sendable {
    let devices: [Device]
    let clock: WorldClock
    /// The server if it can lose data; otherwise nil.
    private let server: LossyServer?
    private let tags = TagBook()
    /// The words that were typed, by note, and the words that were removed or deleted with their note.
    private let words = Mutex<(typed: [Int: Set<String>], gone: Set<String>)>(([:], []))

    init(devices: [Device], clock: WorldClock, server: LossyServer? = nil) {
        self.devices = devices
        self.clock = clock
        self.server = server
    }

    func live(_ happening: Happening) async throws {
        switch happening {
        case .type(let device, let note, let word, let place):
            try await type(word, on: devices[device], note, place)
        case .takeOut(let device, let note, let place):
            var list = try await list(devices[device], note)
            guard place < list.count else { return }
            let word = list.remove(at: place)
            words.withLock { _ = $0.gone.insert(word) }
            try await devices[device].write(list.joined(separator: " "), to: "n\(note)")
        case .delete(let device, let note):
            let list = try await list(devices[device], note)
            words.withLock { $0.gone.formUnion(list) }
            try await devices[device].delete("n\(note)")
        case .amount(let device, let receipt, let value):
            try await devices[device].replica.write { writer in
                let id = RecordID(name: "r\(receipt)", zone: "Notes")
                var record = try writer.reader.record(id) ?? ReplicaRecord(type: "Receipt", id: id)
                record[field: "amount"] = .int64(Int64(value))
                try writer.save(record)
            }
        case .sync(let device): try await devices[device].sync.sync()
        case .meet(let device, let request, let others, let note, let word):
            try await meet(devices[device], request, others, note, word)
        case .offline(let device): devices[device].link.isCut = true
        case .online(let device): devices[device].link.isCut = false
        case .fault(let device, let name, let endpoint): devices[device].fault(name, on: endpoint)
        case .push(let device): try await devices[device].sync.sync(asksServer: false)
        case .backup: try await server?.backUp(holding: try await state())
        case .restore:
            if let server { try await keepOnly(try await server.restore(devices)) }
        case .reset:
            if let server { try await keepOnly(try await server.reset()) }
        }
        clock.advance(bySeconds: 1)
        for device in devices { try await tags.look(at: device) }
    }

    private func meet(
        _ device: Device, _ request: Int, _ others: [Int], _ note: Int, _ word: String
    ) async throws {
        let left = Mutex(request)
        device.link.hook = { [self] _ in
            let isNow = left.withLock { left in
                left -= 1
                return left == 0
            }
            guard isNow else { return }
            device.link.hook = nil
            try await type(word, on: device, note, 0)
            for other in others {
                try await type(word + "o\(other)", on: devices[other], note, 0)
                try await devices[other].sync.sync()
            }
        }
        try await device.sync.sync()
        device.link.hook = nil
    }

    /// Removes words from `typed` that are neither in these texts, which the server has kept, nor in an
    /// unsent edit.
    private func keepOnly(_ texts: [String: String]) async throws {
        var kept = Set(texts.values.flatMap { $0.split(separator: " ").map(String.init) })
        for device in devices { kept.formUnion(try await device.unsentWords()) }
        words.withLock { words in words.typed = words.typed.mapValues { $0.intersection(kept) } }
    }

    private func list(_ device: Device, _ note: Int) async throws -> [String] {
        try await device.text("n\(note)")?.split(separator: " ").map(String.init) ?? []
    }

    private func type(_ word: String, on device: Device, _ note: Int, _ place: Int) async throws {
        var list = try await list(device, note)
        list.insert(word, at: min(place, list.count))
        words.withLock { _ = $0.typed[note, default: []].insert(word) }
        try await device.write(list.joined(separator: " "), to: "n\(note)")
    }

    /// Brings all devices online and syncs them until nothing is left to send or fetch.
    func settle() async throws {
        for device in devices { device.link.isCut = false }
        // The first device that resumes a lost zone creates it again; the others find it in a later round.
        let rounds = server == nil ? 2 : 4
        for round in 1...rounds {
            for device in devices {
                if server != nil { try await device.resumeZones() }
                do {
                    try await device.sync.waitUntilIdle()
                } catch  where server != nil && round < rounds {
                    // A device may learn in this round that a zone is gone; the next round resumes the zone.
                }
                try await tags.look(at: device)
            }
        }
    }

    /// The errors in the final state, one per line.
    func faults() async throws -> [String] {
        var faults = tags.faults
        let server = try await state()
        for device in devices {
            let pending = try await device.pending()
            if !pending.isEmpty { faults.append("\(device.name) still has to send \(pending)") }
            let state = try await state(of: device)
            if state != server { faults.append("\(device.name) has \(state), the server \(server)") }
        }
        let (typed, gone) = words.withLock { $0 }
        for (note, words) in typed {
            let kept = (server["n\(note)"] ?? "").split(separator: " ").map(String.init)
            let lost = words.subtracting(gone).subtracting(kept)
            if !lost.isEmpty { faults.append("n\(note) lost \(lost.sorted())") }
            if self.server == nil, Set(kept).count < kept.count {
                faults.append("n\(note) has words twice: \(kept)")
            }
        }
        return faults
    }

    private func state(of device: Device) async throws -> [String: String] {
        try await device.replica.read { reader in
            let records =
                try reader.records(ofType: "Note", in: "Notes")
                + reader.records(ofType: "Receipt", in: "Notes")
            return Dictionary(uniqueKeysWithValues: records.map { ($0.id.name, Self.words($0)) })
        }
    }

    private static func words(_ record: ReplicaRecord) -> String {
        if case .string(let text)? = record[field: "text"] { return text }
        if case .int64(let number)? = record[field: "amount"] { return "\(number)" }
        return "?"
    }

    /// The server's state, read by an additional device that is always online.
    private func state() async throws -> [String: String] {
        let device = devices[0]
        let observer = try await device.world.container(
            SyncWorld.container, as: device.person, on: "observer")
        do {
            return try await Self.state(in: observer.privateCloudDatabase)
        } catch let error as CKError where error.code == .zoneNotFound {
            return [:]
        }
    }

    private static func state(in database: CKDatabase) async throws -> [String: String] {
        var state: [String: String] = [:]
        var token: CKServerChangeToken?
        while true {
            let page = try await database.recordZoneChanges(
                inZoneWith: CKRecordZone.ID(zoneName: "Notes"), since: token)
            for (id, result) in page.modificationResultsByID {
                let record = try result.get().record
                let amount = (record["amount"] as? Int).map { "\($0)" }
                state[id.recordName] = record["text"] as? String ?? amount ?? "?"
            }
            for deletion in page.deletions { state[deletion.recordID.recordName] = nil }
            token = page.changeToken
            if !page.moreComing { return state }
        }
    }
}
