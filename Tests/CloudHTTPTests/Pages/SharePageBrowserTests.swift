import CloudletServer
import Foundation
import Records
import RecordsWire
import Testing

@testable import CloudService
@testable import ServerKit
@testable import TestKit

@Suite("The page of a share in a browser", .serialized, .timeLimit(.minutes(30)))
struct SharePageBrowserTests {
    @Test("A person opens the link, signs in, accepts and reaches the app's page, all by keyboard")
    func keyboard() async throws {
        try await AppPages.serving { app in
            try await withServerForBrowsers(fallback: app.origin + "/callback?share=") { world in
                let note = try await SharedNote.make(
                    world, inviting: [SharedNote.invitation(try await world.signIn("bob"))])
                let url = try #require(world.server.url).absoluteString + note.path
                try await Browser.with { browser in
                    try await browser.open(url)
                    #expect(try await browser.run("return document.title") == "Shared with you")
                    let stranger = try await browser.picture("share-stranger")
                    #expect(stranger.count > 3000)
                    try await browser.type(Browser.tab, Browser.enter)
                    _ = try await browser.wait(for: "document.activeElement.id == 'name'")
                    try await browser.type("bob", Browser.enter)
                    _ = try await browser.wait(for: "document.getElementById('accept')")
                    let heading = "return document.querySelector('h1').textContent"
                    #expect(try await browser.run(heading) == "Alps")
                    let width = "return document.querySelector('img').naturalWidth"
                    #expect(try await browser.run(width) == .integer(1))
                    let invited = try await browser.picture("share-invited")
                    #expect(invited.count > 3000)
                    try await browser.type(Browser.tab)
                    #expect(try await browser.run("return document.activeElement.id") == "accept")
                    try await browser.type(Browser.enter)
                    _ = try await browser.wait(for: "document.title == 'Back'")
                    let address = try await browser.address
                    #expect(address == app.origin + "/callback?share=" + note.guid)
                    try await browser.open(url)
                    let done = "return document.getElementById('done').textContent"
                    #expect(try await browser.run(done) == "You are a participant.")
                    let open = "return document.getElementById('open').href"
                    #expect(try await browser.run(open) == .string(address))
                }
            }
        }
    }

    @Test("The page says that a person is not invited, and lets the person sign in as somebody else")
    func somebodyElse() async throws {
        try await withServerForBrowsers { world in
            let note = try await SharedNote.make(
                world, inviting: [SharedNote.invitation(try await world.signIn("bob"))])
            let url = try #require(world.server.url).absoluteString + note.path
            try await Browser.with { browser in
                try await browser.open(url)
                try await browser.type(Browser.tab, Browser.enter)
                _ = try await browser.wait(for: "document.activeElement.id == 'name'")
                try await browser.type("carol", Browser.enter)
                _ = try await browser.wait(for: "document.querySelector('[role=alert]')")
                let problem = "return document.querySelector('[role=alert]').textContent"
                let text = try #require(try await browser.run(problem).text)
                #expect(text.hasPrefix("Only invited people can accept this share. Ask the owner for"))
                #expect(try await browser.run("return document.title") == "Error: shared with you")
                try await browser.run("document.getElementById('sign-out').focus()")
                try await browser.type(Browser.enter)
                _ = try await browser.wait(for: "document.getElementById('sign-in')")
            }
        }
    }

