import Cloudlet
import CloudletTesting
import Foundation
import MirroredStore
import Records
import Testing

@testable import TestKit

@Suite("The records of objects, as other programs see them")
struct GoldenRecordsTests {
    /// A model with all kinds of attributes and relationships, and with inheritance.
    private static func layout() throws -> StoreLayout {
        try StoreLayout([
            .init(
                "Animal",
                attributes: [
                    .init("name", .string), .init("age", .integer64), .init("weight", .double),
                    .init("born", .date), .init("photo", .binaryData),
                    .init("secret", .string, isEncrypted: true),
                ],
                relationships: [.init("owner", to: "Person", inverse: "pets")]),
            .init("Dog", parent: "Animal", attributes: [.init("breed", .string)]),
            .init(
                "Person", attributes: [.init("name", .string)],
                relationships: [
                    .init("pets", to: "Animal", inverse: "owner", isToMany: true),
                    .init("passport", to: "Passport", inverse: "person"),
                    .init("clubs", to: "Club", inverse: "members", isToMany: true),
                ]),
            .init("Passport", relationships: [.init("person", to: "Person", inverse: "passport")]),
            .init(
                "Club",
                attributes: [
                    .init("name", .string),
                    .init("size", .integer32, isOptional: false, defaultValue: .int64(0)),
                ],
                relationships: [.init("members", to: "Person", inverse: "clubs", isToMany: true)]),
            .init(
                "Form",
                attributes: [
                    .init("amount", .decimal), .init("code", .transformable), .init("flag", .boolean),
                    .init("large", .integer32), .init("link", .uri), .init("part", .float),
                    .init("small", .integer16), .init("unique", .uuid),
                ]),
        ])
    }

    /// The records of a zone, fetched by plain HTTP: a line for each record and a line for each field,
    /// without the bytes of encrypted fields and the checksums of assets.
    private func records(
        _ device: MirroredDevice, in zoneName: String = homeZone.zoneName
    ) async throws -> [String] {
        let zone: JSON = ["zoneName": .string(zoneName)]
        let answer = try await device.post("changes/zone", ["zones": [["zoneID": zone]]])
        let records = answer["zones"][0]["records"].elements.filter { $0["recordType"].text != nil }
        return records.map { record in
            let fields = record["fields"]
            let lines = fields.keys.map { key in
                let field = fields[key]
                let type = field["type"].text ?? "no type"
                let isEncrypted = field["isEncrypted"] == true
                let value =
                    switch field["value"] {
                    case _ where isEncrypted || type == "ASSETID": "…"
                    case .string(let text): text
                    case .integer(let number): "\(number)"
                    case .double(let number): "\(number)"
                    default: "other"
                    }
                return "  \(key) \(isEncrypted ? "ENCRYPTED " : "")\(type) \(value)"
            }
            let head = "\(record["recordType"].text ?? "") \(record["recordName"].text ?? "")"
            return ([head] + lines).joined(separator: "\n")
        }.sorted()
    }

    @Test("A graph becomes exactly the documented records")
    func golden() async throws {
        try await withFolder { folder in
            try await CloudletWorld.run { world in
                let phone = try await MirroredDevice(
                    "phone", of: "alice", in: world, folder: folder, layout: try Self.layout())
                try await phone.store.write { objects in
                    var person = try objects.make("Person")
                    try person.set("name", to: "Ada")
                    try objects.save(person)
                    var dog = try objects.make("Dog")
                    try dog.set("name", to: "Rex")
                    try dog.set("age", to: Int64(3))
                    try dog.set("weight", to: 12.5)
                    try dog.set("born", to: Date(timeIntervalSince1970: 1_400_000_000))
                    try dog.set("photo", to: Data([1, 2, 3]))
                    try dog.set("secret", to: "afraid of cats")
                    try dog.set("breed", to: String(repeating: "w", count: 1_500))
                    try dog.relate("owner", to: person.id)
                    try objects.save(dog)
                    let passport = try objects.make("Passport")
                    try objects.save(passport)
                    try person.relate("passport", to: passport.id)
                    try objects.save(person)
                    let club = try objects.make("Club")
                    try objects.save(club)
                    try objects.link(person.id, "clubs", club.id)
                    var form = try objects.make("Form")
                    try form.set("amount", to: 12.25)
                    try form.set("code", to: Data([4, 5, 6]))
                    try form.set("flag", to: Int64(1))
                    try form.set("large", to: Int64(-2_000_000_000))
                    try form.set("link", to: "https://example.org/a")
                    try form.set("part", to: 0.5)
                    try form.set("small", to: Int64(-3))
                    try form.set("unique", to: "8B9F4B2E-6C0A-4E58-9D4D-2A9E3B1C7F60")
                    try objects.save(form)
                }
                try await phone.store.mirror()
                let expected = [
                    """
                    CDMR PAIR
                      CD_entityNames STRING Club:Person
                      CD_recordNames STRING phone-4:phone-1
                      CD_relationships STRING members:clubs
                    """,
                    """
                    CD_Animal phone-2
                      CD_age INT64 3
                      CD_born TIMESTAMP 1400000000000
                      CD_breed_ckAsset ASSETID …
                      CD_entityName STRING Dog
                      CD_name STRING Rex
                      CD_owner STRING phone-1
                      CD_photo BYTES AQID
                      CD_secret ENCRYPTED STRING …
                      CD_weight DOUBLE 12.5
                    """,
                    """
                    CD_Club phone-4
                      CD_entityName STRING Club
                      CD_size INT64 0
                    """,
                    """
                    CD_Form phone-5
                      CD_amount DOUBLE 12.25
                      CD_code BYTES BAUG
                      CD_entityName STRING Form
                      CD_flag INT64 1
                      CD_large INT64 -2000000000
                      CD_link STRING https://example.org/a
                      CD_part DOUBLE 0.5
                      CD_small INT64 -3
                      CD_unique STRING 8B9F4B2E-6C0A-4E58-9D4D-2A9E3B1C7F60
                    """,
                    """
                    CD_Passport phone-3
                      CD_entityName STRING Passport
                      CD_person STRING phone-1
                    """,
                    """
                    CD_Person phone-1
                      CD_entityName STRING Person
                      CD_name STRING Ada
                      CD_passport STRING phone-3
                    """,
                ]
                var found = try await records(phone)
                let pair = try #require(found.first?.split(separator: "\n").first?.dropFirst("CDMR ".count))
                #expect(UUID(uuidString: String(pair)) != nil)
                found[0] = found[0].replacingOccurrences(of: pair, with: "PAIR")
                #expect(found == expected)
            }
        }
    }

