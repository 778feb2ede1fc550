import CloudService
import CloudletServer
import Foundation
import Records
import RecordsWire
import Testing

@testable import ServerKit
@testable import TestKit

/// A client of the console. It stores the cookie and the CSRF token of the last page, as a browser does.
actor ConsoleVisitor {
    /// A PNG of 1 by 1 pixel, for file fields.
    static let image = [UInt8](
        Data(
            base64Encoded:
                "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGA"
                + "WjR9awAAAABJRU5ErkJggg=="
        ) ?? Data())

    private let world: ServerWorld
    private(set) var cookie: String?
    private(set) var csrfToken = ""

    init(_ world: ServerWorld) {
        self.world = world
    }

    /// Signs an operator in by name and password.
    static func signedIn(_ name: String, _ world: ServerWorld) async throws -> ConsoleVisitor {
        let visitor = ConsoleVisitor(world)
        _ = try await visitor.get("/console/sign-in")
        let reply = try await visitor.post(
            "/console/sign-in", ["name": name, "password": "correct horse"])
        try #require(reply.status == 303, "\(reply.text)")
        _ = try await visitor.get("/console")
        return visitor
    }

    func get(_ path: String) async throws -> Reply {
        let reply = try await world.send("GET", path, headers: headers)
        keep(reply)
        return reply
    }

    /// Sends a form. `csrfToken` replaces the CSRF token of the last page.
    func post(
        _ path: String, _ fields: KeyValuePairs<String, String>, csrfToken: String? = nil
    ) async throws -> Reply {
        try await post(path, pairs: fields.map { ($0.key, $0.value) }, csrfToken: csrfToken)
    }

    /// Sends a form, optionally with additional headers.
    func post(
        _ path: String, pairs: [(String, String)], csrfToken: String? = nil, headers more: CloudHeaders = [:]
    ) async throws -> Reply {
        let pairs = pairs + [("csrfToken", csrfToken ?? self.csrfToken)]
        let body = Self.encoded(pairs)
        var headers = headers
        for line in more { headers.add(line.name, line.value) }
        let reply = try await world.send("POST", path, headers: headers, body: Array(body.utf8))
        keep(reply)
        return reply
    }

    /// Sends a form with a file.
    func post(
        _ path: String, _ fields: KeyValuePairs<String, String>, file: (name: String, bytes: [UInt8])
    ) async throws -> Reply {
        var body: [UInt8] = []
        for (name, value) in fields.map({ ($0.key, $0.value) }) + [("csrfToken", csrfToken)] {
            body += Array("--b\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n\r\n\(value)\r\n".utf8)
        }
        let head = "--b\r\nContent-Disposition: form-data; name=\"\(file.name)\"; filename=\"f\"\r\n\r\n"
        body += Array(head.utf8) + file.bytes + Array("\r\n--b--\r\n".utf8)
        var headers = headers
        headers.add("Content-Type", "multipart/form-data; boundary=b")
        let reply = try await world.send("POST", path, headers: headers, body: body)
        keep(reply)
        return reply
    }

    /// The fields of a form or query as a browser encodes them.
    static func encoded(_ pairs: [(String, String)]) -> String {
        pairs.map { "\(PercentEncoding.encode($0))=\(PercentEncoding.encode($1))" }.joined(separator: "&")
    }

    private var headers: CloudHeaders {
        cookie.map { ["Cookie": "cloudlet-console=\($0)"] } ?? [:]
    }

    private func keep(_ reply: Reply) {
        if let set = reply.headers["Set-Cookie"], set.hasPrefix("cloudlet-console=") {
            cookie = String(set.dropFirst("cloudlet-console=".count).prefix { $0 != ";" })
        }
        if let found = reply.text.firstMatch(of: /name="csrfToken" value="([^"]*)"/) {
            csrfToken = String(found.1)
        }
    }
}

extension ServerWorld {
    static let place = "/console/containers/iCloud.test/development"

    /// The public key of a server, whose private key nobody has.
    static let publicKey = """
        -----BEGIN PUBLIC KEY-----
        MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEeHW+6QVIJ3co0XeWf2+P/GlrdbCn
        1xzUvJ504VZj+r5rdh4hk5b+pNvz1A5AsBpHqzmBioD+Phjgvi6Of0sq7A==
        -----END PUBLIC KEY-----
        """

    /// Adds an operator whose password is `correct horse`.
    func add(operator name: String, _ role: OperatorRole, in container: String? = nil) async throws {
        _ = try await service.operators.set(role, of: name, in: container, password: "correct horse")
    }

    /// Saves a record in the public database as a person.
    func save(
        _ name: String, _ fields: JSON, type: String = "Party", as person: Person
    ) async throws {
        let reply = try await call(
            "public/records/modify",
            [
                "operations": [
                    [
                        "operationType": "create",
                        "record": [
                            "recordName": .string(name), "recordType": .string(type), "fields": fields,
                        ],
                    ]
                ]
            ], as: person)
        try #require(reply.records == ["ok"], "\(reply.text)")
    }
}

/// A closed server with a console, on which operators sign in.
func withClosedConsole(
    _ transport: Transport = .loopback,
    _ more: @escaping @Sendable (inout ServerConfiguration) -> Void = { _ in },
    _ scenario: (ServerWorld) async throws -> Void
) async throws {
    let configure: @Sendable (inout ServerConfiguration) -> Void = {
        more(&$0)
        $0.access = .closed
        $0.console = .on
        $0.passwordCost = .quick
    }
    try await withServer(transport, configure, scenario)
}
