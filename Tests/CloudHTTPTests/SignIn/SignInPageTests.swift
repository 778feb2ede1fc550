import CloudService
import CloudletServer
import CloudletTesting
import Foundation
import Records
import RecordsWire
import Testing

@testable import ServerKit
@testable import TestKit

@Suite("The sign-in page", .timeLimit(.minutes(30)))
struct SignInPageTests {
    private static let fields = "name=ann&password=correct+horse"

    @Test("The page to sign in loads nothing from elsewhere, and cannot be framed or cached")
    func page() async throws {
        try await closed { world, token in
            let incoming = try await PageVisit(world, token)
            let page = incoming.page
            #expect(page.status == 200)
            #expect(page.headers["Content-Type"] == "text/html; charset=utf-8")
            #expect(page.headers["Cache-Control"] == "no-store")
            #expect(page.headers["X-Frame-Options"] == "DENY")
            let policy = try #require(page.headers["Content-Security-Policy"])
            #expect(policy.hasPrefix("default-src 'none'; style-src 'nonce-"))
            #expect(policy.hasSuffix("form-action 'self'; base-uri 'none'; frame-ancestors 'none'"))
            #expect(!policy.contains("unsafe"))
            #expect(page.text.contains("<strong>iCloud.test</strong> (development)"))
            for outside in ["src=", "href=", "@import", "url("] { #expect(!page.text.contains(outside)) }
            for label in ["name", "password", "keep"] {
                #expect(page.text.contains("<label for=\"\(label)\">"))
                #expect(page.text.contains("id=\"\(label)\""))
            }
            let cookie = try #require(page.headers["Set-Cookie"])
            for flag in ["HttpOnly", "SameSite=Strict", "Path=/sign-in", "Max-Age=3600"] {
                #expect(cookie.contains(flag), "\(cookie)")
            }
            #expect(!cookie.contains("Secure"))
        }
        try await closed({ $0.publicURL = "https://cloud.test" }) { world, token in
            let incoming = try await PageVisit(world, token)
            #expect(incoming.page.headers["Set-Cookie"]?.contains("Secure") == true)
        }
    }

    @Test("The form signs in: by message to the requesting origin, or by redirect to the registered address")
    func targets() async throws {
        try await closed { world, token in
            let incoming = try await PageVisit(world, token, origin: "https://app.example")
            let done = try await incoming.send(Self.fields)
            #expect(done.status == 200)
            #expect(done.text.contains("data-origin=\"https://app.example\""))
            #expect(done.text.contains("data-token=\"106__54__"))
        }
        try await closed(callback: "cloudkit-icloud.test://back") { world, token in
            let incoming = try await PageVisit(world, token)
            let policy = incoming.page.headers["Content-Security-Policy"]
            #expect(policy?.contains("form-action 'self' cloudkit-icloud.test:;") == true)
            let done = try await incoming.send(Self.fields)
            #expect(done.status == 303)
            let place = try #require(done.headers["Location"])
            #expect(place.hasPrefix("cloudkit-icloud.test://back?ckWebAuthToken=106__54__"))
            #expect(place.contains("&ckSession=106__54__"))
        }
        // Without a requesting origin, the session is for the first allowed origin, or for the server's own.
        try await closed(origins: ["https://a.example", "https://b.example"]) { world, token in
            let done = try await PageVisit(world, token).send(Self.fields)
            #expect(done.text.contains("data-origin=\"https://a.example\""))
        }
        try await closed { world, token in
            let done = try await PageVisit(world, token).send(Self.fields)
            #expect(done.text.contains("data-origin=\"http://cloud.test\""))
        }
    }

    @Test("A form from another site, another browser or another page is refused")
    func forgery() async throws {
        try await closed { world, token in
            let incoming = try await PageVisit(world, token)
            let other = try await PageVisit(world, token, origin: "https://other.example")
            let refusals: [Reply] = [
                try await incoming.send(Self.fields, cookie: nil),
                try await incoming.send(Self.fields, cookie: other.cookie),
                try await incoming.send(Self.fields, csrfToken: other.csrfToken),
                try await incoming.send(Self.fields, csrfToken: ""),
                try await incoming.send(Self.fields, headers: ["Sec-Fetch-Site": "cross-site"]),
                try await incoming.send(Self.fields, headers: ["Origin": "https://evil.example"]),
                try await world.send(
                    "POST", "/sign-in?ctx=forged", headers: ["Cookie": incoming.cookie ?? ""],
                    body: Array(Self.fields.utf8)),
                try await world.send("GET", "/sign-in"),
            ]
            for (number, reply) in refusals.enumerated() {
                #expect(reply.status == 400, "\(number)")
                #expect(!reply.text.contains("106__54__"), "\(number)")
                #expect(reply.text.contains("role=\"alert\""), "\(number)")
            }
            let own: CloudHeaders = ["Sec-Fetch-Site": "same-origin", "Origin": "http://cloud.test"]
            #expect(try await incoming.send(Self.fields, headers: own).status == 200)
            world.clock.advance(bySeconds: 3601)
            #expect(try await incoming.send(Self.fields).status == 400)
        }
    }

    @Test(
        "A form with too many combining marks in a row is refused",
        arguments: ["\u{301}\u{323}", "%CC%81%CC%A3"])
    func marks(pair: String) async throws {
        try await closed { world, token in
            let incoming = try await PageVisit(world, token)
            let refused = try await incoming.send(
                "a" + String(repeating: pair, count: 65) + "=1&" + Self.fields)
            #expect(refused.status == 400)
            #expect(refused.text.contains("The form cannot be read. Load the page again."))
            let most = try await incoming.send("a" + String(repeating: pair, count: 64) + "=1&" + Self.fields)
            #expect(most.status == 200)
        }
    }

    @Test("A form with more than 16 fields is refused")
    func manyFields() async throws {
        try await closed { world, token in
            let incoming = try await PageVisit(world, token)
            func send(more count: Int) async throws -> Reply {
                let more = (0..<count).map { "a\($0)=&" }.joined()
                return try await incoming.send(more + Self.fields)
            }
            // The form has a CSRF token, too.
            let refused = try await send(more: 14)
            #expect(refused.text.contains("The form of a page has at most 16 fields. Load the page again."))
            let most = try await send(more: 13)
            #expect(most.status == 200)
        }
    }

    @Test("Visits are charged to the rate of their address, and neither to an app nor to a container")
    func rate() async throws {
        let configure: @Sendable (inout ServerConfiguration) -> Void = {
            $0.limits.addressRate = RequestRate(requests: 3, seconds: 60)
            $0.limits.appRate = RequestRate(requests: 1, seconds: 60)
            $0.limits.containerRate = RequestRate(requests: 1, seconds: 60)
        }
        try await withServer(.socket, configure) { world in
            for _ in 0..<3 { #expect(try await world.send("GET", "/sign-in?ctx=x").status != 429) }
            let refused = try await world.send("POST", "/sign-in?ctx=x")
            #expect(refused.status == 429)
        }
    }

    @Test("An unknown person and a wrong password look the same, and guessing is slowed")
    func guessing() async throws {
        try await closed { world, token in
            let incoming = try await PageVisit(world, token)
            func body(_ reply: Reply) -> String {
                reply.text.replacing(/(nonce|value)="[^"]*"/, with: "").replacing(/ctx=[^"]*"/, with: "")
            }
            let wrong = try await incoming.send("name=ann&password=wrong+horse")
            let unknown = try await incoming.send("name=eve&password=wrong+horse")
            #expect(wrong.status == 403)
            #expect(unknown.status == 403)
            #expect(body(wrong) == body(unknown))
            for name in ["ann", "ANN", "ann", "Ann"] {
                #expect(try await incoming.send("name=\(name)&password=no").status == 403)
            }
            let slowed = try await incoming.send(Self.fields)
            #expect(slowed.status == 429)
            #expect(slowed.headers["Retry-After"] == "1")
            #expect(slowed.text.contains("Too many attempts to sign in."))
            // Attempts are counted by the entered text, so the count does not reveal whose address it is.
            let byAddress = try await incoming.send("name=ann@example.org&password=no")
            #expect(byAddress.status == 403)
            world.clock.advance(bySeconds: 1)
            #expect(try await incoming.send(Self.fields).status == 200)
        }
    }

    @Test("Entered values are escaped in the page")
    func escaping() async throws {
        try await closed { world, token in
            let incoming = try await PageVisit(world, token)
            let reply = try await incoming.send("name=%22%3E%3Cscript%3Ealert(1)%3C%2Fscript%3E&password=x")
            #expect(!reply.text.contains("<script>"))
            #expect(reply.text.contains("&quot;&gt;&lt;script&gt;"))
            let long = String(repeating: "x", count: 20_000)
            #expect(try await incoming.send("name=\(long)&password=x").status == 400)
        }
    }

    @Test("The status of a restricted account is shown only after the right password")
    func trouble() async throws {
        try await closed { world, token in
            try await world.service.people.change(named: "ann") { $0.status = .restricted }
            let incoming = try await PageVisit(world, token)
            let wrong = try await incoming.send("name=ann&password=wrong+horse")
            #expect(wrong.text.contains("The name or the password is wrong."))
            let right = try await incoming.send(Self.fields)
            #expect(right.status == 403)
            #expect(right.text.contains("The account is restricted."))
            #expect(!right.text.contains("106__54__"))
        }
    }

    @Test("The sign-in page of a revoked API token refuses to sign in")
    func revoked() async throws {
        try await closed { world, token in
            let incoming = try await PageVisit(world, token)
            let id = try await world.service.credentials.apiTokens(of: "iCloud.test")[0].id
            try await world.service.credentials.revokeAPIToken(id: id)
            let reply = try await incoming.send(Self.fields)
            #expect(reply.status == 403)
            #expect(reply.text.contains("The app may not ask people to sign in any more."))
        }
    }

    @Test("An open server accepts a name without a password, unless the person has one")
    func open() async throws {
        try await serving({ $0.passwordCost = .quick }) { world in
            _ = try await world.service.people.add(Account(id: "", name: "ann"), password: "correct horse")
            let incoming = try await PageVisit(world, nil)
            #expect(incoming.page.text.contains("a name without a password"))
            #expect(try await incoming.send("name=bob&password=").status == 200)
            #expect(try await incoming.send("name=ann&password=").status == 403)
            #expect(try await incoming.send(Self.fields).status == 200)
        }
    }

    /// A closed server with a person and an app's token.
    private func closed(
        origins: [String] = [], callback: String? = nil,
        _ configure: @escaping @Sendable (inout ServerConfiguration) -> Void = { _ in },
        _ scenario: (ServerWorld, String) async throws -> Void
    ) async throws {
        let closing: @Sendable (inout ServerConfiguration) -> Void = {
            $0.access = .closed
            $0.passwordCost = .quick
            configure(&$0)
        }
        try await serving(closing) { world in
            let token = try await world.app(origins: origins, callback: callback)
            _ = try await world.service.people.add(
                Account(id: "", name: "ann", email: "ann@example.org"), password: "correct horse")
            try await scenario(world, token)
        }
    }
}

/// A visit to the sign-in page, with all that is needed to send its form.
struct PageVisit: Sendable {
    let world: ServerWorld
    let target: String
    let page: Reply
    let cookie: String?
    let csrfToken: String

