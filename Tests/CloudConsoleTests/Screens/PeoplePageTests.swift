import CloudService
import Records
import RecordsWire
import Testing

@testable import ServerKit
@testable import TestKit

@Suite("Long lists in the console", .timeLimit(.minutes(30)))
struct PeoplePageTests {
    @Test("People come in pages by name, and each of them once")
    func pages() async throws {
        try await withServer(.loopback) { world in
            for number in 100..<207 { _ = try await world.service.people.add(Account("p\(number)")) }
            let visitor = ConsoleVisitor(world)
            var (path, seen, sizes) = ("/console/people" as String?, [String](), [Int]())
            while let address = path {
                let page = try await visitor.get(address)
                let names = page.text.matches(of: /<bdi>(p\d+)<\/bdi>/).map { String($0.1) }
                (seen, sizes) = (seen + names, sizes + [names.count])
                path = page.text.firstMatch(of: /href="([^"]*)">Next</).map { String($0.1) }
            }
            #expect(seen == (100..<207).map { "p\($0)" })
            #expect(sizes == [50, 50, 7])
        }
    }

    @Test("The list of people by size begins with those who store the most")
    func bySize() async throws {
        try await withServer(.loopback) { world in
            for (name, bytes) in [("ann", 10), ("bob", 50_000), ("cleo", 20_000)] {
                let person = try await world.signIn(name)
                try await world.call(
                    "private/records/modify",
                    [
                        "operations": [
                            [
                                "operationType": "create",
                                "record": [
                                    "recordName": "r", "recordType": "Party",
                                    "fields": [
                                        "name": ["value": .string(String(repeating: "x", count: bytes))]
                                    ],
                                ],
                            ]
                        ]
                    ], as: person)
            }
            let page = try await ConsoleVisitor(world).get("/console/people?sort=size")
            let rows = page.text.matches(of: /<bdi>(ann|bob|cleo)<\/bdi>/).map { String($0.1) }
            #expect(rows == ["bob", "cleo", "ann"], "\(page.text)")
            #expect(page.text.contains("kB"))
        }
    }

    @Test("A form shows all fields of a type with very many, part by part, and saves each part")
    func fields() async throws {
        try await withServer(.loopback) { world in
            try await world.createContainer()
            let fields = (100..<240).map { "f\($0) STRING" }.joined(separator: ", ")
            try await world.importSchema(schemaText(fields))
            let visitor = ConsoleVisitor(world)
            let new = try await visitor.get(ServerWorld.place + "/new?type=Party")
            #expect(new.text.contains("Fields 1 to 60 of 140."))
            _ = try await visitor.post(
                ServerWorld.place + "/new?type=Party",
                ["action": "create", "name": "p", "value.f100": "first"])
            var seen: [String] = []
            for start in [0, 60, 120] {
                let path = ServerWorld.place + "/record?name=p&from=\(start)"
                var page = try await visitor.get(path)
                seen += page.text.matches(of: /name="value\.(f\d+)"/).map { String($0.1) }
                let tag = String(try #require(page.text.firstMatch(of: /name="tag" value="([^"]*)"/)?.1))
                let field = "value.f\(100 + start + 5)"
                let saved = try await visitor.post(
                    path, pairs: [("action", "save"), ("tag", tag), (field, "part \(start)")])
                #expect(saved.status == 303, "\(saved.text)")
                page = try await visitor.get(path)
                #expect(page.text.contains("part \(start)"))
            }
            #expect(seen == (100..<240).map { "f\($0)" })
            let first = try await visitor.get(ServerWorld.place + "/record?name=p")
            #expect(first.text.contains("first</textarea>") && first.text.contains("part 0"))
        }
    }
}
