import CloudletTesting
import Foundation
import Records
import RecordsWire
import Testing

@testable import CloudService
@testable import ServerKit
@testable import TestKit

/// A note that Alice Smith shares on an open server, with calls by which others open its page.
struct SharedNote: Sendable {
    let world: ServerWorld
    let alice: Person
    let guid: String

    var path: String { "/share/" + guid }

    /// A PNG of 1 by 1 pixel.
    static let thumbnail =
        "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="

    static func make(
        _ world: ServerWorld, title: String = "Alps", inviting participants: [JSON] = [],
        publicPermission: String = "NONE", thumbnail: String = SharedNote.thumbnail
    ) async throws -> SharedNote {
        let alice = try await world.signIn("alice")
        try await world.service.people.change(named: "alice") {
            $0.givenName = "Alice"
            $0.familyName = "Smith"
        }
        try await world.call("private/zones/modify", zones(create: ["Notes"]), as: alice)
        let image: JSON = ["value": .string(thumbnail), "type": "BYTES"]
        let share = operation(
            "create", "s", type: "cloudkit.share",
            ["cloudkit.title": text(title), "cloudkit.thumbnailImageData": image],
            [
                "forRecord": ["recordName": "note"], "publicPermission": .string(publicPermission),
                "participants": .array(participants),
            ])
        let saved = try await world.modify(
            "private", [create("note", type: "Note"), share], zone: "Notes", as: alice)
        #expect(saved.records == ["ok", "ok"], "\(saved.text)")
        let guid = try #require(saved.json["records"][1]["shortGUID"].text)
        return SharedNote(world: world, alice: alice, guid: guid)
    }

    /// A participant who is invited by an address.
    static func invitation(_ email: String, _ permission: String = "READ_WRITE") -> JSON {
        [
            "permission": .string(permission),
            "userIdentity": ["lookupInfo": ["emailAddress": .string(email)]],
        ]
    }

    /// A participant who is invited by user record name.
    static func invitation(_ person: Person, _ permission: String = "READ_WRITE") -> JSON {
        [
            "permission": .string(permission),
            "userIdentity": ["userRecordName": .string(person.recordName)],
        ]
    }

    // MARK: Visits

    /// The page as a browser with this cookie gets it.
    func page(_ cookie: String? = nil) async throws -> Reply {
        try await world.send("GET", path, headers: Self.headers(cookie))
    }

    /// Follows the link to the sign-in page and signs in by name. Returns the cookie for the pages of shares.
    func signIn(_ name: String) async throws -> String {
        let link = try Self.value(after: "href=\"", in: try await page())
        let form = try await world.send("GET", link)
        let browser = try #require(form.headers["Set-Cookie"]).prefix { $0 != ";" }
        let csrfToken = try Self.csrfToken(of: form)
        let done = try await world.send(
            "POST", link, headers: Self.headers(String(browser)),
            body: Array("csrfToken=\(csrfToken)&name=\(name)&password=".utf8))
        #expect(done.status == 303, "\(done.text)")
        #expect(done.headers["Location"] == path)
        return String(try #require(done.headers["Set-Cookie"]).prefix { $0 != ";" })
    }

    /// Sends a form of the page.
    func send(
        _ fields: String, cookie: String?, csrfToken: String? = nil, headers more: CloudHeaders = [:]
    ) async throws -> Reply {
        var headers = Self.headers(cookie)
        for line in more { headers.add(line.name, line.value) }
        var known = csrfToken
        if known == nil { known = try Self.csrfToken(of: try await page(cookie)) }
        let csrfToken = known ?? ""
        return try await world.send(
            "POST", path, headers: headers, body: Array("csrfToken=\(csrfToken)&\(fields)".utf8))
    }

    static func csrfToken(of page: Reply) throws -> String {
        try value(after: "name=\"csrfToken\" value=\"", in: page)
    }

    /// The attribute of the page that begins after a text.
    private static func value(after mark: String, in page: Reply) throws -> String {
        let start = try #require(page.text.range(of: mark), "\(page.text)")
        return String(page.text[start.upperBound...].prefix { $0 != "\"" })
    }

    private static func headers(_ cookie: String?) -> CloudHeaders {
        var headers: CloudHeaders = ["Content-Type": "application/x-www-form-urlencoded"]
        if let cookie { headers["Cookie"] = cookie }
        return headers
    }
}
