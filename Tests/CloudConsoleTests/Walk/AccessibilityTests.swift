import CloudletServer
import Foundation
import Records
import RecordsWire
import Testing

@testable import ServerKit
@testable import TestKit

/// The rules that axe checks, as far as they apply, on every page of the console.
@Suite("Accessibility of the console", .serialized, .timeLimit(.minutes(30)))
struct AccessibilityTests {
    /// The pages of a container and of the server, and the results of some forms.
    private static let addresses: [String] = {
        let ofContainer =
            ConsolePages.ofContainer.map(\.path).filter { !$0.hasPrefix("image") && $0 != "schema.ckdb" } + [
                "record?name=picture", "records?type=Party&f1=place&c1=NEAR&v1=37.33,-122.03&km1=5",
                "records?type=Party&f1=cost&c1=EQUALS&v1=x", "record?name=none",
                "performance?operation=records/query", "own?type=Party", "own-record?name=note",
            ]
        return ofContainer.map { ServerWorld.place + "/" + $0 }
            + ConsolePages.ofServer.map { "/console/" + $0.path } + ["/console/none"]
    }()

    @Test(
        "Every page keeps the rules on names, headings, IDs, target sizes, width and contrast",
        arguments: [("light", 400), ("dark", 1280)])
    func pages(scheme: String, width: Int) async throws {
        try await withEveryRole(.socket) { world, visitors in
            let url = try #require(world.server.url).absoluteString
            try await world.addPicture(as: try #require(visitors["developer"]))
            let (ann, parameters) = try await world.signInByPassword("ann")
            try await world.call(
                "private/records/modify", batch([create("note", ["name": text("Ball")])]), as: ann,
                parameters: parameters)
            try await world.call(
                "public/records/query", ["query": ["recordType": "Party"]], as: ann, parameters: parameters)
            try await Browser.with { browser in
                try await browser.prefer(scheme)
                try await browser.resize(width: width, height: 800)
                let walk = Walk(browser: browser, url: url)
                try await check(browser, "/console/sign-in", url)
                try await walk.fill("#name", "chief")
                try await walk.fill("#password", "correct horse")
                try await walk.press("#sign-in")
                _ = try await browser.wait(for: "document.getElementById('who')")
                try await check(browser, ServerWorld.place + "/own", url)
                try await walk.fill("#name", "ann")
                try await walk.fill("#password", "correct horse")
                try await walk.press("button[value=sign-in]")
                _ = try await browser.wait(for: "document.querySelector('button[value=sign-out]')")
                for address in Self.addresses { try await check(browser, address, url) }
                // Pages that only a form leads to.
                try await browser.open(url + "/console/maintenance")
                try await walk.press("#check")
                _ = try await browser.wait(for: "document.getElementById('findings')")
                try await check(browser, "the result of a check")
                try await browser.open(url + ServerWorld.place + "/tokens")
                try await walk.fill("#label", "web")
                try await walk.press("#create-token")
                _ = try await browser.wait(for: "document.getElementById('secret')")
                try await check(browser, "a new token")
                try await browser.open(url + ServerWorld.place + "/schema")
                try await walk.fill("#text", schemaText("name STRING"))
                try await walk.press("#check")
                _ = try await browser.wait(for: "document.getElementById('import')")
                try await check(browser, "the review of an import")
            }
        }
    }

    private func check(_ browser: Browser, _ address: String, _ url: String) async throws {
        try await browser.open(url + address)
        try await check(browser, address)
    }

    private func check(_ browser: Browser, _ what: String) async throws {
        let problems = try await AccessibilityAudit.problems(of: browser)
        #expect(problems.isEmpty, "\(what)\n\(problems.joined(separator: "\n"))")
    }

    @Test("Each rule finds its fault")
    func faults() async throws {
        try await withServer(.socket, { $0.publicURL = nil }) { world in
            let url = try #require(world.server.url).absoluteString
            try await Browser.with { browser in
                try await browser.open(url + "/console")
                #expect(try await AccessibilityAudit.problems(of: browser) == [])
                for (html, rule) in [
                    ("<h4>x</h4>", "skips a level"), ("<p id=main>x</p>", "occurs twice"),
                    ("<input>", "an input has no name"), ("<button></button>", "has no name"),
                    ("<p><a href=/>x</a></p>", "a target has"), ("<hr width=9999>", "pixels too wide"),
                    ("<p class=faint>x</p>", "has a contrast of"), ("<th>x</th>", "no scope"),
                ] {
                    try await browser.open(url + "/console")
                    let table = html.hasPrefix("<th")
                    try await browser.run(
                        """
                        const made = document.createElement('\(table ? "table" : "div")');
                        made.innerHTML = "\(html)";
                        made.querySelectorAll('.faint').forEach(e => e.style.color = '#888');
                        document.querySelector('main').append(made);
                        """)
                    let problems = try await AccessibilityAudit.problems(of: browser)
                    #expect(problems.contains { $0.contains(rule) }, "\(html) \(problems)")
                }
            }
        }
    }

    @Test(
        "With the keyboard alone, an index can be dropped, and the focus is always seen",
        arguments: ["light", "dark"])
    func keyboard(scheme: String) async throws {
        try await withServer(.socket, { $0.publicURL = nil }) { world in
            let ann = try await world.signIn("ann")
            try await world.save("ball", ["name": ["value": "Ball"]], as: ann)
            let url = try #require(world.server.url).absoluteString
            #expect(try await sorted(world, ann) == ["ball"])
            try await Browser.with { browser in
                try await browser.prefer(scheme)
                try await browser.open(url + "/console")
                try await browser.type(Browser.tab)
                #expect(try await AccessibilityAudit.focus(of: browser).label == "Skip to the content")
                try await press(browser, Browser.enter, on: "iCloud.test")
                try await press(browser, Browser.enter, on: "Party")
                // The check box of the row of the field.
                let row = "[...document.querySelectorAll('tr')].find(r => r.cells[0].textContent == 'name')"
                let id = try await browser.run("return \(row).querySelector('input[value=sortable]').id").text
                try await tab(browser, to: { $0.id == id })
                try await browser.type(Browser.space)
                try await press(browser, Browser.enter, on: "Set indexes of name")
                // The review of what the drop frees.
                try await press(browser, Browser.enter, on: "Drop the index sortable of name")
                let notice = try await browser.run("return document.querySelector('.notice').textContent")
                #expect(notice == "The indexes of name were set.")
            }
            #expect(try await sorted(world, ann) == nil)
        }
    }

    /// Moves the focus to the element with this name, presses a key on it, and waits for the next page.
    private func press(_ browser: Browser, _ key: String, on label: String) async throws {
        try await tab(browser, to: { $0.label == label })
        try await browser.run("window.isOld = true")
        try await browser.type(key)
        _ = try await browser.wait(for: "!window.isOld && document.readyState == 'complete'")
    }

    /// Presses Tab until the element has the focus. Expects that each element on the way shows its focus.
    private func tab(
        _ browser: Browser, to isWanted: ((label: String, id: String, ring: Double)) -> Bool
    ) async throws {
        for _ in 0..<150 {
            try await browser.type(Browser.tab)
            let focus = try await AccessibilityAudit.focus(of: browser)
            #expect(focus.ring >= 3, "\(focus)")
            if isWanted(focus) { return }
        }
        Issue.record("the keyboard does not reach the element")
    }

    /// The names of the records of parties sorted by name; nil if the server refuses the query.
    private func sorted(_ world: ServerWorld, _ person: Person) async throws -> [String]? {
        let query: JSON = [
            "recordType": "Party", "sortBy": [["fieldName": "name", "ascending": .bool(true)]],
        ]
        let reply = try await world.call("public/records/query", ["query": query], as: person)
        return reply.status == 200 ? reply.json["records"].elements.compactMap { $0["recordName"].text } : nil
    }
}
