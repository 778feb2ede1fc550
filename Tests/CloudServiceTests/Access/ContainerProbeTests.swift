import CloudletServer
import Crypto
import Foundation
import Records
import RecordsWire
import Testing

@testable import CloudService
@testable import ServerKit
@testable import TestKit

@Suite("Probing for containers", .timeLimit(.minutes(30)))
struct ContainerProbeTests {
    @Test(
        "Without valid credentials, a closed server does not reveal whether a container exists",
        arguments: Transport.allCases)
    func probes(transport: Transport) async throws {
        try await withServer(transport, { $0.access = .closed }) { world in
            let app = try await world.app(container: "iCloud.other")
            let key = P256.Signing.PrivateKey()
            let id = try await world.register(key.publicKey.pemRepresentation)
            let foreign = CloudHeaders(
                dictionaryLiteral: ("X-Apple-CloudKit-Request-KeyID", id),
                ("X-Apple-CloudKit-Request-ISO8601Date", "2014-06-02T12:00:00Z"),
                ("X-Apple-CloudKit-Request-SignatureV1", Data([1, 2, 3]).base64EncodedString()))
            let shown: [(String, CloudHeaders)] = [
                ("", [:]), ("ckAPIToken=" + String(repeating: "a", count: 64), [:]),
                ("ckAPIToken=\(app)", [:]),
                ("ckWebAuthToken=106__54__x__y", [:]), ("", foreign),
            ]
            for endpoint in Endpoint.allCases {
                let database = endpoint.databases.first.map { "\($0.rawValue)/" } ?? ""
                let module = endpoint.isForDevices ? "device" : "database"
                for (parameters, headers) in shown {
                    var answers: Set<String> = []
                    for container in ["iCloud.test", "iCloud.none"] {
                        let call = "\(database)\(endpoint.rawValue)?\(parameters)"
                        let target = "/\(module)/1/\(container)/development/\(call)"
                        let method = endpoint.methods[0].rawValue
                        let body = method == "GET" ? [] : Array("{}".utf8)
                        let reply = try await world.send(method, target, headers: headers, body: body)
                        #expect(reply.status == 401, "\(target)")
                        answers.insert("\(reply.status) \(reply.failure) \(reply.json.keys)")
                    }
                    #expect(answers.count == 1, "\(endpoint) \(parameters): \(answers)")
                }
            }
        }
    }

    @Test(
        "Sign-in and the development calls do not reveal whether a container exists",
        arguments: Transport.allCases)
    func probesElsewhere(transport: Transport) async throws {
        try await withServer(transport, { $0.access = .closed }) { world in
            try await world.createContainer()
            for container in ["iCloud.test", "iCloud.none"] {
                let body: JSON = [
                    "container": .string(container), "environment": "development", "name": "x",
                    "password": "y",
                    "apiToken": "z", "permission": "READ", "reason": "purged",
                ]
                for path in ["/sign-in/token", "/sign-in/web-token"] {
                    let reply = try await world.send("POST", path, body: try body.encoded())
                    #expect(reply.failure == "401 AUTHENTICATION_FAILED: no auth method found", "\(path)")
                }
                for path in ["/dev/sign-in", "/dev/access", "/dev/zones", "/dev/account"] {
                    #expect(try await world.send("POST", path, body: try body.encoded()).status == 403)
                }
                for path in ["/dev/schema", "/dev/storage"] {
                    #expect(try await world.send("GET", "\(path)?container=\(container)").status == 403)
                }
            }
        }
    }

