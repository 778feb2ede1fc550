import CloudSync
import Cloudlet
import CloudletServer
import CloudletTesting
import Foundation
import LocalReplica
import Records
import Synchronization
import Testing

@testable import TestKit

/// A server that can be backed up, restored and reset, with the contents of its last backup.
final class LossyServer: Sendable {
    private struct State {
        var world: CloudletWorld
        /// The number of folders created so far.
        var count = 0
        var backup: URL?
        var texts: [String: String] = [:]
    }

    private let folder: URL
    private let state: Mutex<State>

    var world: CloudletWorld { state.withLock { $0.world } }

    private init(folder: URL, world: CloudletWorld) {
        self.folder = folder
        state = Mutex(State(world: world))
    }

    static func start() async throws -> LossyServer {
        let folder = URL.unused()
        let world = try await CloudletWorld.start(data: folder.appendingPathComponent("0"))
        return LossyServer(folder: folder, world: world)
    }

    func stop() async {
        await world.stop()
        folder.remove()
    }

    private func newFolder() -> URL {
        state.withLock { state in
            state.count += 1
            return folder.appendingPathComponent("\(state.count)")
        }
    }

    /// Backs up the data while the server runs.
    func backUp(holding texts: [String: String]) async throws {
        let backup = newFolder()
        try DataBackup.make(of: world.server.dataFolder, at: backup)
        state.withLock { ($0.backup, $0.texts) = (backup, texts) }
    }

    /// Restores the last backup and signs the devices in again. Returns the texts in the backup.
    func restore(_ devices: [Device]) async throws -> [String: String] {
        let (backup, texts) = state.withLock { ($0.backup, $0.texts) }
        let data = newFolder()
        try DataBackup.restore(try #require(backup), to: data)
        await world.stop()
        // Another seed: a restarted server does not repeat its random numbers.
        let seed = UInt64(state.withLock { $0.count }) + 1
        let restored = try await CloudletWorld.start(seed: seed, data: data)
        state.withLock { $0.world = restored }
        for device in devices { try await device.move(to: restored) }
        return texts
    }

    /// Deletes all records of the container, as an operator does during development.
    func reset() async throws -> [String: String] {
        let server = world.server
        let answer = try await server.transport.send(
            CloudRequest(
                .post, "/operator/1/containers/\(SyncWorld.container)/development/schema/reset",
                headers: ["Authorization": "Bearer \(server.operatorKey)"]))
        #expect(answer.status == 200)
        return [:]
    }
}

/// Records the fields under each change tag and checks that a change tag always belongs to the same fields.
final class TagBook: Sendable {
    private let state = Mutex<(texts: [String: Fields], faults: [String])>(([:], []))

    var faults: [String] { state.withLock { $0.faults } }

    /// Adds the server's versions that a device has stored.
    func look(at device: Device) async throws {
        let rows = try await device.replica.read { reader in
            try (0..<3).flatMap { ["n\($0)", "r\($0)"] }.compactMap {
                try reader.row(RecordID(name: $0, zone: "Notes"))
            }
        }
        state.withLock { state in
            for row in rows {
                guard let tag = row.tag, let fields = row.serverFields else { continue }
                let key = "\(row.id.name) \(tag)"
                let known = state.texts[key]
                if known == nil { state.texts[key] = fields }
                guard let known, known != fields else { continue }
                state.faults.append("two versions of \(key)")
            }
        }
    }
}

extension Device {
    /// The words of this device's edits that the server has not acknowledged.
    func unsentWords() async throws -> Set<String> {
        let rows = try await replica.read { reader in
            try (0..<3).compactMap { try reader.row(RecordID(name: "n\($0)", zone: "Notes")) }
        }
        return rows.filter { $0.change > 0 }.reduce(into: []) { words, row in
            words.formUnion(Self.words(row.fields).subtracting(Self.words(row.serverFields)))
        }
    }

    private static func words(_ fields: Fields?) -> Set<String> {
        guard case .string(let text)? = fields?["text"]?.value else { return [] }
        return Set(text.split(separator: " ").map(String.init))
    }

    /// Resumes the zones that the server lost, as a person does whose unsent edits wait for them.
    func resumeZones() async throws {
        _ = try await sync.sync()
        let closed = try await replica.read { try $0.zones() }.filter { $0.closure != nil }.map(\.name)
        for zone in closed { try await replica.write { try $0.resume(zone) } }
    }
}
