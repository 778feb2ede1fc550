import CloudService
import Foundation
import Records
import RecordsWire
import Testing

@testable import CloudConsole
@testable import ServerKit
@testable import TestKit

@Suite("Files in the console", .timeLimit(.minutes(30)))
struct FileTests {
    private func world(_ scenario: (ServerWorld, ConsoleVisitor) async throws -> Void) async throws {
        try await withServer(.loopback) { world in
            try await world.createContainer()
            try await world.importSchema(schemaText("name STRING", "photo ASSET", "photos LIST<ASSET>"))
            let visitor = ConsoleVisitor(world)
            _ = try await visitor.get("/console")
            try await scenario(world, visitor)
        }
    }

    private let record = ServerWorld.place + "/record?name=p"

    private func create(_ bytes: [UInt8], _ visitor: ConsoleVisitor) async throws -> Reply {
        try await visitor.post(
            ServerWorld.place + "/new?type=Party", ["action": "create", "name": "p", "value.name": "Ball"],
            file: ("file.photo", bytes))
    }

    private func tag(_ page: Reply) throws -> String {
        String(try #require(page.text.firstMatch(of: /name="tag" value="([^"]*)"/)?.1))
    }

    @Test("An image is uploaded with the form of a new record, shown on its page, and downloaded as it is")
    func upload() async throws {
        try await world { world, visitor in
            let made = try await create(ConsoleVisitor.image, visitor)
            #expect(made.status == 303, "\(made.text)")
            let page = try await visitor.get(record)
            let source = try #require(page.text.firstMatch(of: /<img class="preview" src="([^"]*)"/)?.1)
            let shown = try await visitor.get(String(source).replacing("&amp;", with: "&"))
            #expect(shown.bytes == ConsoleVisitor.image)
            #expect(shown.headers["Content-Type"] == "image/png")
            #expect(shown.headers["Content-Security-Policy"] == Console.filePolicy)
            #expect(shown.headers["X-Content-Type-Options"] == "nosniff")
            let link = try #require(page.text.firstMatch(of: /href="(\/assets\/[^"]*)"/)?.1)
            let file = try await world.send("GET", String(link))
            #expect(file.bytes == ConsoleVisitor.image)
            let log = try await world.service.operators.audit(of: "iCloud.test", before: nil)
            #expect(log.first?.action == "record.create")
        }
    }

    @Test("A file that is no image is offered for download only, however it is named")
    func page() async throws {
        try await world { _, visitor in
            _ = try await create(
                Array("<svg onload=\"alert(1)\"><script>alert(1)</script></svg>".utf8), visitor)
            let page = try await visitor.get(record)
            #expect(!page.text.contains("<img"))
            #expect(page.text.contains("/assets/"))
            let refused = try await visitor.get(ServerWorld.place + "/image?name=p&field=photo")
            #expect(refused.status == 400 && !refused.text.contains("alert(1)"))
        }
    }

    @Test("A file is replaced and removed; a form without one leaves it")
    func change() async throws {
        try await world { _, visitor in
            _ = try await create(ConsoleVisitor.image, visitor)
            var page = try await visitor.get(record)
            _ = try await visitor.post(
                record, ["action": "save", "tag": try tag(page), "value.name": "New"])
            page = try await visitor.get(record)
            #expect(page.text.contains("<img"))
            let saved = try await visitor.post(
                record, ["action": "save", "tag": try tag(page)],
                file: ("file.photo", Array("text".utf8)))
            #expect(saved.status == 303, "\(saved.text)")
            page = try await visitor.get(record)
            #expect(!page.text.contains("<img") && page.text.contains("a file of 4 bytes"))
            _ = try await visitor.post(
                record, ["action": "save", "tag": try tag(page), "remove.photo": "1"])
            page = try await visitor.get(record)
            #expect(page.text.contains(">not set"), "\(page.text)")
            #expect(!page.text.contains("/assets/"))
        }
    }

    /// The sizes of the files of the page, each with whether it is shown as an image.
    private func files(_ page: Reply) -> [String] {
        page.text.matches(of: /a file of (\d+) bytes.*?(<img|<label)/.dotMatchesNewlines())
            .map { "\($0.1)" + ($0.2 == "<img" ? " image" : "") }
    }

    @Test("Files are added to a list, shown and downloaded each by itself, and removed one by one")
    func list() async throws {
        try await world { world, visitor in
            let image = "\(ConsoleVisitor.image.count) image"
            let made = try await visitor.post(
                ServerWorld.place + "/new?type=Party", ["action": "create", "name": "p"],
                file: ("file.photos", Array("text".utf8)))
            #expect(made.status == 303, "\(made.text)")
            var page = try await visitor.get(record)
            #expect(files(page) == ["4"], "\(page.text)")
            for bytes in [ConsoleVisitor.image, Array("other".utf8)] {
                let saved = try await visitor.post(
                    record, ["action": "save", "tag": try tag(page)], file: ("file.photos", bytes))
                #expect(saved.status == 303, "\(saved.text)")
                page = try await visitor.get(record)
            }
            #expect(files(page) == ["4", image, "5"], "\(page.text)")
            let source = try #require(page.text.firstMatch(of: /<img class="preview" src="([^"]*)"/)?.1)
            let shown = try await visitor.get(String(source).replacing("&amp;", with: "&"))
            #expect(shown.bytes == ConsoleVisitor.image)
            let links = page.text.matches(of: /href="(\/assets\/[^"]*)"/).map { String($0.1) }
            try #require(links.count == 3)
            #expect(try await world.send("GET", links[2]).text == "other")
            let pairs = [
                ("action", "save"), ("tag", try tag(page)), ("remove-file.0.photos", "1"),
                ("remove-file.2.photos", "1"),
            ]
            _ = try await visitor.post(record, pairs: pairs)
            page = try await visitor.get(record)
            #expect(files(page) == [image], "\(page.text)")
            let saved = try await visitor.post(
                record,
                ["action": "save", "tag": try tag(page), "remove-file.0.photos": "1", "value.name": "New"],
                file: ("file.photos", Array("last".utf8)))
            #expect(saved.status == 303, "\(saved.text)")
            page = try await visitor.get(record)
            #expect(files(page) == ["4"] && page.text.contains(">\nNew</textarea>"), "\(page.text)")
            _ = try await visitor.post(
                record, ["action": "save", "tag": try tag(page), "remove-file.0.photos": "1"])
            page = try await visitor.get(record)
            #expect(files(page) == [] && page.text.contains(">not set"), "\(page.text)")
        }
    }

    @Test("A form with a file needs its CSRF token, and has a limited length")
    func limits() async throws {
        try await world { world, visitor in
            let stranger = ConsoleVisitor(world)
            let forged = try await create(ConsoleVisitor.image, stranger)
            #expect(forged.status == 403)
            let long = try await create(Array(repeating: 1, count: 4_194_304), visitor)
            #expect(long.status == 413 || long.status == 400, "\(long.status)")
            let page = try await visitor.get(record)
            #expect(page.status == 404)
        }
    }
}
