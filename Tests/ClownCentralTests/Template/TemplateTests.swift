// Owns the proof that a new app is made of the files that TaskBook and TaskBookTests build.
import Foundation
import Testing

@testable import CloudletShell
@testable import ClownCentral
@testable import CommandShell
@testable import ShellKit

@Suite("The template")
struct TemplateTests {
    /// The app that is built and tested beside this one.
    private static let folder = ShellWorld.package.appendingPathComponent("Tests/TaskBook")

    /// The README's entity, and one of the other kinds, whose fields are called like what stands around them.
    private static let entities = ["Task:title,done:bool,due:date", "Step:text,value:int,weight:real"]

    /// What is made with a deeper test than its text: it is in the package as targets of their own. Set
    /// `CLOUDLET_MAKE_TEMPLATE` to write it anew.
    @Test("makes the app that is built, tested and synced between two devices in this package")
    func made() throws {
        let template = AppTemplate(
            name: "TaskBook", entities: try Self.entities.map(EntitySpec.init), cloudlet: "../cloudlet")
        let files = template.files.filter { $0.path.hasPrefix("Sources") || $0.path.hasPrefix("Tests") }
        #expect(files.count == 14)
        for (path, text) in files {
            let file = Self.folder.appendingPathComponent(path)
            if ProcessInfo.processInfo.environment["CLOUDLET_MAKE_TEMPLATE"] != nil {
                try FileManager.default.createDirectory(
                    at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
                try text.write(to: file, atomically: true, encoding: .utf8)
            }
            #expect(try String(contentsOf: file, encoding: .utf8) == text, "\(path)")
        }
    }

    @Test(
        "makes an app that is, below cloudlet exec, the person whose session is there, unless it is told who")
    func exec() async throws {
        let app = try Program.path("TaskBook")
        let end = try await Program.shell(
            """
            $cloudlet exec --user paul -- sh -c '
              \(app) --data phone task add title=Tea > made && \(app) --data phone sync &&
              \(app) --data tablet sync && \(app) --data tablet task list &&
              \(app) --as mary --data hers sync && \(app) --as mary --data hers task list &&
              echo $CLOUDLET_USER'
            cat made; \(app) --data phone sync
            """)
        #expect(end.output.contains("title=Tea"), "\(end.errors)")
        let lines = end.output.split(separator: "\n").map(String.init)
        #expect(lines.count == 6)
        #expect(lines.prefix(2) == ["in step", "in step"])
        #expect(lines.suffix(from: 2) == [lines[5], "in step", "paul", lines[5]])
        #expect(end.code == 1)
        #expect(end.errors.contains("say who you are: --as PERSON, or CLOUDLET_WEB_AUTH_TOKEN"))
    }

    @Test("makes an app that answers every command, knows whose data it has, and takes beginnings of IDs")
    func answers() async throws {
        let end = try await Program.shell(
            """
            app=\(try Program.path("TaskBook")); for_alice="$app --as alice --data phone task"
            $for_alice add title=Tea due=2026-07-04T18:00:00Z | cut -c 1-8 > id; id=$(cat id)
            $app --as bob --data phone task add title=Mine
            $app --data phone task delete zzz; $app --data phone task edit "" title=Any
            $app --data phone task edit $id due= title='Green tea' | cut -d ' ' -f 3-
            $app --data phone task list | wc -l; $app --data phone task list surplus 2>&1 | head -n 1
            $app --data phone task delete $id | cut -c 1-8; $app --data phone task list
            $app --help | head -n 1
            CLOUDLET_URL=http://127.0.0.1:1 $app --as alice --data phone sync
            """)
        let lines = end.output.split(separator: "\n").map(String.init)
        #expect(
            lines == [
                "title=Green tea  done=no  due=-", "1",
                "error: `task list surplus` is no whole command, or too "
                    + "much of one", "deleted ",
                "TaskBook [--as PERSON] --data FOLDER COMMAND, where COMMAND is",
            ])
        let errors = end.errors.split(separator: "\n").map(String.init)
        #expect(errors.count == 6, "\(errors)")
        #expect(errors[0].hasSuffix("another folder for bob with --data"))
        #expect(errors[1] == "error: there is no task zzz; `task list` shows all")
        #expect(errors[2].hasPrefix("error: which one? Type more of its ID, such as "))
        #expect(errors[3].hasSuffix("title=Tea  done=no  due=2026-07-04T18:00:00Z"))
        #expect(errors[4] == "there is no task")
        #expect(errors[5].hasSuffix("does the server run at http://127.0.0.1:1?"))
        #expect(!errors[5].contains("CKError"))
    }

