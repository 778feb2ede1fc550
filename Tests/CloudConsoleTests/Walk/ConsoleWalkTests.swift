import CloudService
import CloudletServer
import Foundation
import Records
import RecordsWire
import Testing

@testable import ServerKit
@testable import TestKit

@Suite("A walk through the console in a browser", .serialized, .timeLimit(.minutes(30)))
struct ConsoleWalkTests {
    /// Three parties near Cupertino and far from it, whose cost was saved as a text by mistake.
    private func prepare(_ world: ServerWorld) async throws {
        let ann = try await world.signIn("ann")
        for (name, latitude) in [("Ball", 37.33), ("Picnic", 37.34), ("Gala", 48.85)] {
            let place: JSON = ["value": ["latitude": .double(latitude), "longitude": .double(-122.03)]]
            try await world.save(
                name.lowercased(),
                ["name": ["value": .string(name)], "place": place, "cost": ["value": "much"]], as: ann)
        }
    }

    @Test("From the query for parties nearby to the deployment")
    func walk() async throws {
        try await withServer(.socket, { $0.publicURL = nil }) { world in
            try await prepare(world)
            let url = try #require(world.server.url).absoluteString
            try await Browser.with { browser in
                let walk = Walk(browser: browser, url: url)
                try await browser.open(url + "/console")
                try await walk.follow("iCloud.test")
                try await walk.follow("Records")
                let app = App(
                    world: world, ann: try await world.signIn("ann"), bob: try await world.signIn("bob"))
                try await query(walk)
                #expect(try await app.names(sortedBy: "name") == ["Ball", "Gala", "Picnic"])
                try await create(walk)
                #expect(try await app.names(sortedBy: "name") == ["Ball", "Circus", "Gala", "Picnic"])
                #expect(try await app.saves("party-1", cost: "much", as: app.bob))
                #expect(try await !app.saves("party-2", cost: 5, as: app.bob))
                try await correct(walk)
                #expect(try await !app.saves("party-3", cost: "much", as: app.bob))
                #expect(try await app.saves("party-4", cost: 5, as: app.bob))
                #expect(try await !app.edits("circus", as: app.ann))
                try await giveRole(walk)
                #expect(try await !app.saves("party-5", cost: 5, as: app.bob))
                #expect(try await app.saves("party-6", cost: 5, as: app.ann))
                #expect(try await app.edits("circus", as: app.ann))
                #expect(try await !app.edits("circus", as: app.bob))
                try await dropIndex(walk)
                #expect(try await app.names(sortedBy: "name") == nil)
                #expect(try await !app.saves("party-7", cost: 5, as: app.ann, in: "production"))
                try await deploy(walk)
                #expect(try await !app.saves("party-8", cost: 5, as: app.bob, in: "production"))
                let problems = try await browser.run(
                    "return document.querySelectorAll('[role=alert]').length")
                #expect(problems == .integer(0))
                #expect(try await browser.complaints().isEmpty)
            }
            let development = try await world.exported()
            let production = try await world.exported("production")
            #expect(production == development)
            #expect(development.contains("GRANT CREATE, WRITE TO PartyAdmin"))
            let log = try await world.service.operators.audit(of: "iCloud.test", before: nil)
            #expect(log.first?.action == "schema.deploy")
            #expect(log.allSatisfy { $0.by == "open server" })
        }
    }

    /// Queries all parties within 5 km.
    private func query(_ walk: Walk) async throws {
        try await walk.fill("input[name=type]", "Party")
        try await walk.fill("input[name=f1]", "place")
        try await walk.choose("select[name=c1]", "NEAR")
        try await walk.fill("input[name=v1]", "37.33, -122.03")
        try await walk.fill("input[name=km1]", "5")
        try await walk.press("#find")
        _ = try await walk.browser.wait(for: "document.getElementById('found')")
        let names =
            "return [...document.querySelectorAll('tbody th')].map(e => e.textContent.trim()).sort().join()"
        #expect(try await walk.browser.run(names) == "ball,picnic")
        let dots = try await walk.browser.run("return document.querySelectorAll('.map .hit').length")
        #expect(dots == .integer(2))
        let picture = try await walk.browser.picture("console-records")
        #expect(picture.count > 3000)
    }

    /// Creates a party with the form.
    private func create(_ walk: Walk) async throws {
        try await walk.press("#new-record")
        _ = try await walk.browser.wait(for: "document.getElementById('create')")
        try await walk.fill("#record-name", "circus")
        try await walk.fill("[name='value.name']", "Circus")
        try await walk.fill("[name='value.place']", "37.331, -122.031")
        try await walk.press("#create")
        try await walk.hears("The record circus was created.")
    }

    /// Replaces the field `cost` by a number.
    private func correct(_ walk: Walk) async throws {
        try await walk.browser.open(walk.url + ServerWorld.place + "/type?name=Party")
        try await walk.fill("#field", "cost")
        try await walk.choose("#field-type", "INT64")
        try await walk.press("button[value=replace]")
        try await walk.hears("The field cost is of the type INT64 now.")
    }

