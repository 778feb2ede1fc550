import CloudletTesting
import Foundation
import Testing

@testable import ServerKit
@testable import TestKit

@Suite("The tables behind the charts of the performance page", .timeLimit(.minutes(2)))
struct PerformanceTableTests {
    /// The headings of the numbers of a table, and the cells of its rows by their first one.
    private func table(after heading: String, _ page: String) throws -> [String: [String: String]] {
        let parts = page.components(separatedBy: "<h2>\(heading)</h2>")
        try #require(parts.count == 2, "\(page)")
        let table = parts[1].components(separatedBy: "</table>")[0]
        let headings = table.matches(of: /<th scope="col" class="number">([^<]*)</).map { String($0.1) }
        var rows: [String: [String: String]] = [:]
        for row in table.components(separatedBy: "</tr>") {
            guard let name = row.firstMatch(of: /<th scope="row">([^<]*)</)?.1 else { continue }
            let cells = row.matches(of: /<td class="number">([^<]*)</).map { String($0.1) }
            #expect(cells.count == headings.count, "\(headings) \(cells)")
            rows[String(name)] = Dictionary(uniqueKeysWithValues: zip(headings, cells))
        }
        return rows
    }

    @Test("Both tables have the operations per second, the shares of errors and the pushes")
    func figures() async throws {
        try await withServer(.loopback) { world in
            let alice = try await world.signIn("alice")
            for number in 1...10 {
                world.clock.advance(bySeconds: 4)
                try await world.call(
                    "public/records/lookup", names(number > 6 ? "a-record-that-is-missing" : "x"), as: alice)
            }
            let visitor = ConsoleVisitor(world)
            let page = try await visitor.get(ServerWorld.place + "/performance?operation=records%2Flookup")
                .text
            let row = try #require(try table(after: "By operation", page)["records/lookup"])
            #expect(row["Requests"] == "10", "\(row)")
            #expect(row["Client error share"] == "100 %" && row["Server error share"] == "0 %", "\(row)")
            // 10 requests in the first 40 seconds of the hour.
            #expect(row["Per second"] == "0.25", "\(row)")
            #expect(row["Pushes"] == "0")
            let hours = try table(after: "By hour", page)
            #expect(hours.count == 1 && hours.values.first?["Per second"] == "0.25", "\(hours)")
            #expect(hours.values.first?["Client error share"] == "100 %")
            #expect(page.contains("<figcaption>Average answer size</figcaption>"))
        }
    }

    @Test("Pushes have a chart and a column as soon as one was to be sent")
    func pushes() async throws {
        try await withServer(.loopback) { world in
            let alice = try await world.signIn("alice")
            try await world.call("private/zones/modify", zones(create: ["Notes"]), as: alice)
            let visitor = ConsoleVisitor(world)
            let path = ServerWorld.place + "/performance"
            #expect(try await !visitor.get(path).text.contains("<figcaption>Pushes</figcaption>"))
            try await world.subscribe("private", [zoneSubscription("s", "Notes")], as: alice)
            let courier = try await world.courier(of: alice, on: "phone")
            try await world.modify("private", [create("n", type: "Note")], zone: "Notes", as: alice)
            _ = try await world.polled(courier)
            let page = try await visitor.get(path).text
            #expect(page.contains("<figcaption>Pushes</figcaption>"), "\(page)")
            let hours = try table(after: "By hour", page)
            #expect(hours.values.contains { $0["Pushes"] != "0" }, "\(hours)")
        }
    }

    @Test("A page with requests in every minute has at most 100 KB")
    func size() async throws {
        try await withServer(.loopback) { world in
            let alice = try await world.signIn("alice")
            for minute in 0..<60 {
                try await world.call("public/records/lookup", names("r\(minute)"), as: alice)
                try await world.call("public/users/caller", [:], as: alice)
                world.clock.advance(bySeconds: 60)
            }
            let page = try await ConsoleVisitor(world).get(
                ServerWorld.place + "/performance?period=minute")
            #expect(page.text.matches(of: /<tr><th scope="row">2/).count > 50, "\(page.text)")
            #expect(page.bytes.count <= 100_000, "\(page.bytes.count)")
        }
    }
}