    @Test("shows in the app's README the lines that the app has with a number and a date more")
    func changes() throws {
        let template = AppTemplate(
            name: "TaskBook", entities: [try EntitySpec("Task:title,until:date")], cloudlet: "/c")
        let more = AppTemplate(
            name: "TaskBook",
            entities: [try EntitySpec("Task:title,until:date,priority:int,starts:date")], cloudlet: "/c")
        let files = Dictionary(uniqueKeysWithValues: more.files.map { ($0.path, $0.text) })
        let blocks = template.readMe.components(separatedBy: "```").filter { $0.hasPrefix("swift\n//") }
        #expect(blocks.count == 2)
        for line in blocks.flatMap({ $0.split(separator: "\n").dropFirst() }) where !line.hasPrefix("//") {
            let holders = files.filter { $0.key.hasSuffix(".swift") && $0.value.contains("    \(line)\n") }
            #expect(holders.count == 1, "\(line)")
        }
        let title = try #require(template.entities.first?.fields.first)
        #expect(title.reading == "title = record[field: \"title\"] ?? title")
        #expect(template.readMe.contains("titleNow = record[field: \"title\"] ?? titleNow\n"))
        #expect(template.readMe.contains("record[field: \"title\"] = titleNow\n"))
    }

    @Test("refuses names with which the app would not build, says why, and suggests another")
    func taken() async throws {
        let entities = [
            "Repository", "Device", "String", "Data", "Date", "Main", "Typed", "Storable", "Trouble", "Owner",
            "Commands", "Testing", "Swift", "Foundation", "Sync", "RecordID", "UUID", "Self", "Model",
        ]
        for name in entities {
            let complaint = #expect(throws: Complaint.self) { try EntitySpec("\(name):title") }
            #expect(complaint?.message.contains("`\(name)`") == true)
            #expect(complaint?.suggestions == ["\(name)Item"])
            #expect(throws: Never.self) { try TakenNames.checkEntity("\(name)Item") }
        }
        let apps = [
            "Foundation", "Swift", "Cloudlet", "CloudKit", "Testing", "LocalReplica", "Main", "Device",
            "Date",
        ]
        for name in apps { #expect(throws: Complaint.self) { try TakenNames.checkApp(name) } }
        for name in ["class", "id", "line", "hashValue", "Title", "a b", "subscript", "any"] {
            #expect(throws: Complaint.self) { try TakenNames.checkField(name) }
        }
        for name in ["Task", "Note", "Record", "A", "Book", "Person"] { _ = try EntitySpec("\(name):text") }
        for name in ["TaskBook", "Tasks", "A"] { try TakenNames.checkApp(name) }
    }

    @Test("knows every module that an app is built with")
    func modules() throws {
        let folder = URL(fileURLWithPath: try Program.path("clown-central")).deletingLastPathComponent()
        let files = try FileManager.default.contentsOfDirectory(
            atPath: folder.appendingPathComponent("Modules").path)
        let modules = files.filter { $0.hasSuffix(".swiftmodule") }.map { $0.prefix { $0 != "." } }
        #expect(modules.contains("GRDB"))
        let own = ["TaskBook", "Benchmarks", "Newcomer", "PerformanceTest", "ShellKit", "TaskShell"]
        for name in modules.map(String.init) where name.first?.isUppercase == true {
            if own.contains(name) || name.hasSuffix("Tests") { continue }
            #expect(throws: Complaint.self, "\(name)") { try TakenNames.checkApp(name) }
        }
    }

    @Test("makes a folder once, and says what is wrong with a name, an entity or a field")
    func refuses() async throws {
        let made = try await Program.shell(
            "$app new Books --entity Book:title,pages:int --cloudlet /c && ls -A Books")
        #expect(made.code == 0, "\(made.errors)")
        #expect(made.output == ".gitignore\nPackage.swift\nREADME.md\nSources\nTests\n")
        let lines = [
            "new books --entity Book:title", "new Books", "new Books --entity book:title",
            "new Books --entity Book", "new Books --entity Book:title,title",
            "new Books --entity Book:title:txt", "new Books --entity Book:class",
            "new Books --entity Books:title", "new Books --entity 'Book:a b'", "new Data --entity Book:title",
            "new Books --entity Book:title --entity BOOK:title", "new Books --entity Date:title",
        ]
        for line in lines {
            let end = try await Program.shell("$app \(line) --cloudlet /c")
            #expect(end.code != 0, "\(line)")
            #expect(!end.errors.isEmpty)
        }
        let twice = "$app new Books --entity Book:title --cloudlet /c"
        #expect(try await Program.shell("\(twice) && \(twice)").code == 1)
    }
}
