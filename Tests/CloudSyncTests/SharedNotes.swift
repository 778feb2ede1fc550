import CloudSync
import Cloudlet
import CloudletTesting
import Foundation
import LocalReplica
import Testing

/// A zone with a root note that its owner shares with a guest. Both change the share through connections that
/// are always online, unlike those of their devices.
struct SharedNotes: Sendable {
    let world: CloudletWorld
    let owner: CKContainer
    let guest: CKContainer
    /// The zone as the guest's devices name it. The owner's devices name it `Notes` without an owner.
    let zone: ZoneID

    static let zoneID = CKRecordZone.ID(zoneName: "Notes")
    static let ownZone = ZoneID(name: "Notes")
    private static let rootID = CKRecord.ID(recordName: "root", zoneID: zoneID)

    init(of owner: String, with guest: String) async throws {
        let world = try await SyncWorld.world()
        self.world = world
        let container = try await world.container(SyncWorld.container, as: owner, on: "host")
        self.owner = container
        self.guest = try await world.container(SyncWorld.container, as: guest, on: "host")
        zone = ZoneID(name: "Notes", owner: try await container.userRecordID().recordName)
    }

    /// The share of the root; nil if it is not shared.
    func share() async throws -> CKShare? {
        let root = try await owner.privateCloudDatabase.record(for: Self.rootID)
        guard let reference = root.share else { return nil }
        return try await owner.privateCloudDatabase.record(for: reference.recordID) as? CKShare
    }

    /// Shares the root with the guest, who accepts; saves the root first if it is missing.
    func open(_ permission: CKShare.ParticipantPermission = .readWrite) async throws {
        let root = try await root()
        guard root.share != nil, let share = try await share() else {
            try await world.share(root, of: owner, with: [guest], permission: permission)
            return
        }
        let id = try await guest.userRecordID()
        share.addParticipant(CKShareParticipant(userRecordID: id, permission: permission))
        _ = try await owner.privateCloudDatabase.save(share)
        let url = try #require(share.url)
        try await guest.accept(try await guest.shareMetadata(for: url))
    }

    /// The root on the server; a new record if there is none.
    private func root() async throws -> CKRecord {
        do {
            return try await owner.privateCloudDatabase.record(for: Self.rootID)
        } catch let error as CKError where error.code == .unknownItem || error.code == .zoneNotFound {
            let root = CKRecord(recordType: "Note", recordID: Self.rootID)
            root["text"] = "root"
            return root
        }
    }

    /// The guest leaves.
    func leave() async throws {
        guard let share = try await share() else { return }
        let owner = try await owner.userRecordID().recordName
        let zoneID = CKRecordZone.ID(zoneName: "Notes", ownerName: owner)
        let id = CKRecord.ID(recordName: share.recordID.recordName, zoneID: zoneID)
        try await guest.sharedCloudDatabase.deleteRecord(withID: id)
    }

    /// The owner removes the guest.
    func remove() async throws {
        guard let share = try await share(),
            let guest = share.participants.first(where: { $0.role != .owner })
        else { return }
        share.removeParticipant(guest)
        _ = try await owner.privateCloudDatabase.save(share)
    }

    /// The owner stops sharing.
    func stop() async throws {
        guard let share = try await share() else { return }
        try await owner.privateCloudDatabase.deleteRecord(withID: share.recordID)
    }
}

extension Device {
    /// Saves a note below the shared root.
    func write(_ text: String, to name: String, in zone: ZoneID) async throws {
        try await replica.write { writer in
            let id = RecordID(name: name, zone: zone)
            var note = try writer.reader.record(id) ?? ReplicaRecord(type: "Note", id: id)
            note[field: "text"] = .string(text)
            if name != "root" { note.parent = "root" }
            try writer.save(note)
        }
    }

    /// Changes a note, which is created if it is missing.
    func change(
        _ name: String, in zone: ZoneID, _ edit: @escaping @Sendable (inout ReplicaRecord) -> Void
    ) async throws {
        try await replica.write { writer in
            let id = RecordID(name: name, zone: zone)
            var note = try writer.reader.record(id) ?? ReplicaRecord(type: "Note", id: id)
            edit(&note)
            try writer.save(note)
        }
    }

    /// The text of a note on this device; nil if the note does not exist.
    func text(_ name: String, in zone: ZoneID) async throws -> String? {
        let record = try await replica.read { try $0.record(RecordID(name: name, zone: zone)) }
        guard case .string(let text)? = record?[field: "text"] else { return nil }
        return text
    }
}
