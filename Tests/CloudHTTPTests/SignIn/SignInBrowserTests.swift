import CloudletServer
import Foundation
import Records
import RecordsWire
import Testing

@testable import CloudService
@testable import ServerKit
@testable import TestKit

@Suite("Signing in with a browser", .serialized, .timeLimit(.minutes(30)))
struct SignInBrowserTests {
    /// A closed server with a person and an app's token.
    private func world(
        _ app: AppPages, callback: String? = nil, _ scenario: (ServerWorld, String) async throws -> Void
    ) async throws {
        try await withServerForBrowsers { world in
            let token = try await world.app(origins: [app.origin], callback: callback)
            _ = try await world.service.people.add(
                Account(id: "", name: "ann", email: "ann@example.org"), password: "correct horse")
            try await scenario(world, token)
        }
    }

    private func recordName(_ world: ServerWorld) async throws -> String {
        let account = try await world.service.people.person(named: "ann")
        return try await world.service.sessions.recordName(of: account, in: "iCloud.test")
    }

    private func callerAddress(_ world: ServerWorld, _ token: String) throws -> String {
        let url = try #require(world.server.url)
        return url.absoluteString + ServerWorld.target("public/users/caller") + "?ckAPIToken=" + token
    }

    @Test("By message: only the app's window of the allowed origin receives the session, and can use it")
    func message() async throws {
        try await AppPages.serving { app in
            try await world(app) { world, token in
                try await Browser.with { browser in
                    let caller = PercentEncoding.encode(try callerAddress(world, token))
                    try await browser.open(app.origin + "/#" + caller)
                    _ = try await browser.wait(for: "!document.getElementById('sign-in').disabled")
                    let page = try await browser.windows[0]
                    try await browser.type(Browser.tab, Browser.enter)
                    let popup = try #require(try await browser.windows.last)
                    #expect(popup != page)
                    try await browser.enter(window: popup)
                    try await Self.signIn(browser, password: "correct horse")
                    try await browser.enter(window: page)
                    let state = "document.getElementById('state')"
                    let name = try await browser.wait(
                        for: "\(state).textContent.startsWith('_') && \(state).textContent")
                    #expect(name.text == (try await recordName(world)))
                    let message = try await browser.run("return {...\(state).dataset}")
                    #expect(message["keys"] == "ckSession,ckWebAuthToken")
                    #expect(message["origin"].text == world.server.url?.absoluteString)
                    #expect(message["next"].text?.hasPrefix("106__54__") == true)
                    #expect(try await browser.windows == [page])
                }
            }
        }
    }

    @Test("By redirect: the browser opens the registered address with both parameters")
    func redirect() async throws {
        try await AppPages.serving { app in
            let callback = app.origin + "/callback?from=cloud"
            try await world(app, callback: callback) { world, token in
                try await Browser.with { browser in
                    let reply = try await world.send(
                        "GET", ServerWorld.target("public/users/caller", parameters: "ckAPIToken=\(token)"))
                    #expect(reply.status == 421)
                    try await browser.open(try #require(reply.json["redirectURL"].text))
                    try await Self.signIn(browser, password: "correct horse")
                    _ = try await browser.wait(for: "document.title == 'Back'")
                    let address = try #require(URLComponents(string: try await browser.address))
                    let values = (address.queryItems ?? []).map { ($0.name, $0.value ?? "") }
                    #expect(values.map(\.0) == ["from", "ckWebAuthToken", "ckSession"])
                    let session = try #require(values.last?.1)
                    #expect(values[1].1 == session)
                    let ann = Person(
                        name: "ann", token: PercentEncoding.encode(session),
                        recordName: try await recordName(world))
                    let caller = try await world.send(
                        "GET",
                        ServerWorld.target("public/users/caller", as: ann, parameters: "ckAPIToken=\(token)"))
                    #expect(caller.json["userRecordName"] == .string(ann.recordName))
                }
            }
        }
    }

    @Test("After a wrong password, an alert is shown, the name stays, and the password has the focus")
    func wrongPassword() async throws {
        try await AppPages.serving { app in
            try await world(app) { world, token in
                try await Browser.with { browser in
                    let reply = try await world.send(
                        "GET", ServerWorld.target("public/users/caller", parameters: "ckAPIToken=\(token)"))
                    try await browser.open(try #require(reply.json["redirectURL"].text))
                    #expect(try await Self.focus(browser) == "name")
                    let fresh = try await browser.picture("sign-in")
                    #expect(fresh.count > 5000)
                    try await Self.signIn(browser, password: "wrong horse")
                    _ = try await browser.wait(for: "document.querySelector('[role=alert]')")
                    let problem = try await browser.run(
                        "return document.querySelector('[role=alert]').textContent")
                    #expect(
                        problem
                            == "The name or the password is wrong. Check both, then try again.")
                    #expect(try await browser.run("return document.title") == "Error: sign in")
                    #expect(try await browser.run("return document.getElementById('name').value") == "ann")
                    #expect(try await browser.run("return document.getElementById('keep').checked") == true)
                    #expect(try await Self.focus(browser) == "password")
                    let picture = try await browser.picture("sign-in-wrong")
                    #expect(picture != fresh)
                    try await browser.type("correct horse", Browser.enter)
                    _ = try await browser.wait(for: "document.getElementById('done')")
                }
            }
        }
    }

    /// Fills in the form with the keyboard only, and sends it with the button.
    private static func signIn(_ browser: Browser, password: String) async throws {
        _ = try await browser.wait(for: "document.activeElement.id == 'name'")
        try await browser.type("ann", Browser.tab, password, Browser.tab, Browser.space)
        #expect(try await focus(browser) == "keep")
        try await browser.type(Browser.tab, Browser.enter)
    }

    private static func focus(_ browser: Browser) async throws -> JSON {
        try await browser.run("return document.activeElement.id")
    }
}

/// Runs a scenario over the socket, with URLs that a browser can open.
private func withServerForBrowsers(_ scenario: (ServerWorld) async throws -> Void) async throws {
    try await withServer(
        .socket,
        {
            $0.access = .closed
            $0.publicURL = nil
            $0.passwordCost = .quick
        }, scenario)
}
