import Cloudlet
import CloudletTesting
import Foundation
import MirroredStore
import ObjectModel
import Records
import Testing

@testable import TestKit

/// Mirrors the sample model of a dozen entities: every type of attribute, inheritance, every kind of
/// relationship, three configurations.
@Suite("A model file of a dozen entities")
struct CircusTests {
    /// The number of objects, small so that the suite is quick. Set `CLOUDLET_OBJECTS=10000` for more.
    private static let count =
        Int(ProcessInfo.processInfo.environment["CLOUDLET_OBJECTS"] ?? "") ?? 400

    private func stores(
        _ device: String, in world: CloudletWorld, _ folder: URL
    ) async throws -> MirroredStores {
        let model = try ModelFile(
            at: URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
                .deletingLastPathComponent().appendingPathComponent("Data/Models/Circus.xcdatamodeld"))
        let connection = try await world.connection(of: "alice", on: device)
        let clock = WorldClock(WorldClock.beginning)
        let numbers = Numbers(number: 0)
        var settings = MirroredStore.Settings(
            now: { clock.now }, newName: { "\(device)-\(numbers.next())" },
            pause: { clock.advance(bySeconds: $0 / .seconds(1)) })
        settings.subscribes = false
        settings.longValue = 1_000
        settings.recordBytes = 2_000
        return try MirroredStores(
            folder: folder.appendingPathComponent(device),
            [
                StoreDescription(
                    "Cloud", layout: try model.layout(configuration: "Cloud"),
                    container: CKContainer(identifier: MirroredDevice.container, connection: connection)),
                StoreDescription("Local", layout: try model.layout(configuration: "Local")),
                StoreDescription(
                    "Sensors", layout: try model.layout(configuration: "Sensors"),
                    container: CKContainer(identifier: "iCloud.org.example.sensors", connection: connection)),
            ], settings: settings)
    }

    @Test("Thousands of related objects of all entities arrive on a second device as an equal graph")
    func mirrors() async throws {
        try await withFolder { folder in
            try await CloudletWorld.run { world in
                let (phone, tablet) = (
                    try await stores("phone", in: world, folder),
                    try await stores("tablet", in: world, folder)
                )
                var random = SeededNumbers(seed: 21)
                for store in phone.stores {
                    var left = store.identifier == "Cloud" ? Self.count : Self.count / 20
                    while left > 0 {
                        let (seed, next) = (random.next(), min(200, left))
                        try await store.write { try Self.fill($0, next, store.layout, seed) }
                        left -= next
                    }
                }
                try await phone.mirror()
                try await tablet.mirror()
                for (here, there) in zip(phone.stores, tablet.stores) {
                    let expected = here.container == nil ? [] : try await Self.graph(here)
                    let found = try await Self.graph(there)
                    #expect(found.count == expected.count, "in \(here.identifier)")
                    let difference = zip(found, expected).first { $0 != $1 }
                    #expect(difference == nil, "in \(here.identifier)")
                    #expect(try await there.importFailures() == [])
                    let missing = Set(here.layout.entities.values.filter { !$0.isAbstract }.map(\.name))
                        .subtracting(
                            try await here.read { reader in
                                try here.layout.roots.flatMap { try reader.objects($0).map(\.entity) }
                            })
                    #expect(missing == [], "entities without objects in \(here.identifier)")
                }
                let cloud = try phone.store("Cloud")
                let objects = try await Self.graph(cloud).count
                #expect(objects == Self.count)
            }
        }
    }

    /// Inserts objects of random entities with random values, and relates them at random.
    private static func fill(
        _ objects: ObjectWriter, _ count: Int, _ layout: StoreLayout, _ seed: UInt64
    ) throws {
        var random = SeededNumbers(seed: seed)
        let entities = layout.entities.values.filter { !$0.isAbstract }.map(\.name).sorted()
        var made: [MirroredObject] = []
        for number in 0..<count {
            var object = try objects.make(entities[number % entities.count])
            for attribute in try layout.entity(object.entity).attributes {
                if attribute.isOptional, Int.random(in: 0..<4, using: &random) == 0 { continue }
                try object.set(attribute.name, to: value(of: attribute.type, &random))
            }
            made.append(object)
        }
        for object in made { try objects.save(object) }
        for object in made {
            for relationship in try layout.entity(object.entity).relationships {
                let family = try layout.entity(relationship.target).family
                let targets = made.filter { family.contains($0.entity) }
                for _ in 0..<Int.random(in: 0...2, using: &random) where !targets.isEmpty {
                    let target = targets[Int.random(in: 0..<targets.count, using: &random)]
                    try objects.link(object.id, relationship.name, target.id)
                }
            }
        }
    }

    private static func value(
        of type: StoreLayout.AttributeType, _ random: inout SeededNumbers
    ) -> any FieldConvertible {
        let number = random.next()
        // Some values exceed `longValue` (1,000 bytes here), so that they become assets.
        let length = number % 7 == 0 ? 1_500 : Int(number % 30)
        return switch type {
        case .integer16: Int64(Int16(truncatingIfNeeded: number))
        case .integer32: Int64(Int32(truncatingIfNeeded: number))
        case .integer64: Int64(truncatingIfNeeded: number)
        case .boolean: Int64(number % 2)
        case .decimal, .double: Double(number % 1_000_000) / 64
        case .float: Double(Float(number % 1_000) / 8)
        case .date: Date(timeIntervalSince1970: Double(number % 2_000_000_000))
        case .uuid: "00000000-0000-4000-8000-" + String(number % 900_000_000_000 + 100_000_000_000)
        case .uri: "https://example.org/\(number)"
        case .binaryData, .transformable: Data(repeating: UInt8(number % 256), count: length)
        case .string, .undefined, .objectID, .composite: String(repeating: "clöwn ", count: length / 6)
        }
    }

    /// All objects with their values and relationships, one per line.
    private static func graph(_ store: MirroredStore) async throws -> [String] {
        let layout = store.layout
        return try await store.read { reader in
            try layout.roots.flatMap { try reader.objects($0) }.map { object in
                let values = object.values.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
                let related = try layout.entity(object.entity).relationships.map { relationship in
                    let ends = try reader.related(object.id, relationship.name).map(\.id.name)
                    return "\(relationship.name)->\(ends.joined(separator: ","))"
                }
                return ([object.entity, object.id.name] + values + related).joined(separator: " ")
            }
        }
    }
}