    /// Sends a request that requires a person, and opens the page that the error names.
    init(_ world: ServerWorld, _ token: String?, origin: String? = nil) async throws {
        let headers: CloudHeaders = origin.map { ["Origin": $0] } ?? [:]
        let parameters = token.map { "ckAPIToken=\($0)" } ?? ""
        let refused = try await world.send(
            "GET", ServerWorld.target("public/users/caller", parameters: parameters), headers: headers)
        #expect(refused.failure == "421 AUTHENTICATION_REQUIRED: request needs authorization")
        let address = try #require(refused.json["redirectURL"].text)
        let path = try #require(address.range(of: "/sign-in?ctx="))
        self.world = world
        target = String(address[path.lowerBound...])
        page = try await world.send("GET", target)
        cookie = page.headers["Set-Cookie"].map { String($0.prefix { $0 != ";" }) }
        let mark = "name=\"csrfToken\" value=\""
        csrfToken =
            page.text.components(separatedBy: mark).dropFirst().first.map {
                String($0.prefix { $0 != "\"" })
            } ?? ""
    }

    func send(_ fields: String, headers: CloudHeaders = [:]) async throws -> Reply {
        try await send(fields, cookie: cookie, csrfToken: csrfToken, headers: headers)
    }

    func send(_ fields: String, cookie: String?) async throws -> Reply {
        try await send(fields, cookie: cookie, csrfToken: csrfToken, headers: [:])
    }

    func send(_ fields: String, csrfToken: String) async throws -> Reply {
        try await send(fields, cookie: cookie, csrfToken: csrfToken, headers: [:])
    }

    private func send(
        _ fields: String, cookie: String?, csrfToken: String, headers: CloudHeaders
    ) async throws -> Reply {
        var headers = headers
        headers["Content-Type"] = "application/x-www-form-urlencoded"
        headers["Cookie"] = cookie
        return try await world.send(
            "POST", target, headers: headers, body: Array("csrfToken=\(csrfToken)&\(fields)".utf8))
    }
}
