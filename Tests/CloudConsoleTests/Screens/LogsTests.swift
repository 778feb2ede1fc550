import CloudService
import CloudletServer
import CloudletTesting
import Records
import RecordsWire
import Testing

@testable import ServerKit
@testable import TestKit

@Suite("The last requests in the console", .timeLimit(.minutes(30)))
struct LogsTests {
    private let path = ServerWorld.place + "/logs"

    /// Alice saves a public and a private record, each twice, so that the second one is refused.
    private func work(_ world: ServerWorld) async throws -> Person {
        let alice = try await world.signIn("alice")
        for (database, name) in [("public", "open-party"), ("private", "secret-party")] {
            for _ in 1...2 {
                try await world.call(
                    "\(database)/records/modify",
                    [
                        "operations": [
                            [
                                "operationType": "create",
                                "record": ["recordName": .string(name), "recordType": "Party"],
                            ]
                        ]
                    ], as: alice)
            }
        }
        return alice
    }

    @Test("The page lists the last requests with what their errors mean, and nothing of private records")
    func page() async throws {
        try await withServer(.loopback) { world in
            let alice = try await work(world)
            let visitor = ConsoleVisitor(world)
            let page = try await visitor.get(path)
            let code = try #require(world.service.history.page(RequestFilter()).requests.first?.errors.first)
            for text in ["records/modify", "open-party", alice.recordName, code.guide.remedy] {
                #expect(page.text.contains(text), "\(text) \(page.text)")
            }
            #expect(!page.text.contains("secret-party"))
            let kept = world.service.history.page(RequestFilter()).requests.filter { $0.database == .private }
            #expect(kept.map(\.errors) == [[code], []])
            let isEmpty = kept.allSatisfy {
                $0.recordNames.isEmpty && $0.reason == nil && $0.responseBytes == nil
                    && $0.requestBytes == nil
            }
            #expect(isEmpty)
        }
    }

    @Test("The filter finds the requests of a person, an operation, an error and a public record")
    func filter() async throws {
        try await withServer(.loopback) { world in
            let alice = try await work(world)
            let visitor = ConsoleVisitor(world)
            func rows(_ query: String) async throws -> Int {
                let text = try await visitor.get(path + "?" + query).text
                return text.matches(of: /<td class="time">records\/modify<\/td>/).count
            }
            #expect(try await rows("") == 4)
            #expect(try await rows("person=\(alice.recordName)&operation=records%2Fmodify") == 4)
            #expect(try await rows("person=nobody") == 0)
            let newest = world.service.history.page(RequestFilter()).requests.first
            let code = try #require(newest?.errors.first)
            #expect(try await rows("error=\(code.rawValue)") == 2)
            // The protocol's spelling, which may stand for several errors.
            #expect(try await rows("error=\(code.wireName)") == 2)
            let chosen = try await visitor.get(path + "?error=ACCESS_DENIED").text
            #expect(chosen.contains("<option value=\"ACCESS_DENIED\""))
            #expect(try await rows("record=open-party") == 2)
            #expect(try await rows("record=secret-party") == 0)
        }
    }

    @Test("The operator's call has the sign-in name of the person who sent a request, and the page does not")
    func names() async throws {
        try await withServer(.loopback) { world in
            let alice = try await work(world)
            let answer = try await world.operate("GET", "requests?operation=records%2Fmodify")
            let names = answer.json["requests"].texts("personName")
            #expect(names == Array(repeating: "alice", count: 4))
            let page = try await ConsoleVisitor(world).get(path)
            #expect(page.text.contains("<bdi>\(alice.recordName)</bdi>"))
            #expect(!page.text.contains("<bdi>alice</bdi>"))
        }
    }

    @Test("The page and the operator's call say that older requests are no longer kept")
    func forgotten() async throws {
        try await withServer(.loopback, { $0.limits.loggedRequests = 3 }) { world in
            _ = try await work(world)
            let page = try await ConsoleVisitor(world).get(path)
            #expect(page.text.contains("id=\"forgotten\""), "\(page.text)")
            let answer = try await world.operate("GET", "requests").json
            #expect(answer["kept"].number == 3)
            #expect((answer["answered"].number ?? 0) > 3)
        }
        try await withServer(.loopback) { world in
            _ = try await work(world)
            #expect(try await !ConsoleVisitor(world).get(path).text.contains("id=\"forgotten\""))
        }
    }

    @Test("The text of a refused creation names the record type")
    func refusedCreation() async throws {
        try await withServer(.loopback) { world in
            let alice = try await work(world)
            _ = try await world.service.schemas.setGrant(
                .create, on: "Party", to: "_icloud", in: "iCloud.test", isThere: false)
            let reply = try await world.call(
                "public/records/modify", batch([create("other-party", type: "Party")]), as: alice)
            #expect(reply.records == ["ACCESS_DENIED: CREATE operation not permitted"])
            let logged = world.service.history.page(RequestFilter()).requests.first
            #expect(logged?.reason == "CREATE operation not permitted on the record type Party")
        }
    }

    @Test("A page with the option to follow reloads itself without a script")
    func follow() async throws {
        try await withServer(.loopback) { world in
            try await world.createContainer()
            let visitor = ConsoleVisitor(world)
            let plain = try await visitor.get(path)
            #expect(plain.headers["Refresh"] == nil && plain.text.contains("follow=1"))
            let following = try await visitor.get(path + "?follow=1&error=conflict")
            #expect(following.headers["Refresh"] == "5")
            #expect(following.text.contains("href=\"\(path)?error=conflict\""))
        }
    }

    @Test("An operator of one container sees the requests of this one, and the operator's call sees all")
    func containers() async throws {
        try await withClosedConsole { world in
            for name in ["iCloud.test", "iCloud.other"] {
                try await world.createContainer(name)
                _ = try await world.send(
                    "POST", "/database/1/\(name)/development/public/records/query", body: Array("{}".utf8))
            }
            try await world.add(operator: "ann", .viewer, in: "iCloud.test")
            let ann = try await ConsoleVisitor.signedIn("ann", world)
            let page = try await ann.get(path)
            #expect(page.text.contains("records/query") && !page.text.contains("iCloud.other"))
            let refused = try await ann.get("/console/logs")
            #expect(refused.status == 403)
            let all = try await world.operate("GET", "requests?operation=records%2Fquery")
            #expect(all.json["requests"].texts("container") == ["iCloud.other", "iCloud.test"])
            let bad = try await world.operate("GET", "requests?error=none")
            #expect(bad.status == 400)
            let later = all.json["requests"].elements[1]["number"].number ?? 0
            let rest = try await world.operate(
                "GET", "requests?operation=records%2Fquery&after=\(later)")
            #expect(rest.json["requests"].texts("container") == ["iCloud.other"])
        }
    }
}