    @Test(
        "No name is mistaken for a shorter or canonically equivalent container name",
        arguments: Transport.allCases)
    func names(transport: Transport) async throws {
        try await withServer(transport) { world in
            _ = try await world.signIn("alice", container: "iCloud.K")
            let before = try await world.service.containers.all().map(\.name)
            // SQLite ends a text at NUL, and Swift treats the Kelvin sign as equal to the letter K.
            for name in ["iCloud.K%00y", "iCloud.K%00", "%00", "iCloud.%E2%84%AA"] {
                let target = "/database/1/\(name)/development/public/zones/list"
                #expect([400, 404].contains(try await world.send("GET", target).status), "\(name)")
                for path in ["/dev/schema", "/dev/storage"] {
                    let reply = try await world.send("GET", "\(path)?container=\(name)")
                    #expect(reply.status == 400, "\(path) \(name) \(reply.text)")
                }
                for (method, path) in [("GET", ""), ("POST", "/delete"), ("GET", "/tokens")] {
                    let reply = try await world.operate(method, "containers/\(name)\(path)")
                    #expect(reply.status == 400, "\(path) \(name) \(reply.text)")
                }
                let text = name.removingPercentEncoding ?? ""
                let body: JSON = ["container": .string(text), "name": "alice", "environment": "development"]
                #expect(try await world.send("POST", "/dev/sign-in", body: try body.encoded()).status == 400)
                #expect(
                    try await world.send("POST", "/sign-in/token", body: try body.encoded()).status == 400)
                #expect(try await world.operate("POST", "containers", ["name": .string(text)]).status == 400)
            }
            #expect(try await world.service.containers.all().map(\.name) == before)
        }
    }

    @Test("The names of people and devices are not cut at a NUL")
    func people() async throws {
        try await withServer(.loopback, { $0.passwordCost = .quick }) { world in
            let app = try await world.app()
            _ = try await world.service.people.add(Account(id: "", name: "ann"), password: "correct horse")
            let attempt = SignInAttempt(
                name: "ann\0x", password: "correct horse", staysSignedIn: false, address: nil)
            await #expect(throws: RecordError.self) {
                try await world.service.people.signIn(
                    attempt, container: "iCloud.test", environment: .development)
            }
            let body: JSON = [
                "container": "iCloud.test", "environment": "development", "name": "ann\0x",
                "password": "correct horse",
            ]
            let refused = try await world.send(
                "POST", "/sign-in/token?ckAPIToken=\(app)", body: try body.encoded())
            #expect(refused.failure == "400 BAD_REQUEST: a text of the request contains the character NUL")
            #expect(try await world.operate("GET", "people/ann%00x").status == 400)
            let bob = try await world.signIn("bob")
            let device: JSON = ["apnsEnvironment": "development", "apnsToken": "abc\0d"]
            let path = "/device/1/iCloud.test/development/tokens/register?ckWebAuthToken=\(bob.token)"
            #expect(try await world.send("POST", path, body: try device.encoded()).status == 400)
        }
    }

    @Test(
        "A new account's names and address contain no invisible characters",
        arguments: [
            "\u{9b}31m", "\u{202e}live", "\u{2066}", "\u{200b}", "\u{2028}", "\u{7f}", "\u{3164}", "\u{feff}",
        ])
    func invisible(text: String) async throws {
        try await withServer(.loopback) { world in
            let names: [JSON] = [
                ["name": .string("x\(text)")], ["name": "x", "givenName": .string("A\(text)")],
                ["name": "x", "familyName": .string("A\(text)")],
                ["name": "x", "email": .string("a\(text)@example.org")],
            ]
            for body in names {
                let refused = try await world.operate("POST", "people", body)
                #expect(refused.status == 400, "\(body)")
            }
            let body: JSON = ["name": .string("x\(text)"), "container": "iCloud.test"]
            let refused = try await world.send("POST", "/dev/sign-in", body: try body.encoded())
            #expect(refused.status == 400)
            // A name from before this was checked is kept, and its account can still be changed.
            var old = Account(id: "1", name: "x\(text)")
            old.givenName = "A\(text)"
            var changed = old
            changed.status = .restricted
            let kept = try AccountInput.checked(changed, replacing: old)
            #expect(kept == changed)
        }
    }
}
