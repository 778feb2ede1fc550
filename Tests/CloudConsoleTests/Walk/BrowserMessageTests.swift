import CloudletServer
import Foundation
import Records
import RecordsWire
import Testing

@testable import CloudConsole
@testable import ServerKit
@testable import TestKit

/// A browser reports a style or an image that the content security policy forbids, an address that leads
/// nowhere, and invalid HTML attributes in its console, which a person sees only in its developer tools.
@Suite("What a browser reports about the pages of the console", .serialized, .timeLimit(.minutes(30)))
struct BrowserMessageTests {
    /// The pages that this operator may open, without the addresses of files.
    private static func addresses(for name: String) -> [String] {
        let files = ["image", "schema.ckdb"]
        return
            (ConsolePages.ofContainer.map { (ServerWorld.place + "/" + $0.path, $0) }
            + ConsolePages.ofServer.map { ("/console/" + $0.path, $0) })
            .filter { address, page in
                page.roles.contains(name) && !files.contains { page.path.hasPrefix($0) }
            }
            .map(\.0)
    }

    /// Opens pages in the light and in the dark appearance. Expects that each has its heading and no error,
    /// and that the browser has no complaint.
    private func open(_ addresses: [String], _ url: String, _ browser: Browser) async throws {
        for scheme in ["light", "dark"] {
            try await browser.prefer(scheme)
            for address in addresses {
                try await browser.open(url + address)
                let problems = try await browser.run(
                    "return document.querySelectorAll('h1').length - 1"
                        + " + document.querySelectorAll('[role=alert]').length")
                #expect(problems == .integer(0), "\(scheme) \(address)")
                #expect(try await browser.complaints() == [], "\(scheme) \(address)")
            }
        }
    }

    @Test(
        "No page has an error, a warning, a failed request or a violation of its policy, light or dark",
        arguments: ["viewer", "developer", "admin", "chief"])
    func roles(name: String) async throws {
        try await withEveryRole(.socket) { world, visitors in
            let url = try #require(world.server.url).absoluteString
            // A record with an image, a map, and requests with an error for the charts and the logs.
            try await world.addPicture(as: try #require(visitors["developer"]))
            try await world.call("public/records/query", ["query": ["recordType": "Party"]])
            try await Browser.with { browser in
                let walk = Walk(browser: browser, url: url)
                try await browser.open(url + "/console/sign-in")
                try await walk.fill("#name", name)
                try await walk.fill("#password", "correct horse")
                try await walk.press("#sign-in")
                _ = try await browser.wait(for: "document.getElementById('who')")
                let more = [
                    "record?name=picture", "records?type=Party&f1=place&c1=NEAR&v1=37.33,-122.03&km1=5",
                ]
                try await open(
                    Self.addresses(for: name) + more.map { ServerWorld.place + "/" + $0 }, url, browser)
                let image = try await browser.run(
                    "return document.querySelectorAll('img').length + "
                        + "document.querySelectorAll('.map').length")
                #expect(image == .integer(1))
            }
        }
    }

    @Test("Neither has a page of one's own data")
    func ownData() async throws {
        try await withServer(.socket, { $0.publicURL = nil }) { world in
            let url = try #require(world.server.url).absoluteString
            let ann = try await world.signIn("ann")
            let saved = try await world.modify("private", [create("note")], as: ann)
            try #require(saved.records == ["ok"])
            try await world.call(
                "private/zones/modify",
                ["operations": [["operationType": "create", "zone": ["zoneID": ["zoneName": "Notes"]]]]],
                as: ann)
            try await world.subscribe("private", [zoneSubscription("s", "Notes")], as: ann)
            try await Browser.with { browser in
                let walk = Walk(browser: browser, url: url)
                try await browser.open(url + ServerWorld.place + "/own")
                try await walk.fill("#name", "ann")
                try await walk.press("button[value=sign-in]")
                _ = try await browser.wait(for: "document.querySelector('button[value=sign-out]')")
                let pages = ["own", "own?type=Party", "own-record?name=note", "zones", "subscriptions"]
                try await open(pages.map { ServerWorld.place + "/" + $0 }, url, browser)
            }
        }
    }

    @Test("A blocked style, a missing page and an error of a script are seen")
    func seen() async throws {
        try await withServer(.socket, { $0.publicURL = nil }) { world in
            let url = try #require(world.server.url).absoluteString
            try await Browser.with { browser in
                try await browser.open(url + "/console")
                #expect(try await browser.complaints() == [])
                try await browser.run("document.body.innerHTML += '<p style=\"color: red\">'")
                #expect(try await browser.complaints().contains { $0.contains("Content Security Policy") })
                try await browser.run("document.body.innerHTML += '<img src=\"/console/none.png\">'")
                _ = try await browser.wait(for: "document.images[0].complete")
                #expect(try await browser.complaints().contains { $0.contains("404") })
                try await browser.run("console.warn('beware')")
                #expect(try await browser.complaints().contains { $0.contains("beware") })
            }
        }
    }
}
