import Cloudlet
import CloudletTesting
import CommandShell
import Foundation
import LocalReplica
import Records
import Testing

@testable import TaskBook

@Suite("TaskBook")
final class TaskBookTests {
    /// The folder with the devices' data; removed after each test.
    private let folder = FileManager.default.temporaryDirectory
        .appendingPathComponent("TaskBookTests-\(UUID().uuidString)")

    deinit { try? FileManager.default.removeItem(at: folder) }

    @Test("Each property of a model goes into its record and comes back")
    func properties() throws {
        for type in Models.all { try check(type) }
    }

    private func check<Kind: Model>(_ type: Kind.Type) throws {
        let model = example(type) { _ in "other" }
        var record = ReplicaRecord(type: Kind.recordType, id: RecordID(name: model.id, zone: Repository.zone))
        record[field: "ofTheFuture"] = "kept"
        model.write(to: &record)
        #expect(record[field: "ofTheFuture"] == "kept")
        #expect(Kind(record) == model)
        func values(_ model: Kind) -> [(String, String)] {
            Mirror(reflecting: model).children.map { ($0.label ?? "", "\($0.value)") }
        }
        for ((name, value), (_, new)) in zip(values(model), values(Kind(id: "1"))) where name != "id" {
            #expect(value != new, "\(Kind.self).properties lacks \(name)")
        }
    }

    @Test("A change or deletion on one device reaches the other")
    func syncs() async throws {
        let world = try await CloudletWorld.start()
        let phone = try await device("phone", in: world)
        let tablet = try await device("tablet", in: world)
        for type in Models.all { _ = try await save(type, on: phone) }
        let names = try await phone.repository.names()
        try await sync(phone, tablet)
        for type in Models.all { try await compare(type, phone, tablet) }
        for id in names.keys { try await tablet.repository.delete(id) }
        try await sync(tablet, phone)
        #expect(try await phone.repository.names().isEmpty)
        #expect(try await tablet.repository.replica.read { try $0.pendingChanges() }.isEmpty)
        await world.stop()
    }

    @Test("Deleting a model deletes the models that refer to it")
    func family() async throws {
        let world = try await CloudletWorld.start()
        let phone = try await device("phone", in: world)
        let type = try #require(Models.all.first)
        let id = try await save(type, on: phone)
        var child = ReplicaRecord(type: type.recordType, id: RecordID(name: "child", zone: Repository.zone))
        child[field: "parent"] = Reference(recordName: id, action: .deleteSelf)
        let saved = child
        try await phone.repository.replica.write { try $0.save(saved) }
        #expect(try await phone.repository.family(of: id) == [id, "child"])
        try await sync(phone)
        try await phone.repository.delete(id)
        try await sync(phone)
        #expect(try await phone.repository.names()["child"] == nil)
        #expect(try await phone.repository.replica.read { try $0.pendingChanges() }.isEmpty)
        await world.stop()
    }