    /// Creates the role PartyAdmin and grants it, so that nobody else may create parties.
    private func giveRole(_ walk: Walk) async throws {
        try await walk.follow("Security roles")
        try await walk.fill("#new-role", "PartyAdmin")
        try await walk.press("#create-role")
        try await walk.hears("The role PartyAdmin was created.")
        try await walk.fill("#role", "PartyAdmin")
        try await walk.fill("#person", "ann")
        try await walk.press("button[value=grant]")
        try await walk.hears("ann is a member of PartyAdmin.")
        try await walk.browser.open(walk.url + ServerWorld.place + "/type?name=Party")
        try await walk.press("input[value='CREATE _icloud']")
        try await walk.press("input[value='CREATE PartyAdmin']")
        try await walk.press("input[value='WRITE PartyAdmin']")
        try await walk.press("#set-grants")
        try await walk.hears("The permissions on Party were set.")
        let isOn = "return document.querySelector(\"input[value='CREATE _icloud']\").checked"
        #expect(try await walk.browser.run(isOn) == .bool(false))
    }

    /// Removes the sortable index of the name.
    private func dropIndex(_ walk: Walk) async throws {
        let row = "[...document.querySelectorAll('tr')].find(r => r.cells[0].textContent == 'name')"
        try await walk.browser.run("\(row).querySelector('input[value=sortable]').click()")
        try await walk.browser.run("\(row).querySelector('button[value=indexes]').click()")
        try await walk.hears("The indexes of name were set.")
    }

    private func deploy(_ walk: Walk) async throws {
        try await walk.follow("Deploy")
        let changes = try await walk.browser.wait(
            for: "document.getElementById('changes') && document.getElementById('changes').textContent")
        let text = try #require(changes.text)
        #expect(text.contains("+ CREATE ROLE PartyAdmin"))
        #expect(text.contains("+ Party.cost INT64"))
        let picture = try await walk.browser.picture("console-deploy")
        #expect(picture.count > 3000)
        try await walk.press("#deploy")
        _ = try await walk.browser.wait(
            for: "document.querySelector('.notice') && document.querySelector('.notice').textContent"
                + ".includes('deployed')")
    }

    @Test("The pages fit a narrow window and have a name for every input")
    func accessible() async throws {
        try await withServer(.socket, { $0.publicURL = nil }) { world in
            try await prepare(world)
            let url = try #require(world.server.url).absoluteString
            try await Browser.with { browser in
                try await browser.resize(width: 400, height: 800)
                for path in [
                    "types", "type?name=Party", "records?type=Party", "record?name=ball", "new?type=Party",
                    "delete?name=ball", "roles", "schema", "deploy", "tokens", "users", "usage", "own",
                    "audit", "performance", "zones", "subscriptions", "settings", "logs",
                    "records?type=Party&f1=place&c1=NEAR&v1=37.33,-122.03&km1=5",
                ] {
                    try await browser.open(url + ServerWorld.place + "/" + path)
                    let overflow = """
                        return Math.max(0, document.documentElement.scrollWidth - window.innerWidth)
                        """
                    let surplus = try await browser.run(overflow)
                    #expect(surplus == .integer(0), "\(path)")
                    let nameless = """
                        return [...document.querySelectorAll('input,select,textarea,button')].filter(e =>
                          e.type != 'hidden' && !e.labels.length && !e.ariaLabel && !e.textContent.trim())
                          .map(e => e.outerHTML).join()
                        """
                    let found = try await browser.run(nameless)
                    #expect(found == "", "\(path)")
                    let marks =
                        "return document.querySelectorAll('h1').length"
                        + " + document.querySelectorAll('main').length"
                    let count = try await browser.run(marks)
                    #expect(count == .integer(2), "\(path)")
                }
                try await browser.type(Browser.tab)
                let focus = try await browser.run("return document.activeElement.textContent")
                #expect(focus == "Skip to the content")
                #expect(try await browser.complaints().isEmpty)
            }
        }
    }
}

/// An app that uses the container during the walk.
private struct App: Sendable {
    let world: ServerWorld
    let ann: Person
    let bob: Person

    /// The names of all parties in this order; nil if the server refuses the query.
    func names(sortedBy field: String) async throws -> [String]? {
        let reply = try await world.call(
            "public/records/query",
            [
                "query": [
                    "recordType": "Party",
                    "sortBy": [["fieldName": .string(field), "ascending": .bool(true)]],
                ]
            ], as: ann)
        guard reply.status == 200 else { return nil }
        return reply.json["records"].elements.compactMap { $0["fields"]["name"]["value"].text }
    }

    /// Whether the server takes a new party.
    func saves(
        _ name: String, cost: JSON, as person: Person, in environment: String = "development"
    ) async throws -> Bool {
        let fields: JSON = ["cost": ["value": cost]]
        return try await modifies(
            ["operationType": "create", "record": record(name, fields)], as: person, environment)
    }

    /// Whether the server takes a change of a party.
    func edits(_ name: String, as person: Person) async throws -> Bool {
        let fields: JSON = ["name": ["value": .string("by \(person.name)")]]
        return try await modifies(
            ["operationType": "forceUpdate", "record": record(name, fields)], as: person, "development")
    }

    private func record(_ name: String, _ fields: JSON) -> JSON {
        ["recordName": .string(name), "recordType": "Party", "fields": fields]
    }

    private func modifies(_ operation: JSON, as person: Person, _ environment: String) async throws -> Bool {
        let reply = try await world.call(
            "public/records/modify", ["operations": [operation]], as: person, environment: environment)
        return reply.records == ["ok"]
    }
}
