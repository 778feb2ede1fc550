import CloudletServer
import Foundation
import RecordsWire
import Testing

@testable import CloudService
@testable import ServerKit
@testable import TestKit

@Suite("Containers", .timeLimit(.minutes(30)))
struct ContainerTests {
    @Test("The operator creates, lists and shows containers")
    func made() async throws {
        try await serving { world in
            let made = try await world.operate("POST", "containers", ["name": "iCloud.org.example.b"])
            #expect(made.json["name"] == "iCloud.org.example.b")
            #expect(made.json["createdAt"] == 1_401_710_400_000)
            #expect(made.json["warnings"] == [])
            _ = try await world.operate("POST", "containers", ["name": "iCloud.org.example.a"])
            let list = try await world.operate("GET", "containers").json["containers"].elements
            #expect(list.map { $0["name"].text } == ["iCloud.org.example.a", "iCloud.org.example.b"])
            let shown = try await world.operate("GET", "containers/iCloud.org.example.b")
            let nothing: JSON = [
                "privateDatabases": 0, "bytes": 0, "publicRecordBytes": 0, "publicAssetBytes": 0,
            ]
            let more = ["users": 0, "development": nothing, "production": nothing]
            #expect(shown.json == made.json.with(more))
            let twice = try await world.operate("POST", "containers", ["name": "iCloud.org.example.b"])
            #expect(twice.failure == "409 EXISTS: the container exists already")
            let none = try await world.operate("GET", "containers/iCloud.org.example.c")
            #expect(none.failure == "404 NOT_FOUND: the container is not known")
        }
    }

    @Test(
        "Malformed names are refused when a container is created and when a person signs in",
        arguments: [
            "", "iCloud..x", ".iCloud.x", "iCloud.x.", "iCloud.a b", "iCloud/x", "iCloud.-x", "iCloud.x-",
            "iCloud.ä", "iCloud.%2e", String(repeating: "x", count: 129),
        ])
    func malformed(name: String) async throws {
        try await withServer(.loopback) { world in
            let refused = try await world.operate("POST", "containers", ["name": .string(name)])
            #expect(refused.status == 400)
            #expect(refused.json["cloudlet"]["nextStep"].text?.contains("iCloud.org.example.app") == true)
            let signInBody: JSON = ["name": "a", "container": .string(name)]
            let signIn = try await world.send(
                "POST", "/dev/sign-in", body: try signInBody.encoded())
            #expect(signIn.status == 400)
            #expect(try await world.operate("GET", "containers").json["containers"] == [])
        }
    }

    @Test(
        "Names that may clash are accepted with a warning",
        arguments: [
            ("iCloud.org.example.app", 0), ("iCloud.com.example.parties", 0),
            ("iCloud.uk.co.example-1.a_b", 0),
            ("org.example.app", 1), ("iCloud.parties", 1), ("parties", 2), ("iCloud.app.example.org", 1),
            ("iCloud.io.dev.com", 0),
        ])
    func warnings(name: String, count: Int) throws {
        #expect(try ContainerName(name).warnings.count == count)
    }

    // MARK: Isolation

