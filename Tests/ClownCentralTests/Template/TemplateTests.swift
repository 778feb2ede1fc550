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
