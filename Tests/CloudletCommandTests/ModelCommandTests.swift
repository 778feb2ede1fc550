import Foundation
import Testing

@testable import ServerKit
@testable import TestKit

@Suite("cloudlet schema with data models", .timeLimit(.minutes(30)))
struct ModelCommandTests {
    private static let models = URL.package.appending(path: "Data/Models")
    private static let circus = models.appending(path: "Circus.xcdatamodeld").path

    private func run(_ arguments: String...) async throws -> Program.End {
        try await Command(["schema"] + arguments).end()
    }

    @Test("The schema of a configuration is printed without a server, and a server imports it")
    func fromModel() async throws {
        let printed = try await run("from-model", Self.circus, "--configuration", "Cloud")
        let golden = try String(contentsOf: Self.models.appending(path: "Circus-Cloud.ckdb"), encoding: .utf8)
        #expect((printed.code, printed.errors) == (0, ""))
        #expect(printed.output == golden)
        try await withFolder { folder in
            let data = folder.appendingPathComponent("data").path
            let server = try Command("serve", "--data", data, "--port", "0", "--open")
            _ = try await server.address()
            let made = try await Command("container", "create", "iCloud.org.example.circus", "--data", data)
                .end()
            #expect(made.code == 0)
            let file = folder.appendingPathComponent("circus.ckdb")
            try printed.output.write(to: file, atomically: true, encoding: .utf8)
            let imported = try await run(
                "import", "iCloud.org.example.circus", file.path, "--data", data, "--yes")
            #expect(imported.code == 0, "\(imported.errors)")
            let exported = try await run("export", "iCloud.org.example.circus", "--data", data)
            // The type of user records follows, which every container has.
            #expect(exported.output.hasPrefix(golden))
            #expect(await server.stop().code == 0)
        }
    }

    @Test("All broken rules of a model are listed, and a model with configurations needs --configuration")
    func refused() async throws {
        let whole = try await run("from-model", Self.circus)
        #expect((whole.code, whole.output) == (1, ""))
        #expect(
            whole.errors == """
                cloudlet: warning: Circus 2.xcdatamodel: all entities are included; choose a configuration \
                with --configuration: Cloud, Local, Sensors
                cloudlet: Circus 2.xcdatamodel: Draft.text: it is neither optional nor has a default value - \
                make it optional, or give it a default value
                cloudlet: Circus 2.xcdatamodel: Draft.pages: its delete rule is deny, and a deletion on \
                another device cannot be refused - use the delete rule nullify or cascade
                cloudlet: it is not optional, and objects arrive before those at the other end [Circus \
                2.xcdatamodel: Page.draft]; make the relationship optional

                """)
        let missing = try await run("from-model", "none.xcdatamodeld")
        #expect(missing.code == 1)
        #expect(missing.errors.contains("the folder cannot be read ["))
        let unknown = try await run("from-model", Self.circus, "--configuration", "Cluod")
        #expect(unknown.errors.contains(#"use one of ["Cloud", "Local", "Sensors"]"#))
    }

    @Test("Each type, field and asset field that an exported schema lacks for a model is named and mended")
    func checked() async throws {
        try await withFolder { folder in
            let golden = try String(
                contentsOf: Self.models.appending(path: "Circus-Cloud.ckdb"), encoding: .utf8)
            let development = folder.appendingPathComponent("development.ckdb")
            let production = folder.appendingPathComponent("production.ckdb")
            try golden.write(to: development, atomically: true, encoding: .utf8)
            // Production lacks a type, a field and a twin, and has a field of another type.
            let less = golden.replacing(#/    RECORD TYPE CD_Tag [^;]*;\n/#, with: "")
                .replacing(#/ +CD_website [^\n]*\n/#, with: "")
                .replacing(#/ +CD_poster_ckAsset [^\n]*\n/#, with: "")
                .replacing(/CD_soldTickets +INT64/, with: "CD_soldTickets DOUBLE")
            try less.write(to: production, atomically: true, encoding: .utf8)

            let model = ["--model", Self.circus, "--configuration", "Cloud"]
            let check = try await Command(
                ["schema", "check", development.path, production.path] + model
            ).end()
            #expect(check.code == 1)
            let gone = [
                ("CD_entityName", "STRING"), ("CD_moveReceipt", "BYTES"),
                ("CD_moveReceipt_ckAsset", "ASSETID"),
                ("CD_name", "STRING"), ("CD_name_ckAsset", "ASSETID"),
            ].map { "Field '\($0)' of type 'CD_Tag' is \($1) in the model and is missing" }
            let expected =
                [
                    "Field 'CD_poster_ckAsset' of type 'CD_Show' is ASSETID in the model and is missing",
                    "Field 'CD_soldTickets' of type 'CD_Show' is INT64 in the model and is DOUBLE",
                    "Field 'CD_website' of type 'CD_Show' is STRING in the model and is missing",
                    "Record type 'CD_Tag' is in the model and is missing",
                ] + gone
            let said = check.errors.components(separatedBy: "\n").filter { !$0.isEmpty }
            #expect(
                said.first
                    == "cloudlet: \(development.path) has all record types and fields of \(Self.circus)")
            let gapLines = expected.map { "cloudlet: \(production.path): \($0)" }
            #expect(Array(said.dropFirst().dropLast()) == gapLines)
            #expect(said.last?.hasPrefix("cloudlet: add them to the schema of development ") == true)

            let json = try await Command(["schema", "check", production.path, "--json"] + model).end()
            #expect(json.code == 1)
            let gaps = try JSON(Array(json.output.utf8))["gaps"].elements
            #expect(gaps.count == expected.count)
            let unsettled = gaps.filter { $0["isMended"] == false }.map { $0["field"].text }
            #expect(unsettled == ["CD_soldTickets"])

            let partly = try await Command(["schema", "check", production.path, "--repair"] + model).end()
            #expect(partly.code == 1)
            #expect(partly.errors.hasSuffix("has fields of other types, which you must resolve\n"))
            let mended = try String(contentsOf: production, encoding: .utf8)
            let corrected = mended.replacing(/CD_soldTickets( +)DOUBLE/) { "CD_soldTickets\($0.1)INT64" }
            #expect(corrected == golden)
        }
    }

    @Test("--model excludes the options of a server, and --configuration needs --model")
    func usage() async throws {
        let cases: [([String], String)] = [
            (["a.ckdb", "b.ckdb"], "Name one file; only --model compares several."),
            (["a.ckdb", "--configuration", "C"], "--configuration belongs to a data model"),
            (["a.ckdb", "--model", Self.circus, "--container", "c"], "--model needs no server"),
            (["a.ckdb", "--model", Self.circus, "--data", "d"], "--model needs no server"),
        ]
        for (arguments, message) in cases {
            let end = try await Command(["schema", "check"] + arguments).end()
            #expect(end.code == 2)
            #expect(end.errors.contains(message), "\(end.errors)")
        }
        let missing = try await run("check", "none.ckdb", "--model", Self.circus, "--configuration", "Cloud")
        #expect(missing.code == 1)
        #expect(missing.errors.contains("the schema file cannot be read [none.ckdb]"))
    }
}
