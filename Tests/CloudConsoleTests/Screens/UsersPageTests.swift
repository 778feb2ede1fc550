import Testing

@testable import ServerKit
@testable import TestKit

@Suite("The people of a container in the console", .timeLimit(.minutes(2)))
struct UsersPageTests {
    /// Alice and Bob use the app and have a role in it. Only Bob agreed to be found.
    private func people(_ world: ServerWorld) async throws -> (alice: Person, bob: Person) {
        let alice = try await world.signIn("alice-who-hides")
        let bob = try await world.signIn("bob-in-public")
        _ = try await world.importSchema(schemaText("x INT64", roles: ["Staff"]))
        for person in [alice, bob] {
            let given = try await world.role("grant", "Staff", person.name)
            try #require(given.status == 200, "\(given.text)")
        }
        try await world.call("public/users/permission", ["userDiscoverability": true], as: bob)
        return (alice, bob)
    }

    @Test("The page of users lists all by their records, and names those who agreed to be found")
    func users() async throws {
        try await withServer(.loopback) { world in
            let (alice, bob) = try await people(world)
            let page = try await ConsoleVisitor(world).get(ServerWorld.place + "/users").text
            let rows = page.matches(of: /<th scope="row">([^<]*)<\/th><td><bdi>([^<]*)<\/bdi>/)
            let names = Dictionary(uniqueKeysWithValues: rows.map { (String($0.1), String($0.2)) })
            #expect(names == [alice.recordName: "", bob.recordName: bob.name])
            #expect(!page.contains(alice.name))
        }
    }

