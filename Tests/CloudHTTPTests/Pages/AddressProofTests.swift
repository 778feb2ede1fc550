import CloudletServer
import CloudletTesting
import Foundation
import Logging
import Records
import RecordsWire
import Synchronization
import Testing

@testable import CloudService
@testable import ServerKit
@testable import TestKit

@Suite("Proving an invited address (N75, N79, N80)", .timeLimit(.minutes(30)))
struct AddressProofTests {
    /// Text that a page shows between two marks.
    private func shown(_ page: Reply, after mark: String) throws -> String {
        let start = try #require(page.text.range(of: mark), "\(page.text)")
        return String(page.text[start.upperBound...].prefix { $0 != "<" })
    }

    @Test("On an open server, the page shows the code, which links the invitation to the person")
    func page() async throws {
        try await serving { world in
            let note = try await SharedNote.make(
                world, inviting: [SharedNote.invitation("eva@example.org")])
            let eva = try await note.signIn("eva")
            let asking = try await note.page(eva)
            #expect(asking.status == 403)
            #expect(asking.text.contains("Prove that an invited address is yours"))
            #expect(!asking.text.contains("Alps"))
            // Other addresses get no code, and the answer does not reveal that they are not invited.
            let other = try await note.send("action=code&address=other%40example.org", cookie: eva)
            #expect(other.status == 200)
            #expect(other.text.contains("If <strong>other@example.org</strong> is invited"))
            #expect(!other.text.contains("id=\"shown\""))
            let sent = try await note.send("action=code&address=Eva%40Example.org", cookie: eva)
            let code = try shown(sent, after: "<strong id=\"shown\">")
            #expect(code.wholeMatch(of: /[0-9]{8}/) != nil)
            let fields = "action=confirm&address=eva%40example.org&code="
            let wrong = try await note.send(fields + "1", cookie: eva)
            #expect(wrong.status == 403)
            #expect(wrong.text.contains("The code is wrong or too old."))
            #expect(wrong.text.contains("name=\"address\" value=\"eva@example.org\""))
            let confirmed = try await note.send(fields + code, cookie: eva)
            #expect(confirmed.status == 303)
            #expect(try await note.page(eva).text.contains("Accept</button>"))
            #expect(try await note.send("action=accept", cookie: eva).status == 303)

            let record = try await world.lookup("private", "s", zone: "Notes", as: note.alice)
            let person = record.json["records"][0]["participants"][1]
            let name = try await world.signIn("eva").recordName
            #expect(person["acceptanceStatus"] == "ACCEPTED")
            #expect(person["userIdentity"]["userRecordName"] == .string(name))
            #expect(person["userIdentity"]["lookupInfo"] == ["emailAddress": "eva@example.org"])
        }
    }

