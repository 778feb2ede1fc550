import CloudService
import Records
import RecordsWire
import Testing

@testable import ServerKit
@testable import TestKit

@Suite("One's own data in the console", .timeLimit(.minutes(30)))
struct OwnDataTests {
    private let place = ServerWorld.place

    /// Alice shares a note in the zone Notes with Bob, who accepts.
    private func share(_ world: ServerWorld) async throws -> (alice: Person, bob: Person) {
        let alice = try await world.signIn("alice")
        let bob = try await world.signIn("bob")
        try await world.call(
            "private/zones/modify",
            ["operations": [["operationType": "create", "zone": ["zoneID": ["zoneName": "Notes"]]]]],
            as: alice)
        let note: JSON = [
            "operationType": "create",
            "record": [
                "recordName": "note", "recordType": "Note",
                "fields": [
                    "text": ["value": "shared-text"],
                    "next": ["value": ["recordName": "other", "action": "NONE"]],
                ],
            ],
        ]
        let share: JSON = [
            "operationType": "create",
            "record": [
                "recordName": "s", "recordType": "cloudkit.share", "forRecord": ["recordName": "note"],
                "publicPermission": "NONE",
                "participants": [
                    ["permission": "READ_WRITE", "userIdentity": ["userRecordName": .string(bob.recordName)]]
                ],
            ],
        ]
        let saved = try await world.call(
            "private/records/modify",
            ["zoneID": ["zoneName": "Notes"], "operations": [note, share]], as: alice)
        try #require(saved.records == ["ok", "ok"], "\(saved.text)")
        let guid = try #require(saved.json["records"][1]["shortGUID"].text)
        try await world.call(
            "public/records/accept", ["shortGUIDs": [["value": .string(guid)]]], as: bob)
        try await world.subscribe("private", [zoneSubscription("my-zone", "Notes")], as: alice)
        return (alice, bob)
    }

    private func visitor(_ name: String, _ world: ServerWorld) async throws -> ConsoleVisitor {
        let visitor = ConsoleVisitor(world)
        _ = try await visitor.get(place + "/own")
        let reply = try await visitor.post(place + "/own", ["action": "sign-in", "name": name])
        try #require(reply.status == 303)
        return visitor
    }

    @Test("Bob sees the note that Alice shares with him, with its participants, and nothing else of hers")
    func shared() async throws {
        try await withServer(.loopback) { world in
            let (alice, _) = try await share(world)
            let bob = try await visitor("bob", world)
            let zones = try await bob.get(place + "/own?database=shared")
            #expect(zones.text.contains("Notes of \(alice.recordName)"), "\(zones.text)")
            let own = place + "/own?database=shared&zone=Notes&owner=\(alice.recordName)&type=Note"
            let list = try await bob.get(own)
            #expect(list.text.contains("shared-text"), "\(list.text)")
            let record = try await bob.get(
                place + "/own-record?database=shared&zone=Notes&owner=\(alice.recordName)&name=note")
            for text in ["shared-text", "takes part", "read and write", "name=other"] {
                #expect(record.text.contains(text), "\(text) \(record.text)")
            }
            let nobody = try await visitor("eve", world)
            for path in [
                own, place + "/own-record?database=shared&zone=Notes&owner=\(alice.recordName)&name=note",
                place + "/own-record?database=private&zone=Notes&name=note", place + "/zones",
            ] {
                let page = try await nobody.get(path)
                #expect(!page.text.contains("shared-text") && !page.text.contains("takes part"), "\(path)")
            }
        }
    }

    @Test("Owner and guest see the change tags of a shared record that the web services send them")
    func changeTags() async throws {
        try await withServer(.loopback) { world in
            let (alice, bob) = try await share(world)
            func tag(_ database: String, _ zone: JSON, as person: Person) async throws -> String {
                let body: JSON = ["zoneID": zone, "records": [["recordName": "note"]]]
                let found = try await world.call("\(database)/records/lookup", body, as: person)
                return try #require(found.json["records"][0]["recordChangeTag"].text, "\(found.text)")
            }
            let own = try await tag("private", ["zoneName": "Notes"], as: alice)
            let guest = try await tag(
                "shared", ["zoneName": "Notes", "ownerRecordName": .string(alice.recordName)], as: bob)
            #expect(own != guest)
            let page = place + "/own-record?zone=Notes&name=note&database="
            let mine = try await visitor("alice", world).get(page + "private")
            #expect(mine.text.contains(">Change tag</th><td>\(own)</td>"), "\(mine.text)")
            let shared = try await visitor("bob", world).get(page + "shared&owner=\(alice.recordName)")
            #expect(shared.text.contains(">Change tag</th><td>\(guest)</td>"), "\(shared.text)")
        }
    }

