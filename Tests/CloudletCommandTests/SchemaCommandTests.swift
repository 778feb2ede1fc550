import CloudletServer
import Foundation
import RecordsWire
import Testing

@testable import ServerKit
@testable import TestKit

@Suite("cloudlet schema and cloudlet role", .timeLimit(.minutes(30)))
struct SchemaCommandTests {
    private static let container = "iCloud.org.example.app"

    /// A schema in the layout of an export.
    private static let full = """
        DEFINE SCHEMA

            CREATE ROLE Editor;

            RECORD TYPE Book (
                "___createTime" TIMESTAMP QUERYABLE SORTABLE,
                "___createdBy"  REFERENCE,
                "___etag"       STRING,
                "___modTime"    TIMESTAMP,
                "___modifiedBy" REFERENCE,
                "___recordID"   REFERENCE QUERYABLE,
                pages           INT64 SORTABLE,
                title           STRING QUERYABLE SEARCHABLE SORTABLE,
                GRANT CREATE TO "_icloud",
                GRANT READ TO "_world",
                GRANT READ, WRITE TO Editor
            );

            RECORD TYPE Users (
                "___createTime" TIMESTAMP,
                "___createdBy"  REFERENCE,
                "___etag"       STRING,
                "___modTime"    TIMESTAMP,
                "___modifiedBy" REFERENCE,
                "___recordID"   REFERENCE,
                roles           LIST<INT64>,
                GRANT WRITE TO "_creator",
                GRANT READ TO "_world"
            );

        """

    /// A server that runs on a folder, with the container, and commands about it.
    private struct SchemaWorld {
        let folder: URL
        let url: URL

        func run(_ arguments: String...) async throws -> Program.End {
            try await Command(arguments + ["--data", folder.appendingPathComponent("data").path]).end()
        }

        func file(_ text: String) throws -> String {
            let file = folder.appendingPathComponent("app.ckdb")
            try text.write(to: file, atomically: true, encoding: .utf8)
            return file.path
        }

        /// Saves public records as a person who signs in by name.
        func save(_ operations: [JSON], as person: String) async throws -> [String] {
            let http = try RawHTTP(url)
            let who: JSON = ["name": .string(person), "container": .string(container)]
            let session = try await http.send("POST", "/dev/sign-in", [:], try who.encoded())
            let token = try #require(session.json["ckWebAuthToken"].text)
            let target = ServerWorld.target(
                "public/records/modify", container: container, parameters: "ckWebAuthToken=\(token)")
            return try await http.send("POST", target, [:], try batch(operations).encoded()).records
        }
    }

    private static func withWorld(_ body: (SchemaWorld) async throws -> Void) async throws {
        let folder = try URL.newFolder()
        defer { folder.remove() }
        let data = folder.appendingPathComponent("data").path
        let server = try Command("serve", "--data", data, "--port", "0", "--open")
        let world = SchemaWorld(folder: folder, url: try await server.address())
        #expect(try await world.run("container", "create", container).code == 0)
        try await body(world)
        #expect(await server.stop().code == 0)
    }

