import CloudSync
import Cloudlet
import CloudletServer
import CloudletTesting
import Foundation
import MirroredStore
import Records
import RecordsWire
import Testing

@testable import TestKit

@Suite("A mirrored store with a data model from a file")
struct ModelStoreTests {
    private static let circus = URL.package.appending(path: "Data/Models/Circus.xcdatamodeld")
    private static let container = "iCloud.org.example.circus"

    private struct Device {
        let cloud: CKContainer
        let store: MirroredStore

        init(
            _ name: String, in world: CloudletWorld, folder: URL, layout: StoreLayout? = nil,
            isMirrored: Bool = true, configuration: String = "Cloud"
        ) async throws {
            let connection = try await world.connection(of: "alice", on: name)
            cloud = CKContainer(identifier: ModelStoreTests.container, connection: connection)
            let numbers = Numbers(number: 0)
            let clock = world.clock
            var settings = MirroredStore.Settings(
                now: { clock.now }, newName: { "\(name)-\(numbers.next())" },
                pause: { clock.advance(bySeconds: $0 / .seconds(1)) })
            settings.subscribes = false
            settings.longValue = 1_000
            let place = folder.appendingPathComponent(name)
            store =
                if let layout {
                    try MirroredStore(
                        folder: place, layout: layout, container: isMirrored ? cloud : nil, settings: settings
                    )
                } else {
                    try MirroredStore(
                        folder: place, model: ModelStoreTests.circus, configuration: configuration,
                        container: isMirrored ? cloud : nil, settings: settings)
                }
        }
    }

    private func withWorld(_ body: (CloudletWorld, URL) async throws -> Void) async throws {
        try await withFolder { folder in
            try await CloudletWorld.run { world in try await body(world, folder) }
        }
    }

    /// The development schema without the type `Users`, which every container has.
    private func schema(_ world: CloudletWorld) async throws -> Schema {
        let client = OperatorClient(
            transport: world.server.transport, key: world.server.operatorKey, place: "the world")
        let report = try await client.send(ReadSchema(of: Self.container, .development))
        var schema = try Schema(text: report.text ?? "")
        schema.types["Users"] = nil
        return schema
    }

    @Test("Objects with attributes of all types arrive completely on a second device")
    func mirrors() async throws {
        try await withWorld { world, folder in
            let phone = try await Device("phone", in: world, folder: folder)
            let tablet = try await Device("tablet", in: world, folder: folder)
            let identifier = try #require(UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"))
            let site = try #require(URL(string: "https://circus.example/shows?id=1"))
            let poster = Data(repeating: 7, count: 2_000)
            let bank = String(repeating: "account ", count: 200)
            let ids = try await phone.store.write { objects in
                var clown = try objects.make("Clown")
                try clown.set("identifier", to: identifier)
                try clown.set("bank", to: bank)
                try clown.set("hasRedNose", to: false)
                try clown.set("shoeSize", to: Int16(60))
                try clown.set("shownName", to: "only here")
                try objects.save(clown)
                var acrobat = try objects.make("Acrobat")
                try acrobat.set("jumpHeight", to: Float(2.25))
                try acrobat.relate("mentor", to: clown.id)
                try objects.save(acrobat)
                var costume = try objects.make("Costume")
                try costume.set("pattern", to: Data([1, 2]))
                try costume.relate("wearer", to: clown.id)
                try objects.save(costume)
                var show = try objects.make("Show")
                try show.set("ticketPrice", to: Decimal(string: "19.99"))
                try show.set("website", to: site)
                try show.set("soldTickets", to: Int64(9_000_000_000))
                try show.set("poster", to: poster)
                try objects.save(show)
                var act = try objects.make("Act")
                try act.set("minutes", to: Int32(7))
                try act.set("difficulty", to: 0.5)
                try act.relate("show", to: show.id)
                try objects.save(act)
                try objects.link(act.id, "performers", clown.id)
                try objects.link(act.id, "performers", acrobat.id)
                return (clown: clown.id, acrobat: acrobat.id, show: show.id, act: act.id)
            }
            try await phone.store.mirror()
            try await tablet.store.mirror()

            let there = try await tablet.store.read { (try $0.object(ids.clown), try $0.object(ids.show)) }
            let clown = try #require(there.0)
            #expect(clown.entity == "Clown")
            #expect(clown.get("name", as: String.self) == "unnamed")
            #expect(clown.get("identifier", as: UUID.self) == identifier)
            #expect(clown.get("bank", as: String.self) == bank)
            #expect(clown.get("hasRedNose", as: Bool.self) == false)
            #expect(clown.get("shoeSize", as: Int16.self) == 60)
            #expect(clown.values["shownName"] == nil)
            #expect(clown.target("costume")?.root == "Costume")
            let show = try #require(there.1)
            #expect(show.get("ticketPrice", as: Decimal.self) == Decimal(string: "19.99"))
            #expect(show.get("website", as: URL.self) == site)
            #expect(show.get("poster", as: Data.self) == poster)
            #expect(show.get("soldTickets", as: Int64.self) == 9_000_000_000)
            #expect(show.get("starts", as: Date.self) == Date(timeIntervalSince1970: 1_783_166_400))
            let act = try await tablet.store.read { try $0.object(ids.act) }
            #expect(act?.get("minutes", as: Int32.self) == 7)
            #expect(act?.get("difficulty", as: Double.self) == 0.5)
            #expect(act?.target("show") == ids.show)
            let costumes = try await tablet.store.read { try $0.related(ids.clown, "costume") }
            #expect(costumes.first?.get("pattern", as: Data.self) == Data([1, 2]))
            let performers = try await tablet.store.read { try $0.related(ids.act, "performers") }
            let heights = performers.compactMap { $0.get("jumpHeight", as: Float.self) }
            #expect(performers.map(\.id) == [ids.clown, ids.acrobat].sorted())
            #expect(heights == [2.25])
            let students = try await tablet.store.read { try $0.related(ids.clown, "students").map(\.id) }
            #expect(students == [ids.acrobat])
        }
    }