    @Test("A proof by a code that an open server showed does not count on a closed one")
    func closed() async throws {
        try await withFolder { folder in
            func serve(_ seed: UInt64, _ access: ServerConfiguration.Access) async throws -> ServerWorld {
                let data = folder.appendingPathComponent("data")
                return try await ServerWorld.start(.loopback) {
                    ($0.storage, $0.seed, $0.access) = (.folder(data), seed, access)
                }
            }
            let open = try await serve(1, .open)
            let note = try await SharedNote.make(open, inviting: [SharedNote.invitation("eva@example.org")])
            let cookie = try await note.signIn("eva")
            let sent = try await note.send("action=code&address=eva%40example.org", cookie: cookie)
            let code = try shown(sent, after: "<strong id=\"shown\">")
            let fields = "action=confirm&address=eva%40example.org&code="
            #expect(try await note.send(fields + code, cookie: cookie).status == 303)
            #expect(try await note.page(cookie).text.contains("Accept</button>"))
            let person = try await open.signIn("eva").recordName
            await open.stop()

            let closed = try await serve(2, .closed)
            let eva = Caller(
                container: "iCloud.test", environment: .development, identity: .person(person))
            let refused = await #expect(throws: RecordError.self) {
                _ = try await closed.service.shares.accept(
                    note.guid, wantsRoot: false, by: eva, reserve: { _ in })
            }
            #expect(refused?.code == .participantMayNeedVerification)
            await closed.stop()
        }
    }

    /// The addresses and codes that were sent.
    private final class Sent: Sendable {
        private let lines = Mutex<[String]>([])

        var all: [String] { lines.withLock { $0 } }

        func add(_ line: String) { lines.withLock { $0.append(line) } }
    }

    @Test("With a sender, the code is sent to the address and not shown, and a failure to send is logged")
    func sender() async throws {
        let (sent, notebook) = (Sent(), LogRecorder())
        try await withServer(
            .loopback,
            {
                $0.logger = Logger(label: "test") { _ in LogRecorder.Writer(notebook: notebook) }
                $0.codeSender = { address, code in
                    if address.hasPrefix("+") { throw CancellationError() }
                    sent.add("\(address) \(code)")
                }
            }
        ) { world in
            let phone: JSON = ["userIdentity": ["lookupInfo": ["phoneNumber": "+4912345"]]]
            let note = try await SharedNote.make(
                world, inviting: [SharedNote.invitation("eva@example.org"), phone])
            let eva = try await note.signIn("eva")
            let page = try await note.send("action=code&address=eva%40example.org", cookie: eva)
            #expect(!page.text.contains("id=\"shown\""))
            try await until { !sent.all.isEmpty }
            let words = try #require(sent.all.first).split(separator: " ")
            #expect(words[0] == "eva@example.org")
            #expect(!page.text.contains(words[1]))
            let failed = try await note.send("action=code&address=%2B49+123+45", cookie: eva)
            #expect(failed.status == 200)
            try await until {
                notebook.lines.withLock { $0.contains { $0.hasPrefix("a code could not be sent: ") } }
            }
            _ = try await note.send("action=code&address=nobody%40example.org", cookie: eva)
            let done = try await note.send(
                "action=confirm&address=eva%40example.org&code=\(words[1])", cookie: eva)
            #expect(done.status == 303)
            #expect(sent.all.count == 1)
            // The address stays linked: no other account can get it.
            await #expect(throws: RecordError.self) {
                try await world.service.people.change(named: "alice") { $0.email = "eva@example.org" }
            }
        }
    }

    @Test(
        """
        The answers about an invited address and another one are the same, also before the code is sent, and \
        when no more codes go to the address
        """)
    func sameAnswers() async throws {
        let sent = Sent()
        try await withServer(
            .loopback,
            {
                $0.limits.codesPerAddress = 2
                $0.codeSender = { address, _ in
                    sent.add(address)
                    // Until the server stops.
                    let endless = AsyncStream<Int> { _ in }
                    for await _ in endless {}
                }
            }
        ) { world in
            let note = try await SharedNote.make(
                world, inviting: [SharedNote.invitation("eva@example.org")])
            func ask(_ person: Person, _ address: String) async throws -> String {
                let body: JSON = [
                    "container": "iCloud.test", "environment": "development",
                    "lookupInfo": ["emailAddress": .string(address)], "shortGUID": .string(note.guid),
                ]
                let reply = try await world.send(
                    "POST", "/sign-in/code?ckWebAuthToken=\(person.token)", body: try body.encoded())
                return "\(reply.status) \(reply.text)"
            }
            let (eve, carl) = (try await world.signIn("eve"), try await world.signIn("carl"))
            for person in [eve, carl] {
                for _ in 0..<2 {
                    let answers = [
                        try await ask(person, "eva@example.org"), try await ask(person, "eve@example.org"),
                    ]
                    #expect(answers == ["200 {}", "200 {}"])
                }
            }
            try await until { sent.all.count == 2 }
            #expect(sent.all == ["eva@example.org", "eva@example.org"])
        }
    }

    @Test("An app without a page proves the address with two calls, after an error that requires it")
    func calls() async throws {
        try await serving { world in
            let note = try await SharedNote.make(
                world, inviting: [SharedNote.invitation("eva@example.org")])
            let eva = try await world.signIn("eva")
            func accept() async throws -> JSON {
                let body: JSON = ["shortGUIDs": [["value": .string(note.guid)]]]
                let reply = try await world.call("public/records/accept", body, as: eva)
                return reply.json["results"][0]
            }
            let refused = try await accept()
            #expect(refused["serverErrorCode"] == "ACCESS_DENIED")
            #expect(refused["reason"].text?.contains("an address that your account does not have") == true)
            func send(_ call: String, _ more: [String: JSON]) async throws -> Reply {
                let place: [String: JSON] = [
                    "container": "iCloud.test", "environment": "development",
                    "lookupInfo": ["emailAddress": "eva@example.org"],
                ]
                let body = JSON.object(place.merging(more) { $1 })
                return try await world.send(
                    "POST", "/sign-in/\(call)?ckWebAuthToken=\(eva.token)", body: try body.encoded())
            }
            let answer = try await send("code", ["shortGUID": .string(note.guid)])
            let code = answer.json["code"]
            #expect(code.text?.utf8.count == 8, "\(answer.text)")
            #expect(try await send("confirm", ["code": "1"]).status == 403)
            #expect(try await send("confirm", ["code": code]).status == 200)
            #expect(try await accept()["participantStatus"] == "ACCEPTED")
            let unknown = try await send("code", ["shortGUID": "x"])
            #expect(unknown.failure == "404 NOT_FOUND: there is no share with this short GUID")
            for _ in 0..<4 { _ = try await send("code", ["shortGUID": .string(note.guid)]) }
            let throttled = try await send("code", ["shortGUID": .string(note.guid)])
            #expect(throttled.status == 429)
            #expect(throttled.headers["Retry-After"] == "3600")
        }
    }

    @Test("A code expires according to the server's clock")
    func expiry() async throws {
        try await withServer(.loopback) { world in
            let note = try await SharedNote.make(
                world, inviting: [SharedNote.invitation("eva@example.org")])
            let eva = try await note.signIn("eva")
            let sent = try await note.send("action=code&address=eva%40example.org", cookie: eva)
            let code = try shown(sent, after: "<strong id=\"shown\">")
            world.clock.advance(bySeconds: 600)
            let late = try await note.send(
                "action=confirm&address=eva%40example.org&code=" + code, cookie: eva)
            #expect(late.text.contains("The code is wrong or too old."))
        }
    }
}