    @Test("No call shows data of one container or environment in another")
    func apart() async throws {
        try await serving { world in
            let places = [
                ("iCloud.org.example.one", "development"), ("iCloud.org.example.two", "development"),
                ("iCloud.org.example.one", "production"),
            ]
            let first = try await world.signIn("alice", container: places[0].0)
            let second = try await world.signIn("alice", container: places[1].0)
            #expect(first.recordName != second.recordName)
            // A token of a person is valid in every container, for an app with two containers.
            for database in ["public", "private"] {
                let saved = try await world.call(
                    "\(database)/records/modify", batch([create("secret", type: "Plan")]), as: second,
                    container: places[0].0, environment: places[0].1
                )
                #expect(saved.records == ["ok"])
                #expect(saved.json["records"][0]["created"]["userRecordName"].text == first.recordName)
                for (container, environment) in places.dropFirst() {
                    let lookup = try await world.call(
                        "\(database)/records/lookup", names("secret"), as: first, container: container,
                        environment: environment
                    )
                    #expect(lookup.records == ["NOT_FOUND: Record not found"])
                    let query = try await world.call(
                        "\(database)/records/query", ["query": ["recordType": "Plan"]], as: first,
                        container: container, environment: environment
                    )
                    #expect(query.failure == "404 NOT_FOUND: Did not find record type: Plan")
                }
            }
            // Two apps that use one container see the same data.
            let other = try await world.signIn("alice", container: places[0].0)
            #expect(other.recordName == first.recordName)
            let seen = try await world.call(
                "private/records/lookup", names("secret"), as: other, container: places[0].0)
            #expect(seen.records == ["ok"])
        }
    }

    // MARK: Deleting

    @Test("Deleting a container deletes files, users and schema; a new one of the same name is empty")
    func deleted() async throws {
        try await serving { world in
            let alice = try await world.signIn("alice")
            let file = try await world.upload(
                Array("clown".utf8), record: "p1", database: "private", as: alice)
            let photo = world.photo("p1", file)
            #expect(
                try await world.modify("private", [photo], as: alice).records == ["ok"])
            _ = try await world.modify("public", [create("a")], as: alice)
            let shown = try await world.operate("GET", "containers/iCloud.test").json
            #expect(shown["development"]["privateDatabases"] == 1)
            #expect(shown["users"] == 1)
            #expect(shown["development"]["publicRecordBytes"].number ?? 0 > 0)
            #expect(shown["production"]["bytes"] == 0)
            #expect(try await world.operate("POST", "containers/iCloud.test/delete").json["deleted"] == true)
            let folder = world.server.dataFolder.appendingPathComponent("containers/iCloud.test").path
            #expect(!FileManager.default.fileExists(atPath: folder))
            #expect(try await world.operate("GET", "containers").json["containers"] == [])
            let twice = try await world.operate("POST", "containers/iCloud.test/delete")
            #expect(twice.failure == "404 NOT_FOUND: the container is not known")
            _ = try await world.operate("POST", "containers", ["name": "iCloud.test"])
            let again = try await world.signIn("alice")
            #expect(again.recordName != alice.recordName)
            let lost = try await world.lookup("public", "a", as: again)
            #expect(lost.records == ["NOT_FOUND: Record not found"])
            let query = try await world.call(
                "private/records/query", ["query": ["recordType": "Photo"]], as: again)
            #expect(query.failure == "404 NOT_FOUND: Did not find record type: Photo")
        }
    }

    @Test("Deleting a container while it is in use leaves no files and no schema")
    func deleteBusy() async throws {
        try await withServer(.loopback) { world in
            let alice = try await world.signIn("alice")
            try await withThrowingTaskGroup(of: Void.self) { group in
                for writer in 0..<8 {
                    group.addTask {
                        for number in 0..<20 {
                            let save = batch([create("r\(writer)-\(number)")])
                            let reply = try await world.call("public/records/modify", save, as: alice)
                            #expect([200, 401, 404, 503].contains(reply.status), "\(reply.failure)")
                        }
                    }
                }
                for _ in 0..<5 {
                    group.addTask { _ = try await world.operate("POST", "containers/iCloud.test/delete") }
                }
                try await group.waitForAll()
            }
            _ = try await world.operate("POST", "containers/iCloud.test/delete")
            // The folders do not exist if the deletions came before the first save.
            for name in ["containers", "removed"] {
                let folder = world.server.dataFolder.appendingPathComponent(name).path
                let left = try? FileManager.default.contentsOfDirectory(atPath: folder)
                #expect(left ?? [] == [])
            }
            try await world.createContainer()
            #expect(try await !world.exported().contains("RECORD TYPE Party"))
        }
    }
}
