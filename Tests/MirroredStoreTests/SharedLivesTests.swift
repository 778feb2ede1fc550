import Cloudlet
import CloudletTesting
import Foundation
import MirroredStore
import Records
import Synchronization
import Testing

@testable import TestKit

@Suite("Random lives of mirrored stores with shares")
struct SharedLivesTests {
    private static let seeds = UInt64(ProcessInfo.processInfo.environment["CLOUDLET_SEEDS"] ?? "") ?? 4
    private static let first = UInt64(ProcessInfo.processInfo.environment["CLOUDLET_SEED"] ?? "") ?? 1

    @Test("Graphs that two people edit and share at random become equal, and no record is left behind")
    func converges() async throws {
        try await withFolder { folder in
            try await CloudletWorld.run { world in
                for seed in Self.first..<Self.first + Self.seeds {
                    var life = try await SharedLife(seed, world, folder)
                    try await life.run()
                    try await life.check()
                }
            }
        }
    }
}

/// Two devices of an owner, and a guest's device whose store has the objects that the owner shares.
private struct SharedLife {
    let owned: [MirroredDevice]
    let guest: MirroredDevice
    private var random: SeededNumbers
    private let comment: Comment
    /// The shares that the guest has not accepted yet.
    private var invitations: [URL] = []

    init(_ seed: UInt64, _ world: CloudletWorld, _ folder: URL) async throws {
        random = SeededNumbers(seed: seed)
        comment = "CLOUDLET_SEED=\(seed) CLOUDLET_SEEDS=1 repeats this"
        owned = [
            try await MirroredDevice("phone", of: "owner\(seed)", in: world, folder: folder),
            try await MirroredDevice("tablet", of: "owner\(seed)", in: world, folder: folder),
        ]
        guest = try await MirroredDevice(
            "laptop", of: "guest\(seed)", in: world, folder: folder, scope: .shared)
    }

    private var devices: [MirroredDevice] { owned + [guest] }

    mutating func run() async throws {
        for _ in 0..<60 {
            let device = devices[Int.random(in: 0..<3, using: &random)]
            switch Int.random(in: 0..<16, using: &random) {
            case 0: device.link.isCut.toggle()
            case 1: try device.kill()
            case 2, 3: try await device.store.mirror()
            case 4, 7, 8: try await RandomLivesTests.mirrorInTrouble(device, &random)
            case 5: try await share(on: owned[Int.random(in: 0..<2, using: &random)])
            case 6: try await accept()
            default: try await edit(device)
            }
        }
        for device in devices { device.link.isCut = false }
        for _ in 0..<2 { for device in owned { try await device.store.mirror() } }
        try await inviteAgain()
        try await accept()
        for _ in 0..<4 { for device in devices { try await device.store.mirror() } }
    }

    /// Changes objects at random. Ignores the errors of random changes that cannot succeed: an object of no
    /// share in the store of shared objects, an object of two shares, or a file that has not arrived.
    private mutating func edit(_ device: MirroredDevice) async throws {
        do {
            try await RandomLivesTests.edit(device, &random)
        } catch let error as MirroredStoreError
            where [.notPlaced, .alreadyShared, .lacksFile].contains(error.code)
        {}
    }

    private mutating func share(on device: MirroredDevice) async throws {
        let pick = Int.random(in: 0..<100, using: &random)
        let posts = try await device.store.read { try $0.objects("Post").map(\.id) }
        guard !device.link.isCut, !posts.isEmpty else { return }
        let post = posts[pick % posts.count]
        let trouble = Trouble.allCases[Int.random(in: 0..<Trouble.allCases.count, using: &random)]
        // With a large number, the call ends before its fault occurs.
        let count = Int.random(in: 0..<20, using: &random)
        let urls = Mutex<[URL]>([])
        try await device.attempt(trouble, after: count) { store in
            do {
                let (_, share, _) = try await store.share([post], to: nil)
                share.publicPermission = .readWrite
                let saved = try await store.persistUpdatedShare(share)
                if let url = saved.url { urls.withLock { $0.append(url) } }
            } catch let error as MirroredStoreError where [.alreadyShared, .lacksFile].contains(error.code) {}
        }
        invitations += urls.withLock { $0 }
    }

    /// Invites the guest to all shares, because a fault may have ended `share` before the invitation.
    private mutating func inviteAgain() async throws {
        let store = owned[0].store
        let ids = try await store.read { reader in
            try ["Post", "Tag", "Attachment", "Cover"].flatMap { try reader.objects($0).map(\.id) }
        }
        let all = try await store.fetchShares(matching: ids).values
        let shares = Dictionary(all.map { ($0.recordID, $0) }, uniquingKeysWith: { first, _ in first })
        for share in shares.values.sorted(by: { $0.recordID.zoneID.zoneName < $1.recordID.zoneID.zoneName }) {
            share.publicPermission = .readWrite
            if let url = try await store.persistUpdatedShare(share).url { invitations.append(url) }
        }
    }

    private mutating func accept() async throws {
        if guest.link.isCut { return }
        for url in invitations {
            try await guest.store.acceptShareInvitations(from: [try await guest.cloud.shareMetadata(for: url)]
            )
        }
        invitations = []
    }

    func check() async throws {
        let graph = try await owned[0].graph()
        #expect(try await owned[1].graph() == graph, comment)
        let ids = try await owned[0].store.read { reader in
            try ["Post", "Tag", "Attachment", "Cover"].flatMap { try reader.objects($0).map(\.id) }
        }
        let shared = Set(try await owned[0].store.fetchShares(matching: ids).keys.map(\.name))
        let expected = graph.filter { line in
            line.split(separator: " ").dropFirst().first.map { shared.contains(String($0)) } ?? false
        }
        #expect(try await guest.graph() == expected, comment)
        let records = try await serverRecords(owned[0].cloud.privateCloudDatabase)
            .filter { $0.recordType != "cloudkit.share" }
        let names = records.map(\.recordID.recordName)
        #expect(names.count == Set(names).count, comment)
        let objects = Set(records.filter { $0.recordType != "CDMR" }.map(\.recordID.recordName))
        #expect(objects == Set(ids.map(\.name)), comment)
        for pair in records where pair.recordType == "CDMR" {
            let ends = (pair["CD_recordNames"] as? String ?? "").split(separator: ":").map(String.init)
            #expect(objects.isSuperset(of: ends), comment)
        }
    }
}
