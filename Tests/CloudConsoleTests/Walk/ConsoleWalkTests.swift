import Foundation
import Records
import RecordsWire
import Testing

@testable import CloudletShell
@testable import ClownCentral
@testable import CommandShell
@testable import ServerKit
@testable import ShellKit
@testable import TestKit

/// An operator changes the container of Clown Central in a browser. After each step, Clown Central itself,
/// with its own session, commands and repository, shows the effect on Ann and Bob, who use it.
@Suite("A walk through the console in a browser", .serialized, .timeLimit(.minutes(30)))
struct ConsoleWalkTests {
    private static let place = "/console/containers/\(ClownCentralApp.container)/development"

    /// Three parties near Cupertino and far from it. A party that was saved before them has determined the
    /// type of the field `starts`, by mistake.
    private func prepare(_ app: App) async throws {
        #expect(await app.run("record save Party rehearsal name=Rehearsal starts=tonight") == nil)
        for (name, latitude) in [("Ball", "37.33"), ("Picnic", "37.34"), ("Gala", "48.85")] {
            #expect(await app.run("party create \(name) --at \(latitude),-122.03") == nil)
        }
    }

    @Test("From the query for parties nearby to the deployment, and Clown Central feels each step")
    func walk() async throws {
        try await ShellWorld.run { world in
            let app = App(world: world)
            try await prepare(app)
            let url = try #require(world.cloud.server.address).absoluteString
            try await Browser.with { browser in
                let walk = Walk(browser: browser, url: url)
                try await browser.open(url + "/console")
                try await walk.follow(ClownCentralApp.container)
                try await query(walk, app)
                try await create(walk, app)
                try await correct(walk, app)
                try await giveRole(walk, app)
                try await dropIndex(walk, app)
                try await deploy(walk, app)
                let problems = try await browser.run(
                    "return document.querySelectorAll('[role=alert]').length")
                #expect(problems == .integer(0))
                #expect(try await browser.complaints().isEmpty)
            }
            let development = try await app.schema(.development)
            #expect(try await app.schema(.production) == development)
            #expect(development.contains("GRANT CREATE, WRITE TO PartyAdmin"))
            let log = try await world.cloud.server.send(ReadAudit(of: ClownCentralApp.container)).elements
            #expect(log.contains { $0.action == "schema.deploy" })
            #expect(log.allSatisfy { $0.by == "open server" })
        }
    }

    /// Queries all parties within 5 km. The app finds the same ones.
    private func query(_ walk: Walk, _ app: App) async throws {
        try await walk.follow("Records")
        try await walk.fill("input[name=type]", "Party")
        try await walk.fill("input[name=f1]", "location")
        try await walk.choose("select[name=c1]", "NEAR")
        try await walk.fill("input[name=v1]", "37.33, -122.03")
        try await walk.fill("input[name=km1]", "5")
        try await walk.press("#find")
        _ = try await walk.browser.wait(for: "document.getElementById('found')")
        let ids =
            "return [...document.querySelectorAll('tbody th')].map(e => e.textContent.trim()).sort().join()"
        let nearby = try await app.nearby()
        #expect(nearby.map(\.name) == ["Ball", "Picnic"])
        #expect(try await walk.browser.run(ids).text == nearby.map(\.id).sorted().joined(separator: ","))
        let dots = try await walk.browser.run("return document.querySelectorAll('.map .hit').length")
        #expect(dots == .integer(2))
        let picture = try await walk.browser.picture("console-records")
        #expect(picture.count > 3000)
    }

    /// Creates a party with the form. The app finds it.
    private func create(_ walk: Walk, _ app: App) async throws {
        try await walk.press("#new-record")
        _ = try await walk.browser.wait(for: "document.getElementById('create')")
        try await walk.fill("#record-name", "circus")
        try await walk.fill("[name='value.name']", "Circus")
        try await walk.fill("[name='value.location']", "37.331, -122.031")
        try await walk.press("#create")
        try await walk.hears("The record circus was created.")
        #expect(try await app.nearby().map(\.name) == ["Ball", "Circus", "Picnic"])
    }

    /// Replaces the field `starts` by a date. Before, the app cannot save a party with a start; afterwards it
    /// can.
    private func correct(_ walk: Walk, _ app: App) async throws {
        let opening = "party create Opening --at 48.85,-122.03 --starts 2026-07-05T18:00"
        #expect(await app.run(opening, as: "bob") == "invalidArguments")
        try await walk.browser.open(walk.url + Self.place + "/type?name=Party")
        try await walk.fill("#field", "starts")
        try await walk.choose("#field-type", "TIMESTAMP")
        try await walk.press("button[value=replace]")
        try await walk.hears("The field starts is of the type TIMESTAMP now.")
        #expect(await app.run(opening, as: "bob") == nil)
        #expect(await app.world.data("party show Opening").contains("2026-07-05 18:00"))
    }

