import CloudletTesting
import Foundation
import RecordsWire
import Testing

@testable import ServerKit
@testable import TestKit

@Suite("The numbers of the performance page", .timeLimit(.minutes(2)))
struct PerformancePageTests {
    /// The texts of the chart with this title: its summary, then the value of each bar.
    private static func chart(_ title: String, _ page: String) throws -> [String] {
        let figures = page.components(separatedBy: "<figure>")
        let mark = "<figcaption>\(title)</figcaption>"
        let figure = try #require(figures.first { $0.contains(mark) }, "\(page)")
        return figure.matches(of: /<title>[^<]*: ([^<:]*)<\/title>/).map { String($0.1) }
    }

    /// The first cells of the row of an operation in the page's table.
    private static func cells(of operation: String, _ page: String, _ count: Int) throws -> [String] {
        let parts = page.components(separatedBy: "<th scope=\"row\">\(operation)</th>")
        try #require(parts.count == 2, "\(page)")
        let row = parts[1].components(separatedBy: "</tr>")[0]
        return row.matches(of: /<td class="number">([^<]*)<\/td>/).prefix(count).map { String($0.1) }
    }

    private static func bytes(_ body: JSON) throws -> Int { try body.encoded().count }

    /// Makes 36 requests in one hour, and 8 in the first 40 seconds of the next hour. Half of these ask for a
    /// record that does not exist.
    private func work(_ world: ServerWorld) async throws -> (saved: JSON, found: JSON, missing: JSON) {
        let alice = try await world.signIn("alice")
        let bodies = (
            saved: batch([create("p")]), found: names("p"), missing: names("a-record-that-is-missing")
        )
        try await world.call("public/records/modify", bodies.saved, as: alice)
        for _ in 1...35 {
            world.clock.advance(bySeconds: 1)
            try await world.call("public/records/lookup", bodies.found, as: alice)
        }
        world.clock.advance(bySeconds: 3600 - 35)
        for turn in 1...8 {
            world.clock.advance(bySeconds: 5)
            let body = turn.isMultiple(of: 2) ? bodies.missing : bodies.found
            try await world.call("public/records/lookup", body, as: alice)
        }
        return bodies
    }

    @Test("The charts show operations per second, the size of requests, and client errors by the hour")
    func charts() async throws {
        try await withServer(.loopback) { world in
            let bodies = try await work(world)
            let page = try await ConsoleVisitor(world).get(ServerWorld.place + "/performance").text
            // 36 in 3600 seconds, and 8 in 40 seconds.
            #expect(try Self.chart("Operations per second", page) == ["at most 0.2", "0.01", "0.2"])
            let (saved, found) = (try Self.bytes(bodies.saved), try Self.bytes(bodies.found))
            let missing = try Self.bytes(bodies.missing)
            let averages = [(saved + 35 * found) / 36, (4 * found + 4 * missing) / 8].map { "\($0) bytes" }
            let most = "at most \(max((saved + 35 * found) / 36, (4 * found + 4 * missing) / 8)) bytes"
            #expect(try Self.chart("Average request size", page) == [most] + averages)
            #expect(try Self.chart("Requests with a client error", page) == ["at most 50 %", "50 %"])
            #expect(try Self.chart("Requests with a server error", page) == ["at most 0 %"])
        }
    }

    @Test("The claimed length of a body that the server did not read does not count in the charts")
    func claimedLength() async throws {
        try await withServer(.loopback) { world in
            let alice = try await world.signIn("alice")
            let receipt = try await world.upload([1, 2, 3], record: "p", as: alice)
            let saved = try await world.modify("public", [world.photo("p", receipt)], as: alice)
            let field = saved.json["records"][0]["fields"]["file"]["value"]
            let address = try #require(field["downloadURL"].text)
            let file = try await world.send("GET", address, headers: ["Content-Length": "\(Int.max)"])
            #expect(file.bytes == [1, 2, 3])
            let page = try await ConsoleVisitor(world).get(
                ServerWorld.place + "/performance?operation=assets%2Ffetch")
            #expect(page.status == 200)
            #expect(try Self.chart("Average request size", page.text) == ["at most 0 bytes"])
        }
    }

    @Test("The tables show the requests and errors of each operation, and the choices narrow them")
    func tables() async throws {
        try await withServer(.loopback) { world in
            _ = try await work(world)
            let visitor = ConsoleVisitor(world)
            let path = ServerWorld.place + "/performance"
            let page = try await visitor.get(path).text
            #expect(try Self.cells(of: "records/lookup", page, 3) == ["43", "4", "0"])
            #expect(try Self.cells(of: "records/modify", page, 3) == ["1", "0", "0"])
            let one = try await visitor.get(path + "?operation=records%2Fmodify").text
            #expect(try Self.cells(of: "records/modify", one, 1) == ["1"])
            #expect(!one.contains("<th scope=\"row\">records/lookup</th>"))
            #expect(!one.contains("What the errors mean"))
            let lookups = try await visitor.get(path + "?operation=records%2Flookup").text
            #expect(lookups.contains("<th scope=\"row\">notFound</th><td class=\"number\">4</td>"))
            let link = try #require(lookups.firstMatch(of: /href="([^"]*logs\?error=[^"]*)"/)?.1)
            let logs = try await visitor.get(String(link).replacing("&amp;", with: "&")).text
            #expect(logs.matches(of: /<strong>notFound<\/strong>/).count == 4)
            let empty = try await visitor.get(path + "?scope=private").text
            #expect(empty.contains("No requests in this time."))
        }
    }
}
