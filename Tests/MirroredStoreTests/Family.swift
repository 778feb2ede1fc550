import CloudSync
import Cloudlet
import CloudletTesting
import Foundation
import MirroredStore
import Testing

@testable import TestKit

/// Two devices of Alice, and a device of Bob whose store has scope `.shared`.
struct Family {
    let phone: MirroredDevice
    let tablet: MirroredDevice
    let bob: MirroredDevice

    /// Shares a post with Bob, who accepts.
    @discardableResult
    func share(
        _ post: MirroredObject.ID, _ permission: CKShare.ParticipantPermission = .readWrite
    ) async throws -> CKShare {
        let (_, share, container) = try await phone.store.share([post], to: nil)
        let bob = try await container.shareParticipant(forEmailAddress: "bob@example.org")
        bob.permission = permission
        share.addParticipant(bob)
        let saved = try await phone.store.persistUpdatedShare(share)
        let url = try #require(saved.url)
        try await self.bob.store.acceptShareInvitations(from: [
            try await self.bob.cloud.shareMetadata(for: url)
        ])
        return saved
    }

    func mirrorAll() async throws {
        for _ in 0..<2 {
            for device in [phone, tablet, bob] { try await device.store.mirror() }
        }
    }

    static func run(_ body: (Family) async throws -> Void) async throws {
        try await withFolder { folder in
            try await CloudletWorld.run { world in
                try await world.setAccount("bob", email: "bob@example.org")
                try await body(
                    Family(
                        phone: MirroredDevice("phone", of: "alice", in: world, folder: folder),
                        tablet: MirroredDevice("tablet", of: "alice", in: world, folder: folder),
                        bob: MirroredDevice("laptop", of: "bob", in: world, folder: folder, scope: .shared)))
            }
        }
    }
}

func change(
    _ device: MirroredDevice, _ id: MirroredObject.ID, _ name: String, _ value: String
) async throws {
    try await device.store.write { objects in
        var object = try #require(try objects.reader.object(id))
        try object.set(name, to: value)
        try objects.save(object)
    }
}

func title(_ id: MirroredObject.ID, on device: MirroredDevice) async throws -> String? {
    try await device.store.read { try $0.object(id)?.get("title", as: String.self) }
}

/// Each record on the server as `ZONE TYPE NAME`, where the zone is "home" or "share".
func places(_ device: MirroredDevice) async throws -> [String] {
    try await serverRecords(device.cloud.privateCloudDatabase).map { record in
        let isHome = record.recordID.zoneID.zoneName == homeZone.zoneName
        return "\(isHome ? "home" : "share") \(record.recordType) \(record.recordID.recordName)"
    }
}