    /// Creates the role PartyAdmin, gives it to Ann and takes the permission to create parties from everybody
    /// else. Before, Bob can create parties, and Ann cannot edit the one of the console; afterwards it is the
    /// other way round.
    private func giveRole(_ walk: Walk, _ app: App) async throws {
        #expect(await app.run("party create Tea", as: "bob") == nil)
        #expect(await app.run("party edit Circus --place Pier", as: "ann") == "permissionFailure")
        try await walk.follow("Security roles")
        try await walk.fill("#new-role", "PartyAdmin")
        try await walk.press("#create-role")
        try await walk.hears("The role PartyAdmin was created.")
        try await give(walk)
        try await walk.browser.open(walk.url + Self.place + "/type?name=Party")
        try await walk.press("input[value='CREATE _icloud']")
        try await walk.press("input[value='CREATE PartyAdmin']")
        try await walk.press("input[value='WRITE PartyAdmin']")
        try await walk.press("#set-grants")
        try await walk.hears("The permissions on Party were set.")
        let isOn = "return document.querySelector(\"input[value='CREATE _icloud']\").checked"
        #expect(try await walk.browser.run(isOn) == .bool(false))
        #expect(await app.run("party create Milk", as: "bob") == "permissionFailure")
        #expect(await app.run("party edit Circus --place Quay", as: "bob") == "permissionFailure")
        #expect(await app.run("party create Coffee", as: "ann") == nil)
        #expect(await app.run("party edit Circus --place Pier", as: "ann") == nil)
        #expect(try await app.nearby().map(\.place) == [nil, "Pier", nil])
    }

    /// Gives Ann the role on the page of the roles.
    private func give(_ walk: Walk) async throws {
        try await walk.fill("#role", "PartyAdmin")
        try await walk.fill("#person", "ann")
        try await walk.press("button[value=grant]")
        try await walk.hears("ann is a member of PartyAdmin.")
    }

    /// Drops the sortable index of the name after the review. The app cannot sort by name any more.
    private func dropIndex(_ walk: Walk, _ app: App) async throws {
        #expect(await app.run("party list --sort name") == nil)
        try await walk.browser.open(walk.url + Self.place + "/type?name=Party")
        let row = "[...document.querySelectorAll('tr')].find(r => r.cells[0].textContent == 'name')"
        try await walk.browser.run("\(row).querySelector('input[value=sortable]').click()")
        try await walk.browser.run("\(row).querySelector('button[value=indexes]').click()")
        // The page that says what the drop frees.
        _ = try await walk.browser.wait(for: "document.getElementById('drop-sortable')")
        try await walk.press("#drop-sortable")
        try await walk.hears("The indexes of name were set.")
        #expect(await app.run("party list --sort name") == "invalidArguments")
    }

    /// Reviews and deploys the schema. In production, where Ann can create no party before, she can after it,
    /// when she has the role there. Bob cannot.
    private func deploy(_ walk: Walk, _ app: App) async throws {
        let premiere = "party create Premiere --at 37.33,-122.03 --starts 2026-07-06T20:00"
        for person in ["ann", "bob"] {
            #expect(await app.run(premiere, as: person, in: "production") == "invalidArguments")
        }
        try await walk.follow("Deploy")
        let changes = try await walk.browser.wait(
            for: "document.getElementById('changes') && document.getElementById('changes').textContent")
        let text = try #require(changes.text)
        #expect(text.contains("+ CREATE ROLE PartyAdmin"))
        #expect(text.contains("+ Party.starts TIMESTAMP"))
        let picture = try await walk.browser.picture("console-deploy")
        #expect(picture.count > 3000)
        try await walk.press("#deploy")
        _ = try await walk.browser.wait(
            for: "document.querySelector('.notice') && document.querySelector('.notice').textContent"
                + ".includes('deployed')")
        #expect(await app.run(premiere, as: "ann", in: "production") == "permissionFailure")
        try await walk.follow("production")
        try await walk.follow("Security roles")
        try await give(walk)
        #expect(await app.run(premiere, as: "ann", in: "production") == nil)
        #expect(await app.run("party create Encore", as: "bob", in: "production") == "permissionFailure")
        #expect(try await app.nearby(in: "production").map(\.name) == ["Premiere"])
        // The schema is locked there.
        try await walk.follow("Record types")
        try await walk.follow("Party")
        let forms = try await walk.browser.run("return document.querySelectorAll('main form').length")
        #expect(forms == .integer(0))
    }
}

/// Clown Central, as Ann and Bob use it during the walk.
private struct App {
    let world: ShellWorld

    /// Runs a command of the app as a person, and returns the code of its error; nil if it worked.
    func run(
        _ line: String, as person: String = "ann", in environment: String = "development"
    ) async -> String? {
        for line in ["environment \(environment)", "as \(person)", line] {
            if let failure = await world.runner.run(line).shellError { return failure.code }
        }
        return nil
    }

    /// The parties within 5 km that the app's repository finds, sorted by name.
    func nearby(in environment: String = "development") async throws -> [Party] {
        #expect(await run("status", in: environment) == nil)
        var filter = PartyFilter(near: Coordinate(latitude: 37.33, longitude: -122.03), within: 5000)
        filter.order = .distance
        return try await world.app.parties.list(filter, now: ShellWorld.now).parties.models
            .sorted { $0.name < $1.name }
    }

    func schema(_ environment: CloudEnvironment) async throws -> String {
        try #require(
            try await world.cloud.server.send(ReadSchema(of: ClownCentralApp.container, environment)).text)
    }
}