    @Test("A property that two devices changed is a conflict that can be seen")
    func conflict() async throws {
        let world = try await CloudletWorld.start()
        let phone = try await device("phone", in: world)
        let tablet = try await device("tablet", in: world)
        let (id, type) = (RecordID(name: "1", zone: Repository.zone), try #require(Models.all.first))
        @Sendable func write(_ text: String, on device: Device) async throws {
            try await device.repository.replica.write { writer in
                var record = try writer.reader.record(id) ?? ReplicaRecord(type: type.recordType, id: id)
                record[field: "note"] = text
                try writer.save(record)
            }
        }
        try await write("from", on: phone)
        try await sync(phone, tablet)
        try await write("from the phone", on: phone)
        try await write("from a tablet", on: tablet)
        try await sync(phone, tablet, phone)
        let merged: String? = try await phone.repository.replica.read { try $0.record(id)?[field: "note"] }
        #expect(merged?.contains("phone") == true && merged?.contains("tablet") == true)
        #expect(await runner(for: tablet).run("conflicts").rendering.data.contains("note"))
        await world.stop()
    }

    @Test("A record that the server refuses fails the sync, and is named until it is edited again")
    func refused() async throws {
        let world = try await CloudletWorld.start()
        let phone = try await device("phone", in: world)
        let type = try #require(Models.all.first)
        @Sendable func write(_ name: String, note: FieldValue) async throws {
            let id = RecordID(name: name, zone: Repository.zone)
            try await phone.repository.replica.write { writer in
                var record = try writer.reader.record(id) ?? ReplicaRecord(type: type.recordType, id: id)
                record[field: "note"] = note
                try writer.save(record)
            }
        }
        let runner = runner(for: phone)
        try await write("text", note: .string("a text"))
        #expect(await runner.run("sync").shellError == nil)
        // The server knows the field as text.
        try await write("number", note: .int64(5))
        let refusal = await runner.run("sync").shellError
        #expect(refusal?.code == "refused")
        #expect(refusal?.remedy == "pending")
        let pending = try await phone.repository.replica.read { try $0.pendingChanges() }
        #expect(pending.map(\.id.name) == ["number"])
        #expect(pending.allSatisfy { $0.refusal != nil })
        try await write("number", note: .string("five"))
        #expect(await runner.run("sync").shellError == nil)
        await world.stop()
    }

    @Test("The commands create, show, change and delete models, and their errors name the problem")
    func commands() async throws {
        let world = try await CloudletWorld.start()
        let phone = try await device("phone", in: world)
        let runner = runner(for: phone)
        for type in Models.all {
            let id = try await save(type, on: phone)
            var lines = ["list", "show \(id)", "list nothing=1", "show nothing", "edit nothing \(id)"]
            if let value = assignment(for: type) { lines += ["add \(value)", "edit \(id) \(value)"] }
            for line in lines + ["delete \(id)"] {
                let shellError = await runner.run("\(type.word) \(line)").shellError
                #expect((shellError == nil) == !line.contains("nothing"), "\(type.word) \(line)")
                if let shellError { #expect(shellError.message.contains("nothing"), "\(shellError)") }
            }
        }
        for line in ["sync", "status", "pending", "sign-out"] {
            #expect(await runner.run(line).shellError == nil, "\(line)")
        }
        #expect(await runner.run("sync").shellError != nil)
        await world.stop()
    }

    @Test("On demand, a new server gets all data, and a device deletes all data")
    func newServer() async throws {
        let (old, new) = (try await CloudletWorld.start(), try await CloudletWorld.start(seed: 2))
        let type = try #require(Models.all.first)
        let before = try await device("phone", in: old)
        let id = try await save(type, on: before)
        try await sync(before)
        try before.repository.replica.close()
        let phone = try await device("phone", in: new)
        let runner = runner(for: phone)
        let stopped = await runner.run("sync").shellError
        #expect(stopped?.remedy?.hasPrefix("reset --send-all") == true)
        #expect(await runner.program.prompt.hasSuffix(" [not synced]> "))
        for line in ["reset --send-all", "sync"] { #expect(await runner.run(line).shellError == nil) }
        #expect(await runner.program.prompt == "\(Program.names.name)> ")
        let tablet = try await device("tablet", in: new)
        try await sync(tablet)
        #expect(try await tablet.repository.names()[id] != nil)
        #expect(await runner.run("reset --forget --yes").shellError == nil)
        #expect(try await phone.repository.names().isEmpty)
        await old.stop()
        await new.stop()
    }

    @Test("A model that one person shares can be accepted and read by another")
    func sharing() async throws {
        let world = try await CloudletWorld.start()
        let phone = try await device("phone", in: world)
        let type = try #require(Models.all.first)
        let id = try await save(type, on: phone)
        try await sync(phone)
        let url = try #require(try await phone.share(id, with: "eve@example.org"))
        #expect(try await phone.share(id, with: "bob@example.org") == url)
        try await world.setAccount("eve", email: "eve@example.org")
        let guest = try await device("tablet", of: "eve", in: world)
        let before: [any Model] = try await guest.shared(type)
        #expect(before.isEmpty)
        try await guest.accept(url)
        let shared: [any Model] = try await guest.shared(type)
        #expect(shared.map { $0.id } == [id])
        await world.stop()
    }

    @Test("A stored session goes to the server that it came from, and to no other")
    func session() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        func session(at name: String) throws -> Session {
            Session(folder: folder, server: try server(name), variables: [:])
        }
        let own = try session(at: "own")
        own.account.signIn(webAuthToken: "token")
        try own.save()
        let other = try session(at: "other")
        #expect(other.account.webAuthToken == nil)
        try other.save()
        let again = try session(at: "own")
        #expect(again.account.webAuthToken == "token")
        again.account.signOut()
        try again.save()
        #expect(try session(at: "own").account.webAuthToken == nil)
    }

    // MARK: Devices

    private func device(
        _ name: String, of person: String = "alice", in world: CloudletWorld
    ) async throws -> Device {
        let connection = try await world.connection(of: person, on: name)
        let folder = folder.appendingPathComponent(name)
        let token = ["CLOUDLET_WEB_AUTH_TOKEN": connection.webAuthToken ?? ""]
        let session = Session(folder: folder, server: try server("world"), variables: token)
        return try Device(
            folder: folder, session: session, connection: connection, now: { world.clock.now },
            pause: { world.clock.advance(bySeconds: $0 / .seconds(1)) })
    }

    private func server(_ name: String) throws -> URL {
        try #require(URL(string: "https://\(name).example.org"))
    }

    private func sync(_ devices: Device...) async throws {
        for device in devices { try await device.sync.waitUntilIdle() }
    }

    private func runner(for device: Device) -> StatementRunner {
        let environment = ShellEnvironment.placeholder(Program.names)
        let program = Program(device: device, environment: environment, isLive: false)
        return StatementRunner(program: program, environment: environment)
    }

    // MARK: Models

    /// An argument FIELD=VALUE that commands accept for a model; nil if each property needs a file or another
    /// model.
    private func assignment<Kind: Model>(for type: Kind.Type) -> String? {
        for property in Kind.properties {
            switch property.kind {
            case .text, .flag, .whole, .number, .texts: return "\(property.key)=\(property.kind.form)"
            case .date, .photo, .reference, .references: continue
            }
        }
        return nil
    }

    /// A model whose properties all differ from those of a new one.
    private func example<Kind: Model>(
        _ type: Kind.Type, reference: (any Model.Type) throws -> String?
    ) rethrows -> Kind {
        var model = Kind(id: UUID().uuidString)
        for property in Kind.properties {
            let value: FieldValue? =
                switch property.kind {
                case .text: "first"
                case .flag: 1
                case .whole: 7
                case .number: 1.5
                case .date: Date(timeIntervalSince1970: 1_783_188_000).fieldValue
                case .texts, .references: ["a", "b"].fieldValue
                case .photo: Asset(fileChecksum: "", size: 1).fieldValue
                case .reference(let target, _):
                    try reference(target).map { Reference(recordName: $0).fieldValue }
                }
            property.set(&model, value)
        }
        return model
    }

    /// Saves an example and the models that it refers to. Returns its ID.
    private func save<Kind: Model>(
        _ type: Kind.Type, on device: Device, for others: Set<String> = []
    ) async throws -> String {
        var targets: [String: String] = [:]
        for case .reference(let target, _) in Kind.properties.map(\.kind) {
            let others = others.union([Kind.word])
            if others.contains(target.word) { continue }
            targets[target.word] = try await save(target, on: device, for: others)
        }
        let file = folder.appendingPathComponent("photo.jpg")
        try Data("photo".utf8).write(to: file)
        let photo = try device.repository.replica.keepFile(at: file)
        var model = example(type) { targets[$0.word] }
        for property in Kind.properties {
            if case .photo = property.kind { property.set(&model, photo.fieldValue) }
        }
        try await device.repository.save(model)
        return model.id
    }

    private func compare<Kind: Model>(_ type: Kind.Type, _ left: Device, _ right: Device) async throws {
        let models = try await left.repository.all(type)
        #expect(!models.isEmpty)
        #expect(try await right.repository.all(type).map(\.displayName) == models.map(\.displayName))
        for property in Kind.properties {
            if case .photo = property.kind { continue }
            let values = try await right.repository.all(type).map(property.get)
            #expect(values == models.map(property.get), "\(property.key)")
        }
    }
}