    @Test("An exported and edited schema is imported unchanged, byte for byte, and deployed to production")
    func roundTrip() async throws {
        try await Self.withWorld { world in
            let name = Self.container
            let imported = try await world.run("schema", "import", name, try world.file(Self.full))
            #expect(imported.code == 0, "\(imported.errors)")
            #expect(imported.output.contains("+ CREATE ROLE Editor\n"))
            let exported = try await world.run("schema", "export", name)
            #expect(exported.output == Self.full)
            #expect(exported.errors == "cloudlet: in development of \(name)\n")
            let edited = exported.output.replacing(
                "pages           INT64 SORTABLE", with: "pages           INT64")
            #expect(edited != Self.full)
            let file = try world.file(edited)
            let valid = try await world.run("schema", "validate", name, file)
            #expect(valid.output == "~ Book.pages INT64 SORTABLE -> INT64\n")
            #expect(valid.errors == "cloudlet: schema is valid\n")
            #expect(try await world.run("schema", "import", name, file).output == valid.output)
            #expect(try await world.run("schema", "export", name).output == edited)
            let again = try await world.run("schema", "import", name, file)
            #expect((again.output, again.errors) == ("", "cloudlet: nothing to change\n"))
            #expect(try await world.run("schema", "deploy", name, "--yes").code == 0)
            let deployed = try await world.run("schema", "export", name, "--environment", "production")
            #expect(deployed.output == edited)
            #expect(deployed.errors == "cloudlet: in production of \(name)\n")
            let broken = try await world.run(
                "schema", "validate", name, try world.file("DEFINE SCHEMA RECORD TIPE"))
            #expect(broken.code == 1)
            #expect(broken.errors.contains("line 1, column 22"))
        }
    }

