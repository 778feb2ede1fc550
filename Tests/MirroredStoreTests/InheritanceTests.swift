import Cloudlet
import CloudletTesting
import Foundation
import MirroredStore
import Records
import Testing

@testable import TestKit

@Suite("Entities that inherit from one root")
struct InheritanceTests {
    /// Dogs and cats each declare a relationship `home`, with a different target and a different inverse.
    private static func layout() throws -> StoreLayout {
        try StoreLayout([
            .init("Animal", attributes: [.init("name", .string)]),
            .init("Dog", parent: "Animal", relationships: [.init("home", to: "House", inverse: "dogs")]),
            .init("Cat", parent: "Animal", relationships: [.init("home", to: "Basket", inverse: "cat")]),
            .init("Place", attributes: [.init("name", .string)]),
            .init(
                "House", parent: "Place",
                relationships: [.init("dogs", to: "Dog", inverse: "home", isToMany: true)]),
            .init("Basket", parent: "Place", relationships: [.init("cat", to: "Cat", inverse: "home")]),
        ])
    }

    @Test("To-one relationships of the same name in two sub-entities are independent")
    func sameName() async throws {
        try await withFolder { folder in
            try await CloudletWorld.run { world in
                let devices = [
                    try await MirroredDevice(
                        "phone", of: "alice", in: world, folder: folder, layout: try Self.layout()),
                    try await MirroredDevice(
                        "tablet", of: "alice", in: world, folder: folder, layout: try Self.layout()),
                ]
                let (phone, tablet) = (devices[0], devices[1])
                let house = try await phone.insert("House")
                let basket = try await phone.insert("Basket")
                let dog = try await phone.insert("Dog") { try $0.relate("home", to: house) }
                let cat = try await phone.insert("Cat") { try $0.relate("home", to: basket) }
                for device in [phone, tablet, phone] { try await device.store.mirror() }
                for device in devices {
                    let (dogs, home) = try await device.store.read { reader in
                        (
                            try reader.related(house, "dogs").map(\.id),
                            try reader.related(cat, "home").map(\.id)
                        )
                    }
                    #expect(dogs == [dog])
                    #expect(home == [basket])
                }
                // Another program saves the house as the cat's home. The cat must not appear among its dogs.
                let records = try await serverRecords(tablet.cloud.privateCloudDatabase)
                let ofCat = records.first { $0.recordID.recordName == cat.name }
                let record = try #require(ofCat)
                record["CD_home"] = house.name
                _ = try await tablet.cloud.privateCloudDatabase.save(record)
                for device in [phone, tablet, phone] { try await device.store.mirror() }
                let found = try await phone.store.read { try $0.related(house, "dogs").map(\.id) }
                #expect(found == [dog])
                try await phone.store.write { try $0.delete(house) }
                let left = try await phone.store.read { reader in
                    (try reader.object(dog)?.target("home"), try reader.object(cat)?.id)
                }
                #expect(left.0 == nil)
                #expect(left.1 == cat)
            }
        }
    }
}