    @Test("On a closed server, too, people see their own records, without the API token of an app")
    func closed() async throws {
        try await withClosedConsole { world in
            try await world.createContainer()
            try await world.add(operator: "guard", .viewer)
            let (ann, parameters) = try await world.signInByPassword("ann")
            let saved = try await world.call(
                "private/records/modify", batch([create("anns-party")]), as: ann, parameters: parameters)
            try #require(saved.records == ["ok"], "\(saved.text)")
            let visitor = try await ConsoleVisitor.signedIn("guard", world)
            let own = place + "/own?type=Party"
            #expect(try await !visitor.get(own).text.contains("anns-party"))
            let reply = try await visitor.post(
                place + "/own", ["action": "sign-in", "name": "ann", "password": "correct horse"])
            try #require(reply.status == 303, "\(reply.text)")
            let page = try await visitor.get(own)
            #expect(page.text.contains("anns-party"), "\(page.text)")
        }
    }

    @Test("Own records are found with conditions and a sort order, as public ones are, in pages")
    func query() async throws {
        try await withServer(.loopback) { world in
            let alice = try await world.signIn("alice")
            let notes = (10..<40).map { index in
                create("n\(index)", type: "Note", ["rank": number(Int64(index)), "text": text("x\(index)")])
            }
            let saved = try await world.modify("private", notes, as: alice)
            try #require(saved.status == 200, "\(saved.text)")
            let visitor = try await visitor("alice", world)
            func names(_ page: Reply) -> [String] {
                page.text.matches(of: /row"><a href="[^"]*"><bdi>([^<]*)</).map { String($0.1) }
            }
            let query = "?database=private&type=Note&f1=rank&c1=GREATER_THAN&v1=15&sort=rank&order=descending"
            let first = try await visitor.get(place + "/own" + query)
            #expect(names(first) == (20..<40).reversed().map { "n\($0)" }, "\(first.text)")
            let next = try #require(first.text.firstMatch(of: /href="([^"]*)" id="next-page"/)?.1)
            let second = try await visitor.get(String(next).replacing("&amp;", with: "&"))
            #expect(names(second) == (16..<20).reversed().map { "n\($0)" }, "\(second.text)")
            let wrong = try await visitor.get(place + "/own?database=private&type=Note&f1=none&v1=3")
            #expect(wrong.text.contains("has no such field") && names(wrong).isEmpty, "\(wrong.text)")
            let stranger = try await ConsoleVisitor(world).get(place + "/own" + query)
            #expect(names(stranger).isEmpty && !stranger.text.contains("x39"))
        }
    }

    @Test("An image of a private record is shown on its page, and sent to its owner alone")
    func image() async throws {
        try await withServer(.loopback) { world in
            let alice = try await world.signIn("alice")
            _ = try await world.signIn("eve")
            let receipt = try await world.upload(
                ConsoleVisitor.image, record: "mine", database: "private", as: alice)
            let saved = try await world.modify("private", [world.photo("mine", receipt)], as: alice)
            try #require(saved.records == ["ok"], "\(saved.text)")
            let owner = try await visitor("alice", world)
            let page = try await owner.get(place + "/own-record?database=private&name=mine")
            let source = try #require(
                page.text.firstMatch(of: /<img class="preview" src="([^"]*)"/)?.1, "\(page.text)")
            let address = String(source).replacing("&amp;", with: "&")
            let shown = try await owner.get(address)
            #expect(shown.bytes == ConsoleVisitor.image)
            #expect(shown.headers["Content-Type"] == "image/png")
            // The names by which clients mean their own zones lead to the same files.
            for name in ["_defaultOwner", "__defaultOwner__", alice.recordName] {
                let zone = "database=private&zone=_defaultZone&owner=\(name)&name=mine"
                let named = try await owner.get(place + "/own-record?" + zone)
                #expect(named.text.contains("<img class=\"preview\""), "\(name) \(named.text)")
                let link = try #require(named.text.firstMatch(of: /href="(\/assets\/[^"]*)"/)?.1, "\(name)")
                #expect(try await owner.get(String(link)).bytes == ConsoleVisitor.image, "\(name)")
            }
            // Another owner's zone is not replaced by one's own.
            for query in ["zone=_defaultZone&owner=_nobody", "owner=_nobody"] {
                let page = try await owner.get(place + "/own-record?database=private&name=mine&" + query)
                #expect(!page.text.contains("<img class=\"preview\""), "\(query) \(page.text)")
            }
            for other in [ConsoleVisitor(world), try await visitor("eve", world)] {
                let refused = try await other.get(address)
                #expect(refused.status == 404, "\(refused.text)")
            }
        }
    }

