import CloudletServer
import Foundation
import RecordsWire
import Testing

@testable import ServerKit
@testable import TestKit

@Suite("Open servers", .timeLimit(.minutes(30)))
struct OpenServerTests {
    private static let signIn = Array(#"{"name":"ann","container":"iCloud.test"}"#.utf8)

    /// Sends a raw request with these `Host` headers.
    private static func send(
        _ world: ServerWorld, _ method: String, _ target: String, hosts: [String], _ headers: [String] = [],
        _ body: [UInt8] = []
    ) async throws -> Reply {
        let lines =
            ["\(method) \(target) HTTP/1.1"] + hosts.map { "Host: \($0)" } + headers
            + ["Connection: close", "Content-Length: \(body.count)", "", ""]
        let http = try RawHTTP(try #require(world.server.url))
        return try Reply(try await http.exchange(Array(lines.joined(separator: "\r\n").utf8) + body))
    }

    @Test("A sign-in by a page of another site or under another host is refused, with the next step")
    func foreign() async throws {
        try await withServer(.socket) { world in
            func signIn(_ host: String, _ headers: String...) async throws -> Reply {
                try await Self.send(world, "POST", "/dev/sign-in", hosts: [host], headers, Self.signIn)
            }
            let own = "127.0.0.1:\(try #require(world.server.url?.port))"
            let page = try await signIn(own, "Origin: https://evil.example", "Content-Type: text/plain")
            #expect(page.status == 403)
            #expect(page.headers["Access-Control-Allow-Origin"] == nil)
            let reason = "this server is open for development and refuses pages of other sites"
            #expect(page.json["reason"] == .string(reason))
            #expect(page.text.contains("http://localhost"))
            #expect(try await signIn("attacker.example:8080").status == 403)
            #expect(try await signIn(own, "Origin: http://localhost:3000").status == 400)
            let proxied = try await signIn(own, "X-Forwarded-For: 203.0.113.5")
            #expect(proxied.status == 403)
            #expect(proxied.text.contains("--public-url"))
            for reply in [
                try await signIn(own), try await signIn("localhost:1", "Content-Type: text/plain"),
                try await signIn(own, "Origin: http://localhost:3000", "Content-Type: application/json"),
                try await signIn("cloud.test"),
            ] {
                #expect(reply.status == 200)
                #expect(reply.headers["Access-Control-Allow-Origin"] == "*")
            }
        }
    }

    @Test("The preflight request of a page of another site is refused")
    func preflight() async throws {
        try await withServer(.socket) { world in
            let target = ServerWorld.target("public/records/query")
            let evil = try await world.send("OPTIONS", target, headers: ["Origin": "https://evil.example"])
            #expect(evil.status == 403)
            for name in ["Allow-Origin", "Allow-Methods", "Allow-Headers", "Expose-Headers"] {
                #expect(evil.headers["Access-Control-" + name] == nil)
            }
            let own = try await world.send("OPTIONS", target, headers: ["Origin": "http://localhost:3000"])
            #expect(own.status == 200)
            #expect(own.headers["Access-Control-Allow-Origin"] == "*")
        }
    }

    @Test("A page of another site cannot use a session that was begun by name")
    func session() async throws {
        try await withServer(.socket) { world in
            let ann = try await world.signIn("ann")
            let target = ServerWorld.target("private/zones/list", as: ann)
            #expect(try await world.send("GET", target).status == 200)
            let evil = try await world.send("GET", target, headers: ["Origin": "https://evil.example"])
            #expect(evil.status == 403)
            #expect(evil.headers["X-Apple-CloudKit-Web-Auth-Token"] == nil)
        }
    }

    @Test("Every server refuses a request with two hosts or none", arguments: [true, false])
    func hosts(isOpen: Bool) async throws {
        try await withServer(.socket, { $0.access = isOpen ? .open : .closed }) { world in
            let own = "127.0.0.1:\(try #require(world.server.url?.port))"
            let target = ServerWorld.target("public/zones/list")
            for path in ["/limits", target] {
                for hosts in [[], [own, own], [own, "evil.example"], [""]] {
                    let reply = try await Self.send(world, "GET", path, hosts: hosts)
                    #expect(reply.status == 400, "\(path) \(hosts)")
                    #expect(reply.json["reason"] == "the request does not name one host")
                }
            }
            #expect(try await Self.send(world, "GET", "/limits", hosts: [own]).status == 200)
        }
    }

    @Test("A server on a port with permanent data is closed by default")
    func automatic() async throws {
        let folder = URL.unused()
        defer { folder.remove() }
        var configuration = ServerConfiguration(storage: .folder(folder))
        #expect(configuration.isOpen)
        configuration.port = 0
        #expect(!configuration.isOpen)
        configuration.access = .open
        #expect(configuration.isOpen)
        var temporary = ServerConfiguration.ephemeral
        temporary.port = 0
        #expect(temporary.isOpen && !temporary.isReachable)
        temporary.host = "0.0.0.0"
        #expect(!temporary.isOpen && temporary.isReachable)
        let server = try await CloudletServer.start(data: folder, port: 0)
        let http = try RawHTTP(try #require(server.url))
        #expect(try await http.send("POST", "/dev/sign-in", [:], Self.signIn).status == 403)
        await server.stop()
    }

    @Test("A server does not start with an invalid public URL or trusted proxy")
    func settings() async throws {
        for url in [
            "cloud.example", "ftp://cloud.example", "https://cloud.example/path", "",
            "https://cloud.example?x=1", "https://cloud.example/#x",
        ] {
            var configuration = ServerConfiguration.ephemeral
            configuration.publicURL = url
            let error = await #expect(throws: ServerError.self) {
                try await CloudletServer.start(configuration)
            }
            #expect(error?.code == .proxySettingsUnusable, "\(url)")
        }
        var configuration = ServerConfiguration.ephemeral
        configuration.trustedProxies = ["10.0.0.0/8", "nginx"]
        let error = await #expect(throws: ServerError.self) { try await CloudletServer.start(configuration) }
        #expect(error?.reason == "the trusted proxy nginx is not a network address")
    }

    @Test("The public URL is normalized like an origin in browsers")
    func spelling() async throws {
        try await withServer(.loopback, { $0.publicURL = "HTTPS://Cloud.Example:443/" }) { world in
            let ann = try await world.signIn("ann")
            let address = try await world.uploadAddress(record: "f", as: ann)
            #expect(address.hasPrefix("https://cloud.example/assets/"))
        }
    }
}
