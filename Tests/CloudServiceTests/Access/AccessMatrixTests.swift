import CloudletServer
import Crypto
import RecordsWire
import Testing

@testable import CloudService
@testable import ServerKit
@testable import TestKit

@Suite("The matrix of access", .timeLimit(.minutes(30)))
struct AccessMatrixTests {
    /// The outcomes under the grants of a new type. Columns: no credentials, API token, a person, the
    /// record's creator, a member of the role Staff, a server key.
    private static let standard = """
        public lookup     401 ok  ok  ok  ok  ok
        public query      401 1   1   1   1   1
        public create     401 421 ok  ok  ok  ok
        public update     401 421 no  ok  no  ok
        public replace    401 421 no  ok  no  ok
        public delete     401 421 no  ok  no  ok
        public upload     401 421 ok  ok  ok  ok
        """

    /// The outcomes under these grants: READ to _creator and Staff, CREATE to Staff, WRITE to _icloud.
    private static let edited = """
        public lookup     401 no  no  ok  ok  ok
        public query      401 no  0   1   1   1
        public create     401 421 no  no  ok  ok
        public update     401 421 ok  ok  ok  ok
        public replace    401 421 no  no  ok  ok
        public delete     401 421 ok  ok  ok  ok
        public upload     401 421 ok  ok  ok  ok
        """

    /// The outcomes in the private and the shared database, where grants have no effect.
    private static let elsewhere = """
        private lookup    401 421 404 ok  404 no
        private query     401 421 0   1   0   no
        private create    401 421 ok  ok  ok  no
        private update    401 421 ok  ok  ok  no
        private delete    401 421 ok  ok  ok  no
        private upload    401 421 ok  ok  ok  no
        shared lookup     401 421 404 404 404 no
        """

    private static let items = [
        "x INT64", "___recordID".quoted + " REFERENCE QUERYABLE", "f ASSET",
    ]
    private static let standardGrants = [
        "GRANT READ TO \("_world".quoted)", "GRANT CREATE TO \("_icloud".quoted)",
        "GRANT WRITE TO \("_creator".quoted)",
    ]
    private static let editedGrants = [
        "GRANT READ TO \("_creator".quoted)", "GRANT READ, CREATE TO Staff",
        "GRANT WRITE TO \("_icloud".quoted)",
    ]

    @Test(
        "Each caller may do exactly what the grants permit",
        arguments: [false, true], Transport.allCases)
    func matrix(isEdited: Bool, transport: Transport) async throws {
        let table = isEdited ? Self.edited : Self.standard
        let grants = isEdited ? Self.editedGrants : Self.standardGrants
        try await withServer(transport, { $0.access = .closed }) { world in
            let fixture = try await AccessFixture(world, schema: Self.items + grants)
            for line in (table + "\n" + Self.elsewhere).split(separator: "\n") {
                let words = line.split(separator: " ").map(String.init)
                for (caller, expected) in zip(AccessFixture.Role.allCases, words.dropFirst(2)) {
                    let outcome = try await fixture.outcome(of: words[1], in: words[0], by: caller)
                    #expect(outcome == expected, "\(words[0]) \(words[1]) by \(caller)")
                }
            }
        }
    }

    @Test("A server key reads and writes records of a type without grants, and keeps their creators")
    func ungranted() async throws {
        try await withServer(.loopback, { $0.access = .closed }) { world in
            let fixture = try await AccessFixture(world, schema: Self.items + Self.standardGrants)
            let items = (Self.items + ["GRANT READ TO Staff"]).joined(separator: ", ")
            let text = "DEFINE SCHEMA CREATE ROLE Staff; RECORD TYPE Plan (\(items));"
            let users = " RECORD TYPE Users (roles LIST<INT64>);"
            #expect(try await world.importSchema(text + users).status == 200)
            let table = [("lookup", "no", "ok"), ("query", "no", "1"), ("create", "no", "ok")]
            for (operation, ofPerson, ofKey) in table + [("upload", "no", "ok")] {
                #expect(try await fixture.outcome(of: operation, in: "public", by: .person) == ofPerson)
                #expect(try await fixture.outcome(of: operation, in: "public", by: .key) == ofKey)
            }
            let before = try await fixture.changed(by: .key, "mine", "forceUpdate", 2)
            let after = try await fixture.changed(by: .key, "mine", "forceReplace", 3)
            let owner = try await world.service.credentials.serverKeys(of: "iCloud.test")[0].owner
            #expect(before["created"]["userRecordName"].text != owner)
            #expect(after["created"] == before["created"])
            #expect(after["modified"]["userRecordName"].text == owner)
            #expect(after["fields"]["x"]["value"] == 3)
        }
    }

    @Test(
        "Contradictory credentials, or those of two kinds, are refused in any order")
    func credentials() async throws {
        try await withServer(.socket, { $0.access = .closed }) { world in
            let fixture = try await AccessFixture(world, schema: Self.items + Self.standardGrants)
            let app = "ckAPIToken=\(fixture.token)"
            let creator = "ckWebAuthToken=\(fixture.session(.creator))"
            let person = "ckWebAuthToken=\(fixture.session(.person))"
            let cases: [(String, String)] = [
                ("\(app)&\(creator)", "ok"), ("\(creator)&\(app)", "ok"),
                ("a=b&\(creator)&c=d&\(app)", "ok"),
                ("\(app)&\(person)", "no"), (app, "421"), (creator, "401"), (person, "401"), ("", "401"),
                ("\(app)&\(app)&\(creator)", "ok"), ("\(app)&ckAPIToken=&\(creator)", "401"),
                ("\(app)&\(person)&\(creator)", "401"), ("\(app)&\(creator)&\(person)", "401"),
                ("\(app)&\(person)&ckSession=\(fixture.session(.creator))", "no"),
                ("\(app)&\(person)&ck%57ebAuthToken=x", "401"),
                ("\(app)&\(person)&CKWEBAUTHTOKEN=\(fixture.session(.creator))", "no"),
            ]
            for (parameters, expected) in cases {
                let name = try await fixture.freshRecord(in: "public")
                let body = batch([operation("forceUpdate", name, type: "Plan", ["x": number(2)])])
                let reply = try await world.call("public/records/modify", body, parameters: parameters)
                #expect(AccessFixture.word(for: reply) == expected, "\(parameters)")
            }
            let body = batch([create("k", type: "Plan")])
            let signed = try fixture.signed("public/records/modify", try body.encoded())
            let target = ServerWorld.target("public/records/modify")
            let twice = signed.map { ($0.name, $0.value) } + [("X-Apple-CloudKit-Request-KeyID", fixture.key)]
            var doubled = CloudHeaders()
            for (name, value) in twice { doubled.add(name, value) }
            for (target, headers, expected) in [
                (target, doubled, "401"), (target + "?" + app, signed, "401"),
                (target + "?" + app + "&" + creator, signed, "401"), (target, signed, "ok"),
            ] {
                let reply = try await world.send("POST", target, headers: headers, body: try body.encoded())
                #expect(AccessFixture.word(for: reply) == expected, "\(target)")
            }
        }
    }
}

extension String {
    fileprivate var quoted: String { "\"\(self)\"" }
}