    @Test("A value outside the range of its type, and a name that the entity lacks, are refused")
    func ranges() async throws {
        try await withWorld { world, folder in
            let phone = try await Device("phone", in: world, folder: folder)
            for (name, value) in [("number", 40_000), ("row", 1)] {
                let error = await #expect(throws: MirroredStoreError.self) {
                    try await phone.store.write { objects in
                        var seat = try objects.make("Seat")
                        try seat.set(name, to: value)
                    }
                }
                #expect(error?.culprit == "Seat.\(name) of phone-\(name == "row" ? 2 : 1)")
                #expect(error?.code == (name == "row" ? .unknownName : .invalidValue))
            }
        }
    }

    @Test("The schema can be created before the first object, and leaves no records")
    func initializes() async throws {
        try await withWorld { world, folder in
            let phone = try await Device("phone", in: world, folder: folder)
            let text = try await phone.store.initializeCloudKitSchema(options: .dryRun)
            #expect(text == phone.store.layout.schema.text)
            let zones = try await phone.cloud.privateCloudDatabase.allRecordZones().map(\.zoneID.zoneName)
            #expect(try await phone.store.initializeCloudKitSchema() == text)
            var gaps = SchemaGaps(schema: try await schema(world), basis: .model)
            gaps.requireAll(of: phone.store.layout.schema)
            #expect(gaps.list == [])
            #expect(
                try await schema(world).types.mapValues(\.fields.count)
                    == phone.store.layout.schema.types.mapValues(\.fields.count))
            let left = try await phone.cloud.privateCloudDatabase.allRecordZones().map(\.zoneID.zoneName)
            #expect(left == zones)
            // A second call succeeds, too, although the server already has the schema.
            #expect(try await phone.store.initializeCloudKitSchema() == text)
        }
    }

    @Test("A store never saves a type or field that the model's schema lacks")
    func savesWithin() async throws {
        try await withWorld { world, folder in
            let phone = try await Device("phone", in: world, folder: folder)
            let long = String(repeating: "long ", count: 400)
            try await phone.store.write { objects in
                for entity in phone.store.layout.declared where !entity.isAbstract {
                    var object = try objects.make(entity.name)
                    for attribute in try Self.attributes(of: entity.name, in: phone.store.layout) {
                        switch attribute.type {
                        case .string: try object.set(attribute.name, to: long)
                        case .uri: try object.set(attribute.name, to: "https://example.org/" + long)
                        case .binaryData, .transformable: try object.set(attribute.name, to: Data(long.utf8))
                        case .uuid:
                            try object.set(attribute.name, to: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F")
                        case .double, .float, .decimal: try object.set(attribute.name, to: 0.5)
                        case .date: try object.set(attribute.name, to: Date(timeIntervalSince1970: 0))
                        default: try object.set(attribute.name, to: 1)
                        }
                    }
                    try objects.save(object)
                }
            }
            #expect(try await phone.store.mirror()?.activity == .idle)
            let saved = try await schema(world)
            var gaps = SchemaGaps(schema: phone.store.layout.schema, basis: .use)
            gaps.requireAll(of: saved)
            #expect(gaps.list == [])
            #expect(saved.types["CD_Show"]?.fields["CD_website"] != nil)
        }
    }

    private static func attributes(
        of entity: String, in layout: StoreLayout
    ) throws -> [StoreLayout.Attribute] {
        try layout.entity(entity).attributes
    }

    @Test("A store that stays on the device accepts a model that breaks the rules of mirrored stores")
    func local() async throws {
        try await withWorld { world, folder in
            let local = try await Device(
                "local", in: world, folder: folder, isMirrored: false, configuration: "Local")
            let draft = try await local.store.write { objects in
                var draft = try objects.make("Draft")
                try draft.set("text", to: "Dear audience")
                try objects.save(draft)
                var page = try objects.make("Page")
                try page.relate("draft", to: draft.id)
                try objects.save(page)
                return draft.id
            }
            let denied = await #expect(throws: MirroredStoreError.self) {
                try await local.store.write { try $0.delete(draft) }
            }
            #expect(denied?.code == .deletionDenied)
            let mirrored = await #expect(throws: MirroredStoreError.self) {
                try await Device("mirrored", in: world, folder: folder, configuration: "Local")
            }
            #expect(mirrored?.culprit == "Draft.text")
            let schemaless = await #expect(throws: MirroredStoreError.self) {
                try await local.store.initializeCloudKitSchema()
            }
            #expect(schemaless?.reason == "it stays on this device, so it has no schema")
        }
    }
}