    @Test("A record that moves into a share keeps all its fields, and names its former zone")
    func moved() async throws {
        try await withFolder { folder in
            try await CloudletWorld.run { world in
                let phone = try await MirroredDevice(
                    "phone", of: "alice", in: world, folder: folder, layout: try Self.layout())
                let club = try await phone.insert("Club") { try $0.set("name", to: "Rings") }
                try await phone.store.mirror()
                let (_, share, _) = try await phone.store.share([club], to: nil)
                try await phone.store.mirror()
                let zone = share.recordID.zoneID.zoneName
                let home = try await records(phone)
                let there = try await records(phone, in: zone).filter { $0.hasPrefix("CD_") }
                let receipt = try #require(there.first?.firstMatch(of: /CD_moveReceipt BYTES (\S+)/)?.1)
                let text = String(decoding: try #require(Data(base64Encoded: String(receipt))), as: UTF8.self)
                let place = "\"from\":\"\(homeZone.zoneName)\""
                #expect(home == [])
                #expect(text.contains(place), "\(text)")
                #expect(
                    there == [
                        """
                        CD_Club \(club.name)
                          CD_entityName STRING Club
                          CD_moveReceipt BYTES \(receipt)
                          CD_name STRING Rings
                          CD_size INT64 0
                        """
                    ])
            }
        }
    }

    @Test("Records that a program writes by plain HTTP appear as objects with their relationships")
    func plain() async throws {
        try await withFolder { folder in
            try await CloudletWorld.run { world in
                let phone = try await MirroredDevice(
                    "phone", of: "alice", in: world, folder: folder, layout: try Self.layout())
                try await phone.store.mirror()
                func creation(_ type: String, _ name: String, _ fields: [String: String]) -> JSON {
                    let values = fields.mapValues { ["value": .string($0), "type": "STRING"] as JSON }
                    return [
                        "operationType": "create",
                        "record": [
                            "recordType": .string(type), "recordName": .string(name),
                            "fields": .object(values),
                        ],
                    ]
                }
                let answer = try await phone.post(
                    "records/modify",
                    [
                        "zoneID": ["zoneName": .string(homeZone.zoneName)],
                        "operations": [
                            creation(
                                "CD_Animal", "D",
                                ["CD_entityName": "Dog", "CD_owner": "P", "CD_breed": "pug"]),
                            creation("CD_Person", "P", ["CD_entityName": "Person", "CD_name": "Ada"]),
                            creation("CD_Club", "C", ["CD_entityName": "Club"]),
                            creation(
                                "CDMR", "any name",
                                [
                                    "CD_entityNames": "Club:Person", "CD_recordNames": "C:P",
                                    "CD_relationships": "members:clubs",
                                ]),
                            creation(
                                "CDMR", "not valid",
                                [
                                    "CD_entityNames": "Club:Person", "CD_recordNames": "C",
                                    "CD_relationships": "members:clubs",
                                ]),
                        ],
                    ])
                #expect(answer["records"].texts("serverErrorCode") == [nil, nil, nil, nil, nil])
                try await phone.store.mirror()
                let person = MirroredObject.ID(root: "Person", name: "P")
                let (name, pets, clubs) = try await phone.store.read { reader in
                    (
                        try reader.object(person)?.get("name", as: String.self),
                        try reader.related(person, "pets").map { [$0.entity, $0.get("breed") ?? ""] },
                        try reader.related(person, "clubs").map(\.id.name)
                    )
                }
                #expect(name == "Ada")
                #expect(pets == [["Dog", "pug"]])
                #expect(clubs == ["C"])
                #expect(try await phone.store.importFailures().map(\.name) == ["not valid"])
            }
        }
    }

    @Test("A pair that names inheriting entities equals the pair that names the declaring entities")
    func inherited() async throws {
        try await withFolder { folder in
            try await CloudletWorld.run { world in
                let phone = try await MirroredDevice("phone", of: "alice", in: world, folder: folder)
                let draft = try await phone.insert("Draft")
                let tag = try await phone.insert("Tag")
                try await phone.store.mirror()
                let pair = CKRecord(
                    recordType: "CDMR", recordID: CKRecord.ID(recordName: "theirs", zoneID: homeZone))
                pair["CD_entityNames"] = "Draft:Tag"
                pair["CD_recordNames"] = "\(draft.name):\(tag.name)"
                pair["CD_relationships"] = "tags:posts"
                _ = try await phone.cloud.privateCloudDatabase.save(pair)
                try await phone.store.mirror()
                let posts = try await phone.store.read { try $0.related(tag, "posts").map(\.id) }
                #expect(posts == [draft])
                try await phone.store.write { try $0.unlink(draft, "tags", tag) }
                try await phone.store.mirror()
                let left = try await serverRecords(phone.cloud.privateCloudDatabase).map(\.recordType)
                #expect(left.contains("CDMR") == false)
            }
        }
    }
}
