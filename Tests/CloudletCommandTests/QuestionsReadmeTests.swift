import CloudletServer
import Foundation
import RecordsWire
import Testing

@testable import ServerKit
@testable import TestKit

@Suite("The README's questions about a running server", .timeLimit(.minutes(30)))
struct QuestionsReadmeTests {
    private static let container = "iCloud.org.example.parties"

    /// What the answer to each command must contain.
    private static let answers: [String: [String]] = [
        "cloudlet user show paul": ["paul", "private data"],
        "cloudlet container show iCloud.org.example.parties": [
            "public records, development", "1 private database",
        ],
        "cloudlet container creators iCloud.org.example.parties": ["PAUL", "paul", "2"],
        "cloudlet telemetry --operation records/modify": ["records/modify", "accessDenied 1"],
        "cloudlet logs --error accessDenied --explain": [
            "PAUL (paul)",
            "tea\n    accessDenied: CREATE operation not permitted on the record type Party",
        ],
        "cloudlet schema export iCloud.org.example.parties": ["GRANT WRITE TO PartyAdmin"],
        "cloudlet role list iCloud.org.example.parties": ["PartyAdmin", "PAUL"],
        "cloudlet audit": ["setGrant", "removeGrant", "CREATE on Party from _icloud", "PAUL (paul)"],
    ]

    /// The commands in the last column of the table.
    private func commands() throws -> [String] {
        let text = try String(contentsOf: .package.appending(path: "README.md"), encoding: .utf8)
        let table = try #require(text.components(separatedBy: "| question | in the console |").last)
        let rows = table.components(separatedBy: "\n\n")[0].split(separator: "\n").dropFirst(2)
        return rows.flatMap { row in
            let cells = row.split(separator: "|")
            return cells[2].matches(of: /`(cloudlet [^`]*)`/).map { String($0.1) }
        }
    }

    @Test("The commands of the table, run as printed, answer the questions")
    func commandsAnswer() async throws {
        let folder = try URL.newFolder()
        defer { folder.remove() }
        let data = folder.appendingPathComponent("data")
        try await withServer(.socket) {
            $0.publicURL = nil
            $0.storage = .folder(data)
        } _: { world in
            let paul = try await prepare(world)
            let text = try String(contentsOf: .package.appending(path: "README.md"), encoding: .utf8)
            // The README names the folder with this line.
            #expect(text.contains("`export CLOUDLET_DATA=./data`"))
            let programs = URL(fileURLWithPath: try Program.path("cloudlet")).deletingLastPathComponent().path
            let commands = try commands()
            #expect(Set(commands) == Set(Self.answers.keys))
            for command in commands {
                let script =
                    "cd \(folder.path)\nexport CLOUDLET_DATA=./data\nPATH=\(programs):$PATH\n\(command)"
                let end = try await Command(executable: "/bin/sh", ["-ec", script]).end()
                #expect(end.code == 0, "\(command) \(end.errors)")
                for answer in Self.answers[command] ?? [] {
                    let answer = answer.replacing("PAUL", with: paul.recordName)
                    #expect(end.output.contains(answer), "\(command): \(answer)\n\(end.output)")
                }
            }
        }
    }

    /// Paul saves two parties and a private record, and is a member of PartyAdmin. Then nobody who is signed
    /// in may create parties any more, and his next save fails.
    private func prepare(_ world: ServerWorld) async throws -> Person {
        let paul = try await world.signIn("paul", container: Self.container)
        func save(_ database: String, _ name: String) async throws -> [String] {
            try await world.call(
                "\(database)/records/modify", batch([create(name, ["name": text("Ball")])]), as: paul,
                container: Self.container
            ).records
        }
        for (database, name) in [("public", "ball"), ("public", "gala"), ("private", "note")] {
            try #require(try await save(database, name) == ["ok"])
        }
        func operate(_ path: String, _ body: JSON) async throws {
            let reply = try await world.operate(
                "POST", "containers/\(Self.container)/development/" + path, body)
            try #require(reply.status == 200, "\(reply.text)")
        }
        try await operate("roles/create", ["role": "PartyAdmin"])
        try await operate("roles/grant", ["role": "PartyAdmin", "person": "paul"])
        let write: JSON = ["type": "Party", "permission": "WRITE", "role": "PartyAdmin"]
        try await operate("schema/grant", write)
        let creation: JSON = [
            "type": "Party", "permission": "CREATE", "role": "_icloud", "remove": .bool(true),
        ]
        try await operate("schema/grant", creation)
        try #require(try await save("public", "tea") != ["ok"])
        return paul
    }
}