    @Test("A person proves the invited address by keyboard, with the code that an open server shows")
    func proof() async throws {
        try await withServerForBrowsers { world in
            let note = try await SharedNote.make(
                world, inviting: [SharedNote.invitation("eva@example.org")])
            let url = try #require(world.server.url).absoluteString + note.path
            try await Browser.with { browser in
                try await browser.open(url)
                try await browser.type(Browser.tab, Browser.enter)
                _ = try await browser.wait(for: "document.activeElement.id == 'name'")
                try await browser.type("eva", Browser.enter)
                _ = try await browser.wait(for: "document.getElementById('address')")
                try await browser.type(Browser.tab, "eva@example.org", Browser.enter)
                let shown = try await browser.wait(
                    for: "document.getElementById('shown') && document.getElementById('shown').textContent")
                let code = try #require(shown.text)
                let picture = try await browser.picture("share-code")
                #expect(picture.count > 3000)
                _ = try await browser.wait(for: "document.activeElement.id == 'code'")
                try await browser.type(code, Browser.enter)
                _ = try await browser.wait(for: "document.getElementById('accept')")
                try await browser.type(Browser.tab, Browser.enter)
                _ = try await browser.wait(for: "document.getElementById('done')")
            }
        }
    }

    @Test("A script of another site shares, resolves and accepts with requests of CloudKit JS (N53)")
    func script() async throws {
        try await AppPages.serving { app in
            try await withServerForBrowsers { world in
                let (alice, bob) = (try await world.signIn("alice"), try await world.signIn("bob"))
                try await Browser.with { browser in
                    try await browser.open(app.origin)
                    let made = try await Self.fetch(
                        "private/zones/modify", zones(create: ["Notes"]), world, alice, browser)
                    #expect(made["zones"][0]["zoneID"]["zoneName"] == "Notes")
                    let shared = try await Self.fetch(
                        "private/records/modify", Self.sharing(with: bob), world, alice, browser)
                    #expect(shared["records"].texts("recordName") == ["note", "share"])
                    #expect(shared["records"][1]["participants"][1]["acceptanceStatus"] == "INVITED")
                    let guid = try #require(shared["records"][1]["shortGUID"].text, "\(shared)")
                    let guids: JSON = ["shortGUIDs": [["value": .string(guid)]]]
                    let found = try await Self.fetch("public/records/resolve", guids, world, bob, browser)
                    #expect(found["results"][0]["participantStatus"] == "INVITED")
                    let accepted = try await Self.fetch("public/records/accept", guids, world, bob, browser)
                    #expect(accepted["results"][0]["participantStatus"] == "ACCEPTED")
                    let notes: JSON = [
                        "zoneID": ["zoneName": "Notes", "ownerRecordName": .string(alice.recordName)],
                        "records": [["recordName": "note"]],
                    ]
                    let seen = try await Self.fetch("shared/records/lookup", notes, world, bob, browser)
                    #expect(seen["records"][0]["fields"]["text"]["value"] == "Alps")
                }
            }
        }
    }

    /// The body with which CloudKit JS saves a note and its share with a person.
    private static func sharing(with person: Person) -> JSON {
        let share = operation(
            "create", "share", type: "cloudkit.share", ["cloudkit.title": text("Alps")],
            [
                "forRecord": ["recordName": "note"], "publicPermission": "NONE",
                "participants": [SharedNote.invitation(person)],
            ])
        return batch([create("note", type: "Note", ["text": text("Alps")]), share], zone: "Notes")
    }

    /// Lets the page that the browser shows send a request, and returns the answer that its script gets.
    private static func fetch(
        _ call: String, _ body: JSON, _ world: ServerWorld, _ person: Person, _ browser: Browser
    ) async throws -> JSON {
        let url = try #require(world.server.url).absoluteString + ServerWorld.target(call, as: person)
        let text = String(decoding: try body.encoded(), as: UTF8.self)
        // The body is sent as text, as in CloudKit JS, so that browsers send no preflight request.
        return try await browser.run(
            """
            return fetch(`\(url)`, {method: "POST", body: `\(text)`})
                .then(answer => answer.json());
            """)
    }

    /// Runs a scenario over the socket of an open server, with URLs that a browser can open.
    private func withServerForBrowsers(
        fallback: String? = nil, _ scenario: (ServerWorld) async throws -> Void
    ) async throws {
        try await withServer(
            .socket,
            {
                $0.publicURL = nil
                $0.fallbackURL = fallback
            }, scenario)
    }
}
