import CloudService
import Records
import RecordsWire
import Testing

@testable import ServerKit
@testable import TestKit

@Suite("Hostile texts in the console", .timeLimit(.minutes(30)))
struct HostileTextTests {
    private static let evil = #"<script>alert("x")</script>'&"#
    private static let evilPath = PercentEncoding.encode(evil)

    @Test("Names and fields are shown as text and never as HTML")
    func escaping() async throws {
        try await withServer(.loopback) { world in
            let ann = try await world.signIn("ann")
            // A combining mark follows the quotation mark. A comparison by `Character` would not find that
            // mark.
            let text = Self.evil + "\"\u{301} onfocus=alert(1) x=\""
            try await world.save(Self.evil, ["name": ["value": .string(text)]], as: ann)
            _ = try await world.service.schemas.createRole("<b>role</b>", in: "iCloud.test")
            let visitor = ConsoleVisitor(world)
            let paths = [
                "/records?type=Party", "/record?name=\(Self.evilPath)", "/delete?name=\(Self.evilPath)",
                "/record?name=\(Self.evilPath)x", "/records?type=\(Self.evilPath)",
                "/records?type=Party&f1=\(Self.evilPath)&v1=\(Self.evilPath)", "/roles", "/type?name=Party",
                "/new?type=\(Self.evilPath)", "/schema", "/deploy", "/audit", "/own?type=\(Self.evilPath)",
                "/logs?person=\(Self.evilPath)&record=\(Self.evilPath)", "/logs", "/settings",
                "/own-record?name=\(Self.evilPath)", "/zones", "/subscriptions?from=\(Self.evilPath)",
                "/image?name=\(Self.evilPath)&field=\(Self.evilPath)",
            ]
            for path in paths {
                let page = try await visitor.get(ServerWorld.place + path)
                #expect(!page.text.contains("<script"), "\(path)")
                #expect(!page.text.contains("<b>"), "\(path)")
                #expect(
                    !page.text.unicodeScalars.map(String.init).joined(separator: " ").contains("\" \u{301}"))
            }
            let page = try await visitor.get(ServerWorld.place + "/record?name=\(Self.evilPath)")
            #expect(page.text.contains("&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt;&#39;&amp;"))
            let nowhere = try await visitor.get("/console/\(Self.evilPath)")
            #expect(nowhere.status == 404)
            #expect(!nowhere.text.contains("<script"))
        }
    }

    @Test("Pages stay small, regardless of the size of the records")
    func size() async throws {
        try await withServer(.loopback) { world in
            let ann = try await world.signIn("ann")
            let long = String(repeating: "\"<&", count: 3000)
            let fields: [(String, JSON)] = (1...80).map { ("field\($0)", ["value": .string(long)]) }
            let object = JSON.object(Dictionary(uniqueKeysWithValues: fields))
            for number in 1...25 {
                let name = String(repeating: "\"", count: 240) + "\(number)"
                try await world.save(
                    name, number == 1 ? object : ["field1": ["value": .string(long)]], as: ann)
            }
            let visitor = ConsoleVisitor(world)
            let name = PercentEncoding.encode(String(repeating: "\"", count: 240) + "1")
            for path in [
                "/records?type=Party", "/record?name=\(name)", "/delete?name=\(name)", "/type?name=Party",
                "/new?type=Party", "/schema", "/deploy", "/types", "/logs", "/zones", "/settings",
                "/record?name=\(name)&from=60",
            ] {
                let page = try await visitor.get(ServerWorld.place + path)
                #expect(page.status == 200, "\(path)")
                #expect(page.bytes.count <= 100_000, "\(path) has \(page.bytes.count) bytes")
            }
        }
    }
}
