// Owns the texts of a new app's tests.
import Foundation

extension AppTemplate {
    var tests: String {
        testHead + syncTest(entities[0]) + entities.map(filling).joined() + mapperCheck
            + unknownFieldsTest(entities[0]) + commandTest(entities[0])
    }

    private var testHead: String {
        """
        // Owns the proof that two devices of one person come to have the same.
        import Cloudlet
        import CloudletTesting
        import Foundation
        import LocalReplica
        import Testing

        @testable import \(name)

        @Suite("\(name)")
        final class \(name)Tests {
            /// What the devices keep; removed at the end of each test.
            private let folder = FileManager.default.temporaryDirectory
                .appendingPathComponent("\(name)Tests-\\(UUID().uuidString)")

            deinit { try? FileManager.default.removeItem(at: folder) }

            private func device(_ name: String, in world: CloudletWorld) async throws -> Device {
                try Device(
                    folder: folder.appendingPathComponent(name),
                    connection: try await world.connection(of: "alice", on: name),
                    now: { world.clock.now },
                    pause: { world.clock.advance(bySeconds: $0 / .seconds(1)) })
            }


        """
    }

    private func syncTest(_ entity: EntitySpec) -> String {
        let checks = entity.fields.map { "        #expect(found.\($0.name) == \($0.example.value))" }
        return """
                @Test("What is typed on one device is on the other")
                func syncs() async throws {
                    let world = try await CloudletWorld.start()
                    let phone = try await device("phone", in: world)
                    let tablet = try await device("tablet", in: world)
                    let model = try filled\(entity.name)()
                    try await phone.repository.save(model)
                    try await phone.sync.waitUntilIdle()
                    try await tablet.sync.waitUntilIdle()
                    let found = try #require(try await tablet.repository.all(\(entity.name).self).first)
                    #expect(found == model)
            \(checks.joined(separator: "\n"))
                    try await tablet.repository.delete("1")
                    try await tablet.sync.waitUntilIdle()
                    try await phone.sync.waitUntilIdle()
                    #expect(try await phone.repository.all(\(entity.name).self).isEmpty)
                    await world.stop()
                }


            """
    }

    /// An entity with a value in each field, and the test of its mapper.
    private func filling(_ entity: EntitySpec) -> String {
        """
            /// Each property has another value than in a new one.
            private func filled\(entity.name)() throws -> \(entity.name) {
                var model = \(entity.name)(id: "1")
        \(entity.fields.map { "        \($0.filling)" }.joined(separator: "\n"))
                return model
            }

            @Test("Each property of the \(entity.command) goes into its record and comes back")
            func maps\(entity.name)() throws {
                try checkMapper(of: try filled\(entity.name)())
            }


        """
    }

    private var mapperCheck: String {
        """
            /// Names a property that has no value in this file, or no line in the mapper.
            private func checkMapper<Model: Typeable>(of model: Model) throws {
                func properties(_ model: Model) -> [(name: String, value: String)] {
                    Mirror(reflecting: model).children.map { ($0.label ?? "", "\\($0.value)") }
                }
                var record = ReplicaRecord(
                    type: Model.recordType, id: RecordID(name: model.id, zone: Repository.zone))
                model.write(to: &record)
                let (new, back) = (properties(Model(id: model.id)), properties(Model(record)))
                for (index, property) in properties(model).enumerated() where property.name != "id" {
                    #expect(property.value != new[index].value, "give \\(property.name) a value in this file")
                    #expect(property.value == back[index].value, "the mapper forgets \\(property.name)")
                }
            }


        """
    }

    private func unknownFieldsTest(_ entity: EntitySpec) -> String {
        """
            @Test("Fields that this version knows nothing of stay")
            func unknownFields() {
                var record = ReplicaRecord(
                    type: \(entity.name).recordType, id: RecordID(name: "1", zone: Repository.zone))
                record[field: "ofTheFuture"] = "kept"
                \(entity.name)(record).write(to: &record)
                #expect(record[field: "ofTheFuture"] == "kept")
            }


        """
    }

    private func commandTest(_ entity: EntitySpec) -> String {
        let word = entity.fields[0].name + "=" + entity.fields[0].example.typed
        return """
                @Test("A folder has the data of one person, and what is not there cannot be deleted")
                func refusals() async throws {
                    let start = ["--data", folder.appendingPathComponent("phone").path]
                    let add = ["\(entity.command)", "add", "\(word)"]
                    try await Main.run(["--as", "alice"] + start + add)
                    await #expect(throws: Trouble.self) { try await Main.run(["--as", "bob"] + start + add) }
                    await #expect(throws: Trouble.self) {
                        try await Main.run(start + ["\(entity.command)", "delete", "zzz"])
                    }
                }
            }

            """
    }
}
