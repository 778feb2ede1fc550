import CloudService
import Records
import Testing

@testable import ServerKit
@testable import TestKit

@Suite("The usage in the console", .timeLimit(.minutes(30)))
struct UsagePageTests {
    /// The cells of each row of the record types: name, records, size, files, indexes and share.
    private func types(_ page: String) -> [[String]] {
        let rows = page.matches(
            of: /row"><a href="[^"]*">(\w+)<\/a><\/th>\s*((?:<td class="number">[^<]*<\/td>\s*){5})/)
        return rows.map { row in
            [String(row.1)] + row.2.matches(of: />([^<]*)<\/td>/).map { String($0.1) }
        }
    }

    @Test("The page says what each record type takes up: records, files and indexes, the largest first")
    func types() async throws {
        try await withServer(.loopback) { world in
            try await world.createContainer()
            try await world.importSchema(
                schemaText("name STRING QUERYABLE", "photo ASSET", "GRANT CREATE TO \"_icloud\""))
            let ann = try await world.signIn("ann")
            for index in 0..<3 {
                try await world.save("p\(index)", ["name": ["value": "Ball"]], as: ann)
            }
            let long = String(repeating: "x", count: 5000)
            try await world.save("l", ["text": ["value": .string(long)]], type: "Letter", as: ann)
            let visitor = ConsoleVisitor(world)
            _ = try await visitor.get("/console")
            let made = try await visitor.post(
                ServerWorld.place + "/new?type=Party", ["action": "create", "name": "photo"],
                file: ("file.photo", ConsoleVisitor.image))
            try #require(made.status == 303, "\(made.text)")
            let page = try await visitor.get(ServerWorld.place + "/usage").text
            let rows = types(page)
            #expect(rows.map(\.first) == ["Letter", "Party", "Users"], "\(page)")
            #expect(rows[0][1...3] == ["1", "5.2 kB", "0 bytes"], "\(rows)")
            #expect(rows[1][1] == "4")
            #expect(rows[1][3] == "\(ConsoleVisitor.image.count) bytes", "\(rows)")
            #expect(rows[1][4].hasSuffix("kB") && rows[1][4] != "0 bytes", "\(rows)")
            #expect(page.contains("256 bytes for\nits stamps"), "\(page)")
            let production = try await visitor.get("/console/containers/iCloud.test/production/usage").text
            #expect(types(production).allSatisfy { $0[1] == "0" })
        }
    }

    @Test("Many record types come in pages, and all of them are on one")
    func pages() async throws {
        try await withServer(.loopback) { world in
            try await world.createContainer()
            for index in 10..<40 {
                _ = try await world.service.schemas.addType("T\(index)", in: "iCloud.test")
            }
            let visitor = ConsoleVisitor(world)
            let first = try await visitor.get(ServerWorld.place + "/usage").text
            let next = try #require(first.firstMatch(of: /href="([^"]*from=25)">Next</)?.1)
            let second = try await visitor.get(String(next)).text
            let names = (types(first) + types(second)).map { $0[0] }
            #expect(Set(names).count == 31 && names.count == 31, "\(names)")
        }
    }
}
