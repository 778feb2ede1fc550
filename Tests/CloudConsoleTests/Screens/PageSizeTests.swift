import CloudService
import Records
import RecordsWire
import Testing

@testable import ServerKit
@testable import TestKit

@Suite("Pages of very long names", .timeLimit(.minutes(30)))
struct PageSizeTests {
    /// A name of 64 characters. Each of them has 15 bytes, except the digits at the end.
    private static func name(_ number: Int) -> String {
        String(repeating: "e" + String(repeating: "\u{301}", count: 7), count: 61) + "\(number)"
    }

    private func expectSmall(_ path: String, _ visitor: ConsoleVisitor) async throws -> Reply {
        let page = try await visitor.get(path)
        #expect(page.status == 200, "\(path) \(page.text)")
        #expect(page.bytes.count <= 100_000, "\(path) has \(page.bytes.count) bytes")
        return page
    }

    @Test("Lists of people and operators stay small, and lead to everybody")
    func people() async throws {
        try await withClosedConsole { world in
            for number in 100..<160 { _ = try await world.service.people.add(Account(Self.name(number))) }
            for number in 100..<125 { try await world.add(operator: Self.name(number), .viewer) }
            try await world.add(operator: "chief", .admin)
            let chief = try await ConsoleVisitor.signedIn("chief", world)
            for (start, count) in [("/console/people", 60), ("/console/operators", 26)] {
                var (path, found) = (start as String?, 0)
                while let address = path {
                    let page = try await expectSmall(address, chief)
                    found += page.text.matches(of: /<tr><th scope="row">/).count
                    path = page.text.firstMatch(of: /href="([^"]*)">Next</).map { String($0.1) }
                }
                #expect(found == count, "\(start)")
            }
        }
    }

    @Test("The pages of roles and permissions stay small")
    func roles() async throws {
        try await withClosedConsole { world in
            try await world.createContainer()
            try await world.importSchema(schemaText("name STRING"))
            let people = (100..<120).map(Self.name)
            for name in people { _ = try await world.service.people.add(Account(name)) }
            for number in 100..<130 {
                let role = String(repeating: "'", count: 250) + "\(number)"
                _ = try await world.service.schemas.createRole(role, in: "iCloud.test")
                let members = number < 108 ? people : []
                for name in members {
                    _ = try await world.service.access.setRole(
                        role, of: name, isMember: true, in: "iCloud.test", .development)
                }
            }
            try await world.add(operator: "chief", .admin)
            let chief = try await ConsoleVisitor.signedIn("chief", world)
            let page = try await expectSmall(ServerWorld.place + "/roles", chief)
            #expect(page.text.contains("more; the command cloudlet role list shows all"))
            let type = try await expectSmall(ServerWorld.place + "/type?name=Party", chief)
            #expect(type.text.contains("more roles;"))
        }
    }

    @Test("The lists of one's own zones stay small")
    func zones() async throws {
        try await withServer(.loopback) { world in
            let ann = try await world.signIn("ann")
            let names = (100..<160).map { String(repeating: "\"", count: 250) + "\($0)" }
            try await world.save("p", ["name": ["value": "Ball"]], as: ann)
            try await world.call("private/zones/modify", ServerKit.zones(create: names), as: ann)
            let visitor = ConsoleVisitor(world)
            _ = try await visitor.get(ServerWorld.place + "/own")
            _ = try await visitor.post(ServerWorld.place + "/own", ["action": "sign-in", "name": "ann"])
            let page = try await expectSmall(ServerWorld.place + "/zones", visitor)
            #expect(page.text.contains("These are the first zones of each database."))
            _ = try await expectSmall(ServerWorld.place + "/own?type=Party", visitor)
        }
    }

    @Test("A page repeats an address of at most 3000 bytes, and refuses a longer one")
    func longAddresses() async throws {
        try await withServer(.loopback) { world in
            let ann = try await world.signIn("ann")
            try await world.save("p", ["name": ["value": "Ball"]], as: ann)
            let visitor = ConsoleVisitor(world)
            for path in ["/records?type=Party&f1=name&v1=", "/logs?person=", "/own?type=", "/roles?from="] {
                let long = ServerWorld.place + path + String(repeating: "%27", count: 2900)
                _ = try await expectSmall(long, visitor)
                let page = try await visitor.get(long + String(repeating: "x", count: 60_000))
                #expect(page.status == 400, "\(path)")
                #expect(page.text.contains("at most 3000 bytes of names and values"))
                #expect(page.bytes.count <= 100_000, "\(path) has \(page.bytes.count) bytes")
            }
        }
    }
}
