// Owns the proof that a new app is made of the files that TaskBook and TaskBookTests build.
import Foundation
import Testing

@testable import ClownCentral

@Suite("The template")
struct TemplateTests {
    /// The app that is built and tested beside this one.
    private static let folder = ShellWorld.package.appendingPathComponent("Tests/TaskBook")

    /// What is made with a deeper test than its text: it is in the package as targets of their own. Set
    /// `CLOUDLET_MAKE_TEMPLATE` to write it anew.
    @Test("makes the app that is built, tested and synced between two devices in this package")
    func made() throws {
        let template = AppTemplate(
            name: "TaskBook", entities: [try EntitySpec("Task:title,done:bool,due:date")],
            cloudlet: "../cloudlet")
        let files = template.files.filter { $0.path.hasPrefix("Sources") || $0.path.hasPrefix("Tests") }
        #expect(files.count == 9)
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
              \(app) --as mary --data hers sync && \(app) --data hers task list && echo $CLOUDLET_USER'
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

    @Test("makes a folder once, and says what is wrong with a name, an entity or a field")
    func refuses() async throws {
        let made = try await Program.shell(
            "$app new Books --entity Book:title,pages:int --cloudlet /c && ls Books")
        #expect(made.code == 0, "\(made.errors)")
        #expect(made.output == "Package.swift\nREADME.md\nSources\nTests\n")
        let lines = [
            "new books --entity Book:title", "new Books", "new Books --entity book:title",
            "new Books --entity Book", "new Books --entity Book:title,title",
            "new Books --entity Book:title:txt", "new Books --entity Book:class",
            "new Books --entity Books:title", "new Books --entity 'Book:a b'",
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
