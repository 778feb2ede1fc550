import Foundation
import Testing

@testable import CloudletShell
@testable import ClownCentral
@testable import CommandShell
@testable import ShellKit
@testable import TestKit

@Suite("A new app")
struct TemplateTests {
    /// The package that is built and tested beside this one.
    private static let folder = URL.package.appendingPathComponent("Demo/Template")
    /// The entities of that package.
    private static let entities = [
        "Task:title,done:bool,due:date,tags:list(text),project:ref(Project),photo:photo",
        "Project:name,priority:int,budget:real",
    ]

    private static func text(_ path: String) throws -> String {
        try String(contentsOf: folder.appendingPathComponent(path), encoding: .utf8)
    }

    @Test("is the template itself, when it has the template's name and entities")
    func same() throws {
        let template = AppTemplate(
            name: "TaskBook", entities: try Self.entities.map(EntitySpec.init), cloudlet: "../..")
        let files = template.files
        #expect(files.count == TemplateFiles.all.filter { !$0.path.hasPrefix("Mirrored/") }.count)
        for (path, text) in files { #expect(try Self.text(path) == text, "\(path)") }
    }

    @Test("has its own name and models in place of the template's, in paths, code and README")
    func renamed() throws {
        let entities = ["Plant:name,height:real,room:ref(Room)", "Room:light:int"]
        let template = AppTemplate(
            name: "Garden", entities: try entities.map(EntitySpec.init),
            cloudlet: "https://example.org/cloudlet")
        let files = Dictionary(uniqueKeysWithValues: template.files.map { ($0.path, $0.text) })
        for (path, text) in files {
            for word in ["TaskBook", "Project"] { #expect(!path.contains(word) && !text.contains(word)) }
            #expect(text.firstMatch(of: /\b[Tt]ask\b/) == nil, "\(path)")
        }
        let list = try #require(files["Sources/Garden/Model/Models.swift"])
        #expect(list.contains("[Plant.self, Room.self]"))
        let model = try #require(files["Sources/Garden/Model/Plant.swift"])
        #expect(model.contains("        .reference(\"room\", \\.room, to: Room.self),\n"))
        #expect(model.contains("    var room: String?\n"))
        let readMe = try #require(files["README.md"])
        #expect(readMe.contains("\nplant add name=Tea\nplant list\n"))
        let manifest = try #require(files["Package.swift"])
        #expect(manifest.contains(".package(url: \"https://example.org/cloudlet\", branch: \"main\")"))
    }

    @Test("of the other kind differs in manifest, store, device, sharing, tests and README only")
    func mirrored() throws {
        let entities = try ["Plant:name,rooms:refs(Room)", "Room:light:int"].map(EntitySpec.init)
        func files(_ kind: AppTemplate.Kind) -> [String: String] {
            let template = AppTemplate(kind: kind, name: "Garden", entities: entities, cloudlet: "/c")
            return Dictionary(uniqueKeysWithValues: template.files.map { ($0.path, $0.text) })
        }
        let (records, mirrored) = (files(.records), files(.mirrored))
        let other = mirrored.filter { records[$0.key] != $0.value }.keys.sorted()
        #expect(
            other == [
                "Package.swift", "README.md", "Sources/Garden/Repository/Repository.swift",
                "Sources/Garden/Sync/Device.swift", "Sources/Garden/Sync/Sharing.swift",
                "Tests/GardenTests/GardenTests.swift",
            ])
        #expect(records.keys.sorted() == mirrored.keys.sorted())
        #expect(mirrored["Package.swift"]?.contains("MirroredStore") == true)
        for (path, text) in mirrored {
            #expect(!text.contains("TaskBook") && text.firstMatch(of: /\b[Tt]ask\b/) == nil, "\(path)")
        }
        let model = try #require(mirrored["Sources/Garden/Model/Plant.swift"])
        #expect(model.contains("        .references(\"rooms\", \\.rooms, to: Room.self),\n"))
    }

    @Test("has 400 to 849 lines of code beside its models", arguments: AppTemplate.Kind.allCases)
    func size(kind: AppTemplate.Kind) {
        let sources = AppTemplate.shared(kind).filter { $0.path.hasPrefix("Sources/") }
        let lines = sources.flatMap { $0.text.split(separator: "\n") }
            .filter { !$0.drop(while: \.isWhitespace).hasPrefix("//") }
        #expect((400..<850).contains(lines.count), "\(lines.count)")
    }

    @Test(
        "reports an invalid entity with the next step",
        arguments: [
            ("Plant:name:txt", "did you mean text"), ("Plant:name:txt", "the unknown type `txt`"),
            ("Plant:name:txt", "use one of the types text, bool"), ("Plant:room:ref", "room:ref(Room)"),
            ("Plant:rooms:refs(Plan)", "did you mean refs(Plant)"),
            ("Plant:room:ref()", "room:ref(Room)"), ("Plant:tags:list", "tags:list(text)"),
            ("Plant:tags:list(int)", "tags:list(text)"), ("Plant:room:ref(Plan)", "did you mean ref(Plant)"),
            ("plant:name", "looks like Task:title"), ("Plant", "looks like Task:title"),
            ("Plant:name,name", "have the same name"), ("Plant:class", "did you mean classValue"),
            ("Plant:a b", "ASCII letters, digits and _ only"), ("Plant:Name", "begins in lower case"),
            ("Date:title", "did you mean DateItem"),
            ("Sync:title", "did you mean SyncItem"),
        ]
    )
    func wrong(entity: String, hint: String) async throws {
        let end = try await Program.shell("$app new Garden --entity '\(entity)' --cloudlet /c")
        #expect(end.code != 0)
        #expect(end.errors.contains(hint), "\(end.errors)")
    }

    @Test("refuses names with which it would not build")
    func names() throws {
        for name in ["Repository", "Device", "String", "Date", "Main", "Testing", "Swift", "Self", "Model"] {
            let shellError = #expect(throws: ShellError.self) { try ReservedNames.checkEntity(name) }
            #expect(shellError?.suggestions == ["\(name)Item"])
            #expect(throws: Never.self) { try ReservedNames.checkEntity("\(name)Item") }
        }
        for name in ["Foundation", "Cloudlet", "Testing", "LocalReplica", "Main", "Date", "garden", "A b"] {
            #expect(throws: ShellError.self) { try ReservedNames.checkApp(name) }
        }
        for name in ["class", "id", "hashValue", "Title", "a b", "any"] {
            #expect(throws: ShellError.self) { try ReservedNames.checkField(name) }
        }
        for name in ["Task", "Note", "Record", "Book", "Person", "Room"] {
            try ReservedNames.checkEntity(name)
        }
        for name in ["TaskBook", "Tasks", "A"] { try ReservedNames.checkApp(name) }
    }

    @Test("gets a new folder, and has entities with different names")
    func folder() async throws {
        let new = "$app new Books --cloudlet /c --entity"
        let end = try await Program.shell("\(new) Book:title,pages:int && ls -A Books && \(new) Book:title")
        #expect(end.output == ".gitignore\nPackage.swift\nREADME.md\nSources\nTests\n")
        #expect(end.code == 1)
        #expect(end.errors.contains("the folder Books already exists"))
        for entities in ["Books:title", "Book:title --entity BOOK:title"] {
            #expect(try await Program.shell("\(new) \(entities)").code != 0)
        }
        #expect(try await Program.shell("$app new Books --cloudlet /c").code != 0)
    }

    @Test("uses the session of cloudlet exec, and syncs two devices")
    func exec() async throws {
        let app = try Program.path("TaskBook")
        let end = try await Program.shell(
            """
            echo picture > tea.jpg
            $cloudlet exec --user paul -- sh -c '
              \(app) --data phone -c "project add name=Home" \
                -c "task add title=Tea project=ho photo=tea.jpg" \
                -c "task edit tea done=yes tags=a,b due=2026-07-04" -c sync &&
              \(app) --data tablet -c sync -c "task list" -c "task show tea --json" &&
              \(app) --data tablet --yes -c "project delete home" -c sync &&
              \(app) --data phone -c sync -c "task list"'
            """)
        #expect(end.code == 0, "\(end.errors)")
        #expect(end.output.contains("Tea    yes   2026-07-04 00:00  a, b  Home "), "\(end.output)")
        #expect(end.output.contains("\"photoFile\":\"/"))
        #expect(end.errors.contains("deleted Home and 1 that refer to it"))
        #expect(end.errors.hasSuffix("there is no such task; create one: task add FIELD=VALUE…\n"))
    }

    @Test("reports invalid lines and unreachable servers, and stores the session of the signed-in person")
    func answers() async throws {
        let app = try Program.path("TaskBook")
        let end = try await Program.shell(
            """
            app="\(app) --data phone"
            $app -c 'task add titel=Tea'; $app -c 'task show tea'; $app -c 'task add done=perhaps'
            $app -c sync; $app --server http://127.0.0.1:1 -c 'sign-in paul'; $app --help | head -n 1
            $cloudlet exec -- sh -c 'unset CLOUDLET_WEB_AUTH_TOKEN
              '"$app"' -c "task add title=Tea" -c "sign-in paul" && '"$app"' -c sync; ls -l phone/session'
            """)
        for part in [
            "did you mean title=?", "there is no task `tea`", "it is yes or no, not `perhaps`",
            "check that the server runs", "signed in as paul", "synced: sent 1",
        ] {
            #expect(end.errors.contains(part), "\(part) in \(end.errors)")
        }
        #expect(end.output.contains("-rw------- "), "\(end.output)")
    }
}