    @Test("Changes that delete data say how much and need --yes; then indexes and fields are deleted")
    func deleted() async throws {
        try await Self.withWorld { world in
            let name = Self.container
            let wrong = [create("a", ["size": text("5")]), create("b", ["size": text("6")])]
            #expect(try await world.save(wrong, as: "paul") == ["ok", "ok"])
            let unsure = try await world.run("schema", "delete", name, "Party", "size")
            #expect(unsure.code == 2)
            #expect(unsure.errors.contains("delete 2 values of Party.size in development of \(name)"))
            let gone = try await world.run("schema", "delete", name, "Party", "size", "--yes")
            #expect(gone.output == "- Party.size STRING QUERYABLE SEARCHABLE SORTABLE\n")
            #expect(
                try await world.save(
                    [operation("forceUpdate", "a", type: "Party", ["size": number(5)])], as: "paul") == ["ok"]
            )
            let index = try await world.run("schema", "index", name, "Party", "size", "sortable", "--remove")
            #expect(index.output == "~ Party.size INT64 QUERYABLE SORTABLE -> INT64 QUERYABLE\n")
            let file = try world.file("DEFINE SCHEMA")
            let losing = try await world.run("schema", "import", name, file)
            #expect(losing.code == 2)
            #expect(losing.errors.hasPrefix("cloudlet: - RECORD TYPE Party\n"))
            #expect(try await world.run("schema", "import", name, file, "--yes").code == 0)
            let left = try await world.run("schema", "delete", name, "Party", "--yes")
            #expect(left.code == 1)
            #expect(left.errors.hasPrefix("cloudlet: the schema has no such part [Party]"))
        }
    }

    @Test("A file is compared with the saved records and mended; fields of another type stay as they are")
    func checked() async throws {
        try await Self.withWorld { world in
            let name = Self.container
            let file = try world.file("DEFINE SCHEMA RECORD TYPE Party (size STRING);")
            let early = try await world.run("schema", "check", file, "--container", name)
            #expect(early.code == 1)
            #expect(early.errors.hasPrefix("cloudlet: nothing was saved or queried in \(name) since"))
            let nowhere = try await world.run("schema", "check", file)
            #expect(nowhere.code == 2)
            #expect(nowhere.errors.contains("Name the container: --container"))
            let save = create("p", ["name": text("Gala"), "size": number(5)])
            #expect(try await world.save([save], as: "paul") == ["ok"])
            let lacking = try await world.run("schema", "check", file, "--container", name, "--json")
            #expect(lacking.code == 1)
            let gaps = try JSON(Array(lacking.output.utf8))["gaps"]
            #expect(gaps.texts("field") == ["name", "size"])
            #expect(gaps.elements.map { $0["isMended"] } == [true, false])
            let partly = try await world.run("schema", "check", file, "--container", name, "--repair")
            #expect(partly.code == 1)
            #expect(partly.errors.contains("Field 'size' of type 'Party' was used as INT64 and is STRING\n"))
            #expect(partly.errors.hasSuffix("has fields of other types, which you must resolve\n"))
            let mended = try String(contentsOfFile: file, encoding: .utf8)
            _ = try world.file(mended.replacing(/size +STRING/, with: "size INT64"))
            let whole = try await world.run("schema", "check", file, "--container", name)
            #expect((whole.code, whole.output) == (0, ""))
            let missing = world.folder.appendingPathComponent("new.ckdb").path
            let unread = try await world.run("schema", "check", missing, "--container", name)
            #expect(unread.code == 1)
            #expect(unread.errors.contains("the schema file cannot be read [\(missing)]"))
            #expect(unread.errors.contains("create it: the same command with --repair"))
            let garbage = try world.file("no schema at all")
            let refused = try await world.run("schema", "check", garbage, "--container", name)
            #expect(refused.code == 1)
            #expect(refused.errors.hasPrefix("cloudlet: \(garbage): "), "\(refused.errors)")
            let made = try await world.run("schema", "check", missing, "--container", name, "--repair")
            #expect(made.code == 0)
            let imported = try await world.run("schema", "validate", name, missing)
            #expect(imported.code == 0, "\(imported.errors)")
        }
    }

    @Test("A role is created, gets a permission and members, is listed, and loses the members")
    func roles() async throws {
        try await Self.withWorld { world in
            let name = Self.container
            #expect(try await world.save([create("p")], as: "paul") == ["ok"])
            let none = try await world.run("role", "list", name)
            #expect(none.output == "")
            let made = try await world.run("role", "create", name, "PartyAdmin")
            #expect(made.output == "+ CREATE ROLE PartyAdmin\n")
            let grant = try await world.run("schema", "grant", name, "Party", "create", "PartyAdmin")
            #expect(grant.output.hasSuffix("GRANT CREATE TO PartyAdmin\n"))
            #expect(grant.errors == "cloudlet: in development of \(name)\n")
            let taken = try await world.run("schema", "grant", name, "Party", "create", "_icloud", "--remove")
            #expect(taken.code == 0)
            let refused = ["ACCESS_DENIED: CREATE operation not permitted"]
            #expect(try await world.save([create("q")], as: "paul") == refused)
            let member = try await world.run("role", "grant", name, "PartyAdmin", "paul")
            #expect(member.errors == "cloudlet: paul is a member of PartyAdmin in development\n")
            let twice = try await world.run("role", "grant", name, "PartyAdmin", "paul")
            #expect(twice.errors == "cloudlet: paul is already a member of PartyAdmin in development\n")
            #expect(try await world.save([create("q")], as: "paul") == ["ok"])
            let listed = try await world.run("role", "list", name)
            // Paul cannot be found by others, so he is listed by his user record name.
            #expect(listed.output.hasPrefix("ROLE        MEMBERS\nPartyAdmin  _"), "\(listed.output)")
            #expect(listed.errors.hasPrefix("cloudlet: in development of \(name)\n"), "\(listed.errors)")
            let json = try await world.run("role", "list", name, "--json")
            #expect(json.output.contains(#""name":"PartyAdmin","members":[{"userRecordName":"_"#))
            let ended = try await world.run("role", "revoke", name, "PartyAdmin", "paul")
            #expect(ended.errors == "cloudlet: paul is no longer a member of PartyAdmin in development\n")
            #expect(try await world.save([create("r")], as: "paul") == refused)
            let wrong = [
                try await world.run("role", "grant", name, "Nobody", "paul"),
                try await world.run("role", "grant", name, "PartyAdmin", "nobody"),
                try await world.run("role", "grant", name, "_world", "paul"),
                try await world.run("role", "create", name, "PartyAdmin"),
                try await world.run("schema", "grant", name, "Party", "own", "PartyAdmin"),
            ]
            #expect(wrong.map(\.code) == [1, 1, 1, 5, 1])
            #expect(wrong[0].errors.contains("there is no such role [Nobody]; create it in the schema first"))
        }
    }
}
