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

    @Test("Each property of a model goes into its object, and to the other device")
    func properties() async throws {
        let world = try await CloudletWorld.start()
        let phone = try await device("phone", in: world)
        let tablet = try await device("tablet", in: world)
        for type in Models.all { try await save(type, on: phone) }
        try await sync(phone, tablet)
        for type in Models.all { try await compare(type, phone, tablet) }
        await world.stop()
    }

    @Test("A deletion on one device reaches the other, with the models that refer to the deleted one")
    func deletes() async throws {
        let world = try await CloudletWorld.start()
        let phone = try await device("phone", in: world)
        let tablet = try await device("tablet", in: world)
        for type in Models.all { try await save(type, on: phone) }
        try await sync(phone, tablet)
        for id in try await phone.repository.names().keys {
            let family = try await tablet.repository.family(of: id)
            guard !family.isEmpty else { continue }
            try await tablet.repository.delete(id)
            let left = try await tablet.repository.names()
            #expect(family.allSatisfy { left[$0] == nil })
        }
        try await sync(tablet, phone)
        #expect(try await phone.repository.names().isEmpty)
        #expect(try await tablet.repository.replica.read { try $0.pendingChanges() }.isEmpty)
        await world.stop()
    }

    @Test("Two devices that change different models offline both keep both changes")
    func together() async throws {
        let world = try await CloudletWorld.start()
        let phone = try await device("phone", in: world)
        let tablet = try await device("tablet", in: world)
        let type = try #require(Models.all.first)
        try await save(type, on: phone)
        try await save(type, on: tablet)
        try await sync(phone, tablet, phone)
        try await compare(type, phone, tablet)
        #expect(try await count(type, on: phone) == 2)
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
        for line in ["sync", "status", "pending", "conflicts", "sign-out"] {
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
        try before.repository.store.close()
        let phone = try await device("phone", in: new)
        let runner = runner(for: phone)
        let stopped = await runner.run("sync").shellError
        #expect(stopped?.remedy?.hasPrefix("reset --send-all") == true)
        for line in ["reset --send-all", "sync"] { #expect(await runner.run(line).shellError == nil) }
        let tablet = try await device("tablet", in: new)
        try await sync(tablet)
        #expect(try await tablet.repository.names()[id] != nil)
        #expect(await runner.run("reset --forget --yes").shellError == nil)
        #expect(try await phone.repository.names().isEmpty)
        try await sync(phone)
        #expect(try await phone.repository.names()[id] != nil)
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
        #expect(try await phone.share("none", with: "bob@example.org") == nil)
        try await world.setAccount("eve", email: "eve@example.org")
        let guest = try await device("tablet", of: "eve", in: world)
        let before: [any Model] = try await guest.shared(type)
        #expect(before.isEmpty)
        try await guest.accept(url)
        let shared: [any Model] = try await guest.shared(type)
        #expect(shared.map { $0.id } == [id])
        try await guest.deleteLocalData()
        await world.stop()
    }

    // MARK: Devices

    private func device(
        _ name: String, of person: String = "alice", in world: CloudletWorld
    ) async throws -> Device {
        let connection = try await world.connection(of: person, on: name)
        let folder = folder.appendingPathComponent(name)
        let token = ["CLOUDLET_WEB_AUTH_TOKEN": connection.webAuthToken ?? ""]
        let server = try #require(URL(string: "https://world.example.org"))
        let session = Session(folder: folder, server: server, variables: token)
        return try Device(
            folder: folder, session: session, connection: connection, now: { world.clock.now },
            pause: { world.clock.advance(bySeconds: $0 / .seconds(1)) })
    }

    private func sync(_ devices: Device...) async throws {
        for device in devices { #expect(try await device.syncOnce().activity == .idle) }
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

    /// Saves a model whose properties all differ from those of a new one, and the models that it refers to.
    /// Returns its ID.
    @discardableResult
    private func save<Kind: Model>(
        _ type: Kind.Type, on device: Device, for others: Set<String> = []
    ) async throws -> String {
        var targets: [String: String] = [:]
        let others = others.union([Kind.word])
        for target in Kind.properties.compactMap(\.kind.target) where !others.contains(target.word) {
            targets[target.word] = try await save(target, on: device, for: others)
        }
        var model = Kind(id: UUID().uuidString)
        for property in Kind.properties {
            let value: FieldValue? =
                switch property.kind {
                case .text: "first"
                case .flag: 1
                case .whole: 7
                case .number: 1.5
                case .date: Date(timeIntervalSince1970: 1_783_188_000).fieldValue
                case .texts: ["a\nb", "", "b"].fieldValue
                case .photo: try device.repository.replica.keepFile(content: Data("photo".utf8)).fieldValue
                case .reference(let target, _):
                    targets[target.word].map { Reference(recordName: $0).fieldValue }
                case .references(let target): targets[target.word].map { [$0].fieldValue }
                }
            property.set(&model, value)
        }
        func values(_ model: Kind) -> [(String, String)] {
            Mirror(reflecting: model).children.map { ($0.label ?? "", "\($0.value)") }
        }
        for ((name, value), (_, new)) in zip(values(model), values(Kind(id: "1"))) where value == new {
            let isOpen = Kind.properties.contains { $0.key == name && $0.kind.target != nil }
            #expect(isOpen, "\(Kind.self).properties lacks \(name)")
        }
        try await device.repository.save(model)
        return model.id
    }

    private func count<Kind: Model>(_ type: Kind.Type, on device: Device) async throws -> Int {
        try await device.repository.all(type).count
    }

    private func compare<Kind: Model>(_ type: Kind.Type, _ left: Device, _ right: Device) async throws {
        let models = try await left.repository.all(type)
        #expect(!models.isEmpty)
        #expect(try await right.repository.all(type) == models)
    }
}

extension PropertyKind {
    /// The type to which a property refers; nil if it refers to none.
    fileprivate var target: (any Model.Type)? {
        switch self {
        case .reference(let type, _), .references(let type): type
        default: nil
        }
    }
}