    @Test("The page of users shows the roles of each user, and leads developers to their form")
    func roles() async throws {
        try await withServer(.loopback) { world in
            let (alice, bob) = try await people(world)
            _ = try await world.importSchema(schemaText("x INT64", roles: ["Staff", "Boss", "Guest"]))
            _ = try await world.role("grant", "Boss", bob.name)
            let visitor = ConsoleVisitor(world)
            let page = try await visitor.get(ServerWorld.place + "/users").text
            let rows = page.matches(
                of: /row">([^<]*)<\/th><td>.*?class="roles"><bdi>([^<]*)<\/bdi> <a href="([^"]*)"/
                    .dotMatchesNewlines())
            let roles = Dictionary(uniqueKeysWithValues: rows.map { (String($0.1), String($0.2)) })
            #expect(roles == [alice.recordName: "Staff", bob.recordName: "Boss, Staff"], "\(page)")
            let first = try #require(rows.first)
            let form = try await visitor.get(String(first.3))
            #expect(form.text.contains("value=\"\(first.1)\""), "\(form.text)")
            let production = try await visitor.get("/console/containers/iCloud.test/production/users").text
            #expect(!production.contains("Staff"))
        }
    }

    @Test("The page of users shows the size of each user's public records")
    func sizes() async throws {
        try await withServer(.loopback) { world in
            let (alice, bob) = try await people(world)
            let text = String(repeating: "x", count: 5000)
            try await world.save("long", ["name": ["value": .string(text)]], type: "Letter", as: alice)
            let usage = try await ConsoleVisitor(world).get(ServerWorld.place + "/usage").text
            #expect(usage.contains("\(ServerWorld.place)/users"))
            let page = try await ConsoleVisitor(world).get(ServerWorld.place + "/users").text
            let rows = page.matches(
                of: /row">([^<]*)<\/th><td><bdi>[^<]*<\/bdi><\/td><td\s+class="number">([^<]*)</)
            let sizes = Dictionary(uniqueKeysWithValues: rows.map { (String($0.1), String($0.2)) })
            #expect(sizes[alice.recordName]?.hasPrefix("5.") == true, "\(page)")
            #expect(sizes[bob.recordName] == "0 bytes", "\(page)")
        }
    }

    @Test("Who stores most in the public database is on the page of the usage, the largest first")
    func creators() async throws {
        try await withServer(.loopback) { world in
            let (alice, bob) = try await people(world)
            func save(_ name: String, _ bytes: Int, as person: Person) async throws {
                let text = String(repeating: "x", count: bytes)
                try await world.save(name, ["text": ["value": .string(text)]], type: "Letter", as: person)
            }
            for name in ["a1", "a2"] { try await save(name, 2000, as: alice) }
            try await save("b1", 9000, as: bob)
            _ = try await world.modify("private", [create("secret")], as: alice)
            let visitor = ConsoleVisitor(world)
            _ = try await visitor.get("/console")
            let made = try await visitor.post(
                ServerWorld.place + "/new?type=Letter",
                ["action": "create", "name": "o", "value.text": String(repeating: "y", count: 500)])
            try #require(made.status == 303, "\(made.text)")
            let page = try await visitor.get(ServerWorld.place + "/usage").text
            #expect(
                Self.creators(page) == [
                    [bob.recordName, bob.name, "1"], [alice.recordName, "", "2"],
                    ["_operator", "(operators of the console)", "1"],
                ])
            #expect(!page.contains(alice.name))
            let list = try await world.operate("GET", "containers/iCloud.test/development/creators")
            #expect(list.json["creators"].elements.map { $0["records"] } == [1, 2, 1], "\(list.text)")
            #expect(list.json["creators"].elements.map { $0["kind"] } == ["person", "person", "operators"])
            // The holder of the operator's key can read every account.
            #expect(list.json["creators"].texts("person") == [bob.name, alice.name, nil])
            let production = try await world.operate("GET", "containers/iCloud.test/production/creators")
            #expect(production.json["creators"].elements.isEmpty)
        }
    }

    /// The record name, the name and the number of records in each row of the creators.
    private static func creators(_ page: String) -> [[String]] {
        let rows = page.matches(
            of: /row">([^<]*)<\/th>\s*<td>([^<]*)<bdi>([^<]*)<\/bdi><\/td>\s*<td class="number">([^<]*)</)
        return rows.map { [String($0.1), String($0.2) + String($0.3), String($0.4)] }
    }

    @Test("The creators come in pages, and a wrong place in their list is refused")
    func pages() async throws {
        try await withServer(.loopback) { world in
            for number in 1...30 {
                let person = try await world.signIn("person-\(number)")
                try await world.save("r\(number)", ["n": ["value": .integer(7)]], type: "Letter", as: person)
            }
            let visitor = ConsoleVisitor(world)
            var path = ServerWorld.place + "/usage"
            var names: [String] = []
            for count in [25, 5] {
                let page = try await visitor.get(path)
                let found = Self.creators(page.text)
                #expect(found.count == count)
                names += found.map { $0[0] }
                let next = page.text.firstMatch(of: /href="([^"]*)">Next</)?.1
                #expect((next != nil) == (count == 25))
                path = next.map { String($0).replacing("&amp;", with: "&") } ?? path
            }
            #expect(Set(names).count == 30)
            for place in ["x", ":", "1:", "99999999999999999999:_a"] {
                let call = "containers/iCloud.test/development/creators?after=\(place)"
                #expect(try await world.operate("GET", call).status == 400, "\(place)")
                let page = try await visitor.get(ServerWorld.place + "/usage?after=\(place)")
                #expect(page.status == 400, "\(place)")
            }
        }
    }

    @Test("The members of a role have a name under the same condition, for every operator")
    func members() async throws {
        try await withServer(.loopback) { world in
            let (alice, bob) = try await people(world)
            let page = try await ConsoleVisitor(world).get(ServerWorld.place + "/roles").text
            let members = Set(page.matches(of: /<li><bdi>([^<]*)<\/bdi>/).map { String($0.1) })
            #expect(members == [alice.recordName, bob.name])
            #expect(!page.contains(alice.name))
        }
    }

    @Test("A person who withdraws the agreement has no name any more")
    func withdrawn() async throws {
        try await withServer(.loopback) { world in
            let bob = try await people(world).bob
            try await world.call("public/users/permission", ["userDiscoverability": false], as: bob)
            for page in ["users", "roles"] {
                let text = try await ConsoleVisitor(world).get(ServerWorld.place + "/" + page).text
                #expect(text.contains(bob.recordName), "\(page)")
                #expect(!text.contains(bob.name), "\(page)")
            }
        }
    }
}
