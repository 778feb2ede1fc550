import Cloudlet
import CloudletTesting
import Foundation
import MirroredStore
import Records
import Testing

@testable import TestKit

@Suite("Random lives of mirrored stores")
struct RandomLivesTests {
    /// The number of seeds, small so that the suite is quick. Set `CLOUDLET_SEEDS=500` for more.
    static let seeds = UInt64(ProcessInfo.processInfo.environment["CLOUDLET_SEEDS"] ?? "") ?? 6
    static let first = UInt64(ProcessInfo.processInfo.environment["CLOUDLET_SEED"] ?? "") ?? 1

    @Test("Graphs that two devices edit at random, offline and with kills, become equal")
    func converges() async throws {
        try await withFolder { folder in
            try await CloudletWorld.run { world in
                for seed in Self.first..<Self.first + Self.seeds {
                    try await Self.live(seed, world, folder)
                }
            }
        }
    }

    private static func live(_ seed: UInt64, _ world: CloudletWorld, _ folder: URL) async throws {
        var random = SeededNumbers(seed: seed)
        var devices: [MirroredDevice] = []
        for name in ["phone", "tablet"] {
            devices.append(try await MirroredDevice(name, of: "life\(seed)", in: world, folder: folder))
        }
        for _ in 0..<40 {
            let device = devices[Int.random(in: 0..<2, using: &random)]
            switch Int.random(in: 0..<14, using: &random) {
            case 0: device.link.isCut.toggle()
            case 1: try device.kill()
            case 2, 3: try await device.store.mirror()
            case 4, 5, 6: try await mirrorInTrouble(device, &random)
            default: try await edit(device, &random)
            }
        }
        for device in devices { device.link.isCut = false }
        for _ in 0..<3 { for device in devices { try await device.store.mirror() } }
        let graphs = [try await devices[0].graph(), try await devices[1].graph()]
        #expect(graphs[0] == graphs[1], "CLOUDLET_SEED=\(seed) CLOUDLET_SEEDS=1 repeats this")
        let records = try await serverRecords(devices[0].cloud.privateCloudDatabase)
        let objects = Set(records.filter { $0.recordType != "CDMR" }.map(\.recordID.recordName))
        #expect(objects.count == graphs[0].count, "CLOUDLET_SEED=\(seed): records without objects")
        for pair in records where pair.recordType == "CDMR" {
            let names = (pair["CD_recordNames"] as? String ?? "").split(separator: ":").map(String.init)
            #expect(objects.isSuperset(of: names), "CLOUDLET_SEED=\(seed): \(names) lacks an end")
        }
        for record in records {
            for key in record.allKeys() where key.hasSuffix("_ckAsset") {
                let plain = String(key.dropLast("_ckAsset".count))
                #expect(record[plain] == nil, "CLOUDLET_SEED=\(seed): \(plain) is in both fields")
            }
        }
    }

    /// Mirrors a device, and lets a random fault occur meanwhile.
    static func mirrorInTrouble(_ device: MirroredDevice, _ random: inout SeededNumbers) async throws {
        let trouble = Trouble.allCases[Int.random(in: 0..<Trouble.allCases.count, using: &random)]
        let count = Int.random(in: 0..<12, using: &random)
        try await device.attempt(trouble, after: count) { _ = try await $0.mirror() }
    }

    /// Makes a random change of the objects of a device.
    static func edit(_ device: MirroredDevice, _ random: inout SeededNumbers) async throws {
        let (kind, pick, other) = (
            Int.random(in: 0..<12, using: &random), Int.random(in: 0..<100, using: &random),
            Int.random(in: 0..<100, using: &random)
        )
        let length = [1, 800, 1_200, 1_900][Int.random(in: 0..<4, using: &random)]
        let text = String(repeating: "\(other % 10)", count: length)
        try await device.store.write { objects in
            func pickOne(_ entity: String, _ pick: Int) throws -> MirroredObject? {
                let all = try objects.reader.objects(entity)
                return all.isEmpty ? nil : all[pick % all.count]
            }
            let entity = ["Post", "Tag", "Attachment", "Cover", "Draft"][pick % 5]
            switch kind {
            case 0, 1:
                var object = try objects.make(entity)
                if entity == "Attachment" { try object.relate("post", to: try pickOne("Post", other)?.id) }
                try objects.save(object)
            case 2, 3:
                guard var post = try pickOne("Post", pick) else { return }
                try post.set(other % 2 == 0 ? "title" : "content", to: text)
                try objects.save(post)
            case 4:
                guard let post = try pickOne("Post", pick), let tag = try pickOne("Tag", other) else {
                    return
                }
                try objects.link(post.id, "tags", tag.id)
            case 5:
                guard let post = try pickOne("Post", pick) else { return }
                guard let tag = try objects.reader.related(post.id, "tags").first else { return }
                try objects.unlink(post.id, "tags", tag.id)
            case 6:
                guard var attachment = try pickOne("Attachment", pick) else { return }
                try attachment.relate("post", to: try pickOne("Post", other)?.id)
                try objects.save(attachment)
            case 7:
                guard var post = try pickOne("Post", pick) else { return }
                try post.relate("cover", to: try pickOne("Cover", other)?.id)
                try objects.save(post)
            case 8, 9, 10: try setValue(objects, kind, pick, other, text)
            default:
                if let object = try pickOne(entity, other) { try objects.delete(object.id) }
            }
        }
    }

    /// Sets a number or a date of a post, the name of a tag, or the data of an attachment.
    private static func setValue(
        _ objects: ObjectWriter, _ kind: Int, _ pick: Int, _ other: Int, _ text: String
    ) throws {
        let all = try objects.reader.objects(["Post", "Tag", "Attachment"][kind - 8])
        guard !all.isEmpty else { return }
        var object = all[pick % all.count]
        switch kind {
        case 8 where other % 2 == 0: try object.set("stars", to: Int64(other))
        case 8: try object.set("date", to: Date(timeIntervalSince1970: Double(other)))
        case 9: try object.set("name", to: text)
        default: try object.set("data", to: other % 5 == 0 ? nil : Data(text.utf8))
        }
        try objects.save(object)
    }
}
