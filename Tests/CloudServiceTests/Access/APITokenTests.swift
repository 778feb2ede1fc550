import CloudService
import CloudletServer
import Records
import RecordsWire
import Testing

@testable import ServerKit
@testable import TestKit

@Suite("API tokens", .timeLimit(.minutes(30)))
struct APITokenTests {
    private let query: JSON = ["query": ["recordType": "Party"]]

    @Test("A closed server answers nobody without an API token")
    func required() async throws {
        try await serving({ $0.access = .closed }) { world in
            try await world.createContainer()
            let none = try await world.call(
                "public/records/lookup", names("a"), headers: ["X-Cloudlet-Details": "1"])
            #expect(none.failure == "401 AUTHENTICATION_FAILED: no auth method found")
            let next = none.json["cloudlet"]["nextStep"].text ?? ""
            #expect(next.contains("--api-token") && next.contains("cloudlet token create CONTAINER"))
            for wrong in [String(repeating: "a", count: 64), "a", String(repeating: "é", count: 64)] {
                let reply = try await world.call(
                    "public/records/lookup", names("a"),
                    parameters: "ckAPIToken=" + PercentEncoding.encode(wrong))
                #expect(reply.failure == "401 AUTHENTICATION_FAILED: the API token is not valid")
            }
            let token = try await world.app()
            let good = try await world.call(
                "public/records/lookup", names("a"), parameters: "ckAPIToken=\(token)")
            #expect(good.records == ["NOT_FOUND: Record not found"])
        }
    }

    @Test("A token is valid for one environment of one container until it is revoked")
    func places() async throws {
        try await serving({ $0.access = .closed }) { world in
            let token = try await world.app()
            let parameters = "ckAPIToken=\(token)"
            let foreign = "401 AUTHENTICATION_FAILED: the API token is for another container or environment"
            try await world.createContainer("iCloud.other")
            let other = try await world.call(
                "public/records/lookup", names("a"), container: "iCloud.other", parameters: parameters)
            #expect(other.failure == foreign)
            let production = try await world.call(
                "public/records/lookup", names("a"), environment: "production", parameters: parameters)
            #expect(production.failure == foreign)
            let known = try await world.service.credentials.apiTokens(of: "iCloud.test")
            #expect(known.map(\.label) == ["test"])
            #expect(try await world.service.credentials.apiTokens(of: "iCloud.other") == [])
            try await world.service.credentials.revokeAPIToken(id: known[0].id)
            let revoked = try await world.call(
                "public/records/lookup", names("a"), parameters: parameters)
            #expect(revoked.failure == "401 AUTHENTICATION_FAILED: the API token is not valid")
            let after = try await world.service.credentials.apiTokens(of: "iCloud.test")
            #expect(after[0].revoked != nil)
        }
    }

    @Test("Pages use a token only from its allowed origins; other clients always may")
    func origins() async throws {
        try await serving({ $0.access = .closed }) { world in
            let token = try await world.app(origins: ["https://App.example", "http://localhost:3000/"])
            let cases: [(String?, Int)] = [
                ("https://app.example", 200), ("https://app.example:443", 200), (nil, 200),
                ("http://localhost:3000", 200), ("http://app.example", 401),
                ("https://app.example.evil.example", 401), ("http://localhost", 401), ("null", 401),
                ("", 401),
            ]
            for (origin, status) in cases {
                let headers: CloudHeaders = origin.map { ["Origin": $0] } ?? [:]
                let reply = try await world.call(
                    "public/records/lookup", names("a"), parameters: "ckAPIToken=\(token)",
                    headers: headers)
                #expect(reply.status == status, "\(origin ?? "none")")
                #expect(reply.headers["Access-Control-Allow-Origin"] == "*")
                if status == 401 {
                    #expect(reply.failure.hasSuffix("the API token is not for pages of this origin"))
                }
            }
        }
    }

    @Test("Credentials that occur twice with different values are refused")
    func twice() async throws {
        try await serving({ $0.access = .closed }) { world in
            let token = try await world.app()
            let wrong = String(repeating: "a", count: 64)
            let parameters = [
                "ckAPIToken=\(token)&ckAPIToken=\(wrong)", "ckAPIToken=\(wrong)&ckAPIToken=\(token)",
                "ckAPIToken=\(token)&ckAPIToken=", "ckWebAuthToken=a&ckAPIToken=\(token)&ckWebAuthToken=b",
            ]
            for parameters in parameters {
                let reply = try await world.call(
                    "public/records/lookup", names("a"), parameters: parameters)
                #expect(
                    reply.failure
                        == "401 AUTHENTICATION_FAILED: credentials are missing or given twice")
            }
            let same = try await world.call(
                "public/records/lookup", names("a"), parameters: "ckAPIToken=\(token)&ckAPIToken=\(token)")
            #expect(same.status == 200)
        }
    }

    @Test(
        "Malformed origins and callbacks are refused",
        arguments: [
            ("", nil), ("app.example", nil), ("https://", nil), ("https://a.example/path", nil),
            ("https://user@a.example", nil), ("ftp://a.example", nil), (nil, "app.example"),
            (nil, "javascript://alert(1)"), (nil, "data:text/html,x"), (nil, "https://a.example/#f"),
            (nil, "https://a.example/\nx"),
        ] as [(String?, String?)]
    )
    func badCallbacks(origin: String?, callback: String?) async throws {
        try await withServer(.loopback) { world in
            let error = await #expect(throws: (any Error).self) {
                try await world.service.credentials.addAPIToken(
                    container: "iCloud.test", environment: .development, label: "x",
                    allowedOrigins: origin.map { [$0] } ?? [],
                    callback: callback.map { .redirect($0) } ?? .message
                )
            }
            let example = callback == nil ? "https://app.example" : "https://app.example/callback"
            let nextStep = (error as? RecordError)?.nextStep
            #expect(nextStep == "write it as \(example)")
        }
    }
}
