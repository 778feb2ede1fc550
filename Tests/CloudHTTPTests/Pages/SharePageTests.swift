import CloudletServer
import CloudletTesting
import Foundation
import Records
import RecordsWire
import Testing

@testable import CloudService
@testable import ServerKit
@testable import TestKit

@Suite("The page behind the link of a share (N42, N43, N78, N81, N82)", .timeLimit(.minutes(30)))
struct SharePageTests {
    @Test("An anonymous visitor sees what is shared only if the share is public")
    func stranger() async throws {
        try await serving { world in
            let note = try await SharedNote.make(world)
            let page = try await note.page()
            #expect(page.status == 200)
            for secret in ["Alps", "Alice", "data:image", "Accept"] { #expect(!page.text.contains(secret)) }
            #expect(page.text.contains("Sign in to see what is shared with you"))
            #expect(page.headers["Content-Type"] == "text/html; charset=utf-8")
            #expect(page.headers["Cache-Control"] == "no-store")
            #expect(page.headers["X-Frame-Options"] == "DENY")
            let policy = try #require(page.headers["Content-Security-Policy"])
            #expect(policy.hasPrefix("default-src 'none'; style-src 'nonce-"))
            let end = "img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
            #expect(policy.hasSuffix(end))
            #expect(!policy.contains("script"))
            for outside in ["src=\"http", "@import", "url(", "<script"] {
                #expect(!page.text.contains(outside))
            }
        }
        try await serving { world in
            let page = try await SharedNote.make(world, publicPermission: "READ_ONLY").page()
            #expect(page.text.contains("<bdi>Alps</bdi>"))
            #expect(page.text.contains("Alice Smith shares this with you."))
            #expect(page.text.contains("You can view it, but not change it."))
            #expect(page.text.contains("data:image/png;base64," + SharedNote.thumbnail))
            #expect(page.text.contains("href=\"/sign-in?ctx="))
        }
    }

    @Test("An invited person signs in, accepts, and takes part; the owner and others cannot accept")
    func accept() async throws {
        try await serving { world in
            let bob = try await world.signIn("bob")
            try await world.service.people.change(named: "bob") { $0.givenName = "Bob" }
            let note = try await SharedNote.make(world, inviting: [SharedNote.invitation(bob)])
            let cookie = try await note.signIn("bob")
            #expect(cookie.hasPrefix("cloudlet-share=106__54__"))
            let invited = try await note.page(cookie)
            let (who, what) = ("Alice Smith shares", "You can view and change it.")
            for text in ["<bdi>Alps</bdi>", who, what, "Accept</button>"] {
                #expect(invited.text.contains(text), "\(text)")
            }
            #expect(try await world.get("shared/zones/list", as: bob).json == ["zones": []])
            let accepted = try await note.send("action=accept", cookie: cookie)
            #expect(accepted.status == 303)
            #expect(accepted.headers["Location"] == note.path)
            let after = try await note.page(cookie)
            #expect(after.text.contains("You are a participant."))
            #expect(!after.text.contains("Accept</button>"))
            let listed = try await world.get("shared/zones/list", as: bob).json["zones"]
            #expect(listed.elements.count == 1)

            let seen = try await world.lookup("private", "s", zone: "Notes", as: note.alice)
            let people = seen.json["records"][0]["participants"]
            #expect(people[1]["userIdentity"]["nameComponents"] == ["givenName": "Bob"])

            let owner = try await note.signIn("alice")
            #expect(try await note.page(owner).text.contains("You share this with others."))
            let own = try await note.send("action=accept", cookie: owner)
            #expect(own.status == 400)
            #expect(own.text.contains("The owner cannot accept the share."))
            let carol = try await note.signIn("carol")
            for reply in [try await note.page(carol), try await note.send("action=accept", cookie: carol)] {
                #expect(reply.status == 403)
                #expect(reply.text.contains("Only invited people can accept this share."))
                #expect(!reply.text.contains("Alps"))
            }
        }
    }

    @Test("After accepting, people are redirected to the container's web page, or to the server's fallback")
    func fallback() async throws {
        try await serving({ $0.fallbackURL = "https://all.example/open?share=" }) { world in
            let note = try await SharedNote.make(world, publicPermission: "READ_WRITE")
            let bob = try await note.signIn("bob")
            let page = try await note.page(bob)
            #expect(
                page.headers["Content-Security-Policy"]?.contains("form-action 'self' https://all.example;")
                    == true)
            #expect(!page.text.contains("https://all.example/open"))
            let accepted = try await note.send("action=accept", cookie: bob)
            #expect(accepted.headers["Location"] == "https://all.example/open?share=" + note.guid)
            #expect(try await note.page(bob).text.contains("https://all.example/open?share=" + note.guid))
            let own = "https://notes.example/#"
            _ = try await world.service.containers.setFallbackURL(own, of: "iCloud.test")
            #expect(try await note.page(bob).text.contains("href=\"\(own)\(note.guid)\""))
        }
        for url in ["javascript:alert(1)", "notes.example", "https://a b"] {
            await #expect(throws: ServerError.self) {
                try await withServer(.loopback, { $0.fallbackURL = url }) { _ in }
            }
        }
    }

    @Test("A person without an invitation can ask for access on the page")
    func ask() async throws {
        try await serving { world in
            let note = try await SharedNote.make(world)
            let carol = try await note.signIn("carol")
            #expect(!(try await note.page(carol)).text.contains("Ask for access"))
            let forged = try await note.send("action=ask", cookie: carol)
            #expect(forged.status == 404)
            let open = operation(
                "forceUpdate", "s", type: "cloudkit.share", [:], ["denyAccessRequests": false])
            try await world.modify("private", [open], zone: "Notes", as: note.alice)
            let page = try await note.page(carol)
            #expect(page.status == 200)
            #expect(page.text.contains("Ask for access</button>"))
            #expect(!page.text.contains("Alps"))
            let asked = try await note.send("action=ask", cookie: carol)
            #expect(asked.status == 303)
            #expect(asked.headers["Location"] == note.path)
            let waiting = try await note.page(carol)
            #expect(waiting.text.contains("You have asked for access."))
            #expect(!waiting.text.contains("Ask for access</button>"))
            let share = try await world.lookup("private", "s", zone: "Notes", as: note.alice)
            #expect(share.json["records"][0]["requesters"].elements.count == 1)
        }
    }

    @Test("The part of a link after the short GUID cannot change the address of a redirect")
    func linkPart() async throws {
        try await serving({ $0.fallbackURL = "https://all.example" }) { world in
            let note = try await SharedNote.make(world, publicPermission: "READ_WRITE")
            let bob = try await note.signIn("bob")
            for part in [
                "@evil.example", "%22%3E%3Cscript%3E", "x&admin=1", String(repeating: "x", count: 256),
            ] {
                let reply = try await world.send("GET", "/share/\(note.guid)~\(part)")
                #expect(reply.status == 404, "\(part)")
            }
            let accepted = try await note.send("action=accept", cookie: bob)
            #expect(accepted.headers["Location"] == "https://all.example/" + note.guid)
        }
    }

    @Test("A one-time link is valid for the first person who accepts it")
    func oneTime() async throws {
        try await serving { world in
            let open: JSON = ["permission": "READ_ONLY", "userIdentity": [:]]
            let note = try await SharedNote.make(world, inviting: [open])
            let record = try await world.lookup("private", "s", zone: "Notes", as: note.alice)
            let id = try #require(record.json["records"][0]["participants"][1]["participantId"].text)
            let link = SharedNote(world: world, alice: note.alice, guid: note.guid + "~" + id)
            let (bob, carol) = (try await link.signIn("bob"), try await link.signIn("carol"))
            #expect(try await note.page(bob).status == 403)
            #expect(try await link.page(bob).text.contains("Accept</button>"))
            #expect(try await link.send("action=accept", cookie: bob).status == 303)
            #expect(try await link.page(carol).status == 403)
            #expect(try await note.page(bob).text.contains("You are a participant."))
        }
    }

    @Test("Unknown, truncated, altered and ended links all get the same answer, without a sign-in link")
    func unknown() async throws {
        try await serving { world in
            let note = try await SharedNote.make(world, publicPermission: "READ_WRITE")
            let bob = try await note.signIn("bob")
            func body(_ reply: Reply) -> String { reply.text.replacing(/nonce="[^"]*"/, with: "") }
            let (head, end) = (note.guid.dropLast(), note.guid.last == "A" ? "B" : "A")
            var replies: [Reply] = []
            let foreign = String(note.guid.reversed())
            for guid in ["x", String(head), String(head) + end, foreign, note.guid + "A"] {
                replies.append(try await world.send("GET", "/share/" + guid, headers: ["Cookie": bob]))
                let body = Array("action=accept".utf8)
                replies.append(try await world.send("POST", "/share/" + guid, body: body))
            }
            _ = try await world.modify("private", [forceDelete("s")], zone: "Notes", as: note.alice)
            replies.append(try await note.page())
            for reply in replies {
                #expect(reply.status == 404)
                #expect(reply.text.contains("There is no share with this short GUID."))
                #expect(!reply.text.contains("sign-in"))
                #expect(body(reply) == body(replies[0]))
            }
        }
    }

    @Test("A form from another site or session, without a CSRF token, or with an unknown action is refused")
    func forgery() async throws {
        try await withServer(.loopback) { world in
            let note = try await SharedNote.make(world, publicPermission: "READ_WRITE")
            let (bob, carol) = (try await note.signIn("bob"), try await note.signIn("carol"))
            let csrfToken = try SharedNote.csrfToken(of: await note.page(bob))
            let refusals = [
                try await note.send("action=accept", cookie: bob, csrfToken: ""),
                try await note.send("action=accept", cookie: carol, csrfToken: csrfToken),
                try await note.send(
                    "action=accept", cookie: bob, csrfToken: csrfToken,
                    headers: ["Sec-Fetch-Site": "cross-site"]),
                try await note.send("action=other", cookie: bob, csrfToken: csrfToken),
            ]
            for (number, reply) in refusals.enumerated() {
                #expect(reply.status == 400 || reply.status == 403, "\(number)")
            }
            // Without a session, the page asks to sign in again.
            let anonymous = try await note.send("action=accept", cookie: nil, csrfToken: csrfToken)
            #expect(anonymous.status == 303)
            #expect(anonymous.headers["Location"] == note.path)
            #expect(try await note.page(bob).text.contains("Accept</button>"))
            world.clock.advance(bySeconds: 3601)
            let late = try await note.send("action=accept", cookie: bob, csrfToken: csrfToken)
            // The session has ended, so the page asks to sign in again.
            #expect(late.status == 303)
            #expect(late.headers["Location"] == note.path)
        }
    }

    @Test("After signing out, the session has ended and the page asks to sign in")
    func signOut() async throws {
        try await serving { world in
            let note = try await SharedNote.make(world, publicPermission: "READ_WRITE")
            let bob = try await note.signIn("bob")
            let done = try await note.send("action=sign-out", cookie: bob)
            #expect(done.status == 303)
            #expect(done.headers["Set-Cookie"]?.hasPrefix("cloudlet-share=; Path=/share; Max-Age=0") == true)
            let page = try await note.page(bob)
            #expect(page.text.contains("href=\"/sign-in?ctx="))
            #expect(!page.text.contains("Accept</button>"))
        }
    }

    @Test(
        "Titles and names are escaped in the page",
        arguments: ["\"><script>alert(1)</script>", "\"\u{301} onload=alert(1) x=\"", "</title><b>"])
    func escaping(title: String) async throws {
        try await withServer(.loopback) { world in
            let note = try await SharedNote.make(world, title: title, publicPermission: "READ_ONLY")
            let page = try await note.page()
            for raw in ["<script>", "<b>", "\"\u{301}"] {
                #expect(page.text.utf8.firstRange(of: raw.utf8) == nil, "\(raw)")
            }
        }
    }

    @Test("Visits are charged to the rate of their address")
    func rate() async throws {
        try await withServer(.socket, { $0.limits.addressRate = RequestRate(requests: 3, seconds: 60) }) {
            world in
            for _ in 0..<3 { #expect(try await world.send("GET", "/share/x").status == 404) }
            let refused = try await world.send("GET", "/share/x")
            #expect(refused.status == 429)
            #expect(refused.headers["Retry-After"] != nil)
            #expect(refused.text.contains("Too many requests."))
            #expect(refused.text.contains("Time to wait: 20 seconds."))
        }
    }
}
