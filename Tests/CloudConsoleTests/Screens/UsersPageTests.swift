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