    @Test("The page of shares lists those that one owns, and those in which one takes part, to nobody else")
    func shares() async throws {
        try await withServer(.loopback) { world in
            let (alice, bob) = try await share(world)
            let cells = [
                "<bdi>s</bdi>", "the record note and all below it", "takes part", "may read and write",
                "name=note",
            ]
            let owner = try await visitor("alice", world)
            let owned = try await owner.get(place + "/shares")
            for cell in cells + [">Notes<"] { #expect(owned.text.contains(cell), "\(cell) \(owned.text)") }
            #expect(try await owner.get(place + "/shares?database=shared").text.contains("Nobody shares"))
            let guest = try await visitor("bob", world)
            let joined = try await guest.get(place + "/shares?database=shared")
            for cell in cells + ["Notes of \(alice.recordName)"] {
                #expect(joined.text.contains(cell), "\(cell) \(joined.text)")
            }
            let link = try #require(joined.text.firstMatch(of: /<td><a href="([^"]*)"><bdi>the record/)?.1)
            let root = try await guest.get(String(link).replacing("&amp;", with: "&"))
            #expect(root.text.contains("shared-text"), "\(root.text)")
            #expect(try await guest.get(place + "/shares").text.contains("You share nothing here"))
            for other in [ConsoleVisitor(world), try await visitor("eve", world)] {
                for path in ["/shares", "/shares?database=shared"] {
                    let page = try await other.get(place + path)
                    #expect(page.status == 200)
                    for secret in cells + [alice.recordName, bob.recordName] {
                        #expect(!page.text.contains(secret), "\(path) \(secret)")
                    }
                }
            }
        }
    }

    @Test("After the person's sessions have ended, the pages show no private data")
    func ended() async throws {
        try await withServer(.loopback) { world in
            _ = try await share(world)
            let alice = try await visitor("alice", world)
            let paths = [
                "/own?type=Note", "/own-record?database=private&zone=Notes&name=note", "/zones",
                "/subscriptions",
            ]
            var texts = ""
            for path in paths { texts += try await alice.get(place + path).text }
            #expect(texts.contains("shared-text") && texts.contains("my-zone"))
            try await world.service.people.signOut(person: "alice")
            for path in paths {
                let page = try await alice.get(place + path)
                #expect(page.status == 200, "\(path)")
                for secret in ["shared-text", "my-zone", ">Notes<", "takes part"] {
                    #expect(!page.text.contains(secret), "\(path)")
                }
            }
        }
    }

    @Test("The pages of zones and subscriptions show only the person's own")
    func zonesAndSubscriptions() async throws {
        try await withServer(.loopback) { world in
            _ = try await share(world)
            let alice = try await visitor("alice", world)
            let zones = try await alice.get(place + "/zones")
            #expect(zones.text.contains(">Notes<") && zones.text.contains("1 subscriptions"), "\(zones.text)")
            let subscriptions = try await alice.get(place + "/subscriptions")
            #expect(subscriptions.text.contains("my-zone"))
            #expect(subscriptions.text.contains("any change in the zone Notes"))
            // Each zone shows its own size; the empty default zone shows none.
            let sizes = zones.text.matches(of: /<td class="number">([^<]*)<\/td>/).map { String($0.1) }
            #expect(sizes.contains("0 bytes") && sizes.contains { $0.hasSuffix(" kB") })
            let other = ConsoleVisitor(world)
            for section in ["zones", "subscriptions"] {
                let page = try await other.get(place + "/" + section)
                #expect(page.status == 200)
                #expect(!page.text.contains("Notes") && !page.text.contains("my-zone"), "\(page.text)")
            }
        }
    }
}
