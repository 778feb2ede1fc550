import CloudletTesting
import Foundation
import RecordsWire
import Testing

@testable import ServerKit
@testable import TestKit

@Suite("Behind a proxy", .serialized, .timeLimit(.minutes(30)))
struct ProxyTests {
    /// The proxies whose configuration the page shows: nginx, and Caddy where it is installed.
    enum Kind: String, CaseIterable, CustomTestStringConvertible, Sendable {
        case nginx, caddy

        static var allCases: [Kind] {
            FileManager.default.isExecutableFile(atPath: "/usr/bin/caddy") ? [.nginx, .caddy] : [.nginx]
        }

        var testDescription: String { rawValue }
    }

    @Test(
        "People sign in on the page, and every address in answers is the public one",
        arguments: Kind.allCases)
    func signIn(kind: Kind) async throws {
        try await proxied(kind) { site in
            let refused = try await site.fetch("GET", site.target("public/users/caller"))
            #expect(refused.failure == "421 AUTHENTICATION_REQUIRED: request needs authorization")
            let address = try #require(refused.json["redirectURL"].text)
            #expect(address.hasPrefix(site.origin + "/sign-in?ctx="))
            let page = try await site.fetch("GET", address)
            let cookie = try #require(page.headers["Set-Cookie"])
            #expect(cookie.contains("; Secure"))
            let mark = try #require(page.text.firstMatch(of: /name="csrfToken" value="([^"]*)"/))
            func form(_ origin: String, _ site: ProxiedSite) async throws -> Reply {
                let fields = "csrfToken=\(mark.1)&name=ann&password=correct+horse"
                let headers: CloudHeaders = [
                    "Cookie": String(cookie.prefix { $0 != ";" }), "Origin": origin,
                    "Sec-Fetch-Site": "same-origin", "Content-Type": "application/x-www-form-urlencoded",
                ]
                return try await site.fetch("POST", address, headers: headers, body: fields)
            }
            let done = try await form(site.origin, site)
            #expect(done.status == 200)
            #expect(done.text.contains("data-token=\"106__54__"))
            #expect(done.text.contains("data-origin=\"\(site.origin)\""))
            #expect(try await form("https://evil.example", site).status == 400)
        }
    }

    @Test("Uploads, downloads and pushes use the addresses in answers", arguments: Kind.allCases)
    func addresses(kind: Kind) async throws {
        try await proxied(kind) { site in
            let session = try #require(try await site.token(from: "127.0.0.1").json["ckWebAuthToken"].text)
            func call(_ endpoint: String, _ body: JSON) async throws -> JSON {
                try await site.fetch("POST", site.target(endpoint, session), json: body).json
            }
            let wanted: JSON = ["tokens": [["recordType": "Photo", "fieldName": "file", "recordName": "p"]]]
            let up = try #require(try await call("public/assets/upload", wanted)["tokens"][0]["url"].text)
            #expect(up.hasPrefix(site.origin + "/assets/"))
            let content = String(repeating: "0123456789", count: 5000)
            let receipt = try await site.fetch("POST", up, body: content).json["singleFile"]
            let courier = try await site.fetch(
                "POST", site.target("tokens/create", session, prefix: "device"), json: [:])
            let poll = try #require(courier.json["webcourierURL"].text)
            #expect(poll.hasPrefix(site.origin + "/push/poll?"))
            // A subscription needs a record type that exists.
            _ = try await call("public/records/modify", batch([create("first", type: "Photo")]))
            let subscription: JSON = [
                "subscriptionType": "query", "firesOn": ["create"], "query": ["recordType": "Photo"],
            ]
            let subscribed = try await call(
                "public/subscriptions/modify",
                ["operations": [["operationType": "create", "subscription": subscription]]])
            #expect(subscribed["subscriptions"][0]["serverErrorCode"] == .null)
            async let push = site.fetch("GET", poll)
            let fields: JSON = ["file": ["value": receipt, "type": "ASSETID"]]
            let saved = try await call(
                "public/records/modify", batch([create("p", type: "Photo", fields)]))
            let down = try #require(saved["records"][0]["fields"]["file"]["value"]["downloadURL"].text)
            #expect(down.hasPrefix(site.origin + "/assets/"))
            #expect(try await site.fetch("GET", down).text == content)
            #expect(try await push.json["ck"]["qry"]["rid"] == "p")
        }
    }

    @Test(
        "Wrong passwords from one address do not throttle another, and no header can forge an address",
        arguments: Kind.allCases)
    func guesses(kind: Kind) async throws {
        try await proxied(kind) { site in
            var statuses: [Int] = []
            while statuses.count < 40, statuses.last != 429 {
                let headers: CloudHeaders = [
                    "X-Forwarded-For": "198.51.100.\(statuses.count)",
                    "Forwarded": "for=198.51.100.\(statuses.count)",
                ]
                statuses.append(
                    try await site.token(
                        "nobody-\(statuses.count)", from: "127.0.0.2", headers: headers
                    ).status)
            }
            #expect(statuses.count > 20 && statuses.last == 429, "\(statuses)")
            #expect(statuses.dropLast().allSatisfy { $0 == 401 }, "\(statuses)")
            #expect(try await site.token(from: "127.0.0.3").status == 200)
        }
    }

    @Test("An open server rejects requests that a proxy forwards", arguments: Kind.allCases)
    func open(kind: Kind) async throws {
        try await proxied(kind, serving: ["--open"]) { site in
            for target in ["/limits", site.target("public/zones/list")] {
                let reply = try await site.fetch("GET", site.origin + target)
                #expect(reply.status == 403)
                #expect(reply.text.contains("refuses forwarded requests"))
            }
            let body: JSON = ["name": "ann"]
            #expect(try await site.fetch("POST", site.origin + "/dev/sign-in", json: body).status == 403)
        }
    }

    // MARK: The proxy

    /// Runs a scenario against a server behind a proxy, each in a process of its own.
    private func proxied(
        _ kind: Kind, serving options: [String]? = nil, _ scenario: (ProxiedSite) async throws -> Void
    ) async throws {
        try await withCertificates { certificates in
            let data = certificates.path("data")
            let port = try Self.freePort()
            let origin = "https://localhost:\(port)"
            let token = try await Self.admitAnn(to: data)
            let behind = options ?? ["--public-url", origin, "--trusted-proxy", "127.0.0.1"]
            let server = try Command(["serve", "--data", data, "--port", "0"] + behind)
            let address = try await server.address().absoluteString
            let proxy = try Self.start(kind, port, address, certificates)
            _ = try await proxy.waitForErrors(kind == .nginx ? "nginx/" : "serving initial configuration")
            let site = ProxiedSite(
                origin: origin, certificate: certificates.path("certificate"), apiToken: token)
            var failure: (any Error)?
            do { try await scenario(site) } catch { failure = error }
            _ = await proxy.stop()
            #expect(await server.stop().code == 0)
            if let failure { throw failure }
        }
    }

    /// Creates a container, a person who can sign in, and an API token, which is returned.
    private static func admitAnn(to data: String) async throws -> String {
        func run(_ words: String..., input: String = "") async throws -> String {
            let end = try await Command(words + ["--data", data], input: input).end()
            try #require(end.code == 0, "\(end.errors)")
            return end.output.trimmingCharacters(in: .whitespacesAndNewlines)
        }
        try FileManager.default.createDirectory(atPath: data, withIntermediateDirectories: true)
        _ = try await run("container", "create", "iCloud.test")
        _ = try await run("user", "add", "ann", "--password-stdin", input: "correct horse\n")
        return try await run("token", "create", "iCloud.test")
    }

    /// A port that was free a moment ago.
    private static func freePort() throws -> Int { try #require(try RefusingPort().url.port) }

    /// Starts a proxy with the configuration of the page, in which names, files and ports are replaced.
    private static func start(
        _ kind: Kind, _ port: Int, _ server: String, _ certificates: Certificates
    ) throws -> Command {
        var text = try block(kind)
        text = text.replacing("http://127.0.0.1:8080", with: server)
            .replacing("127.0.0.1:8080", with: server.dropFirst("http://".count))
            .replacing("/etc/ssl/cloud.example.org/certificate.pem", with: certificates.path("certificate"))
            .replacing("/etc/ssl/cloud.example.org/key.pem", with: certificates.path("key"))
        let folder = certificates.folder
        let file = folder.appendingPathComponent("proxy.conf")
        switch kind {
        case .nginx:
            text = nginx(text.replacing("listen 443 ssl", with: "listen 127.0.0.1:\(port) ssl"), folder)
            try text.write(to: file, atomically: true, encoding: .utf8)
            let arguments = ["nginx", "-e", "stderr", "-p", folder.path, "-c", file.path]
            return try Command(
                executable: "/usr/bin/env", ["PATH=/usr/sbin:/usr/bin:/sbin:/bin"] + arguments)
        case .caddy:
            let tls = "tls \(certificates.path("certificate")) \(certificates.path("key"))"
            text = """
                {
                    admin off
                    auto_https disable_redirects
                    storage file_system \(folder.path)/storage
                }
                \(text.replacing("cloud.example.org {", with: "https://localhost:\(port) {\n    \(tls)"))
                """
            try text.write(to: file, atomically: true, encoding: .utf8)
            return try Command(
                executable: "/usr/bin/env",
                ["HOME=\(folder.path)", "caddy", "run", "--adapter", "caddyfile", "--config", file.path])
        }
    }

    /// The complete configuration of nginx around the server's block, with all files in a folder.
    private static func nginx(_ block: String, _ folder: URL) -> String {
        let temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map {
            "\($0)_temp_path \(folder.path)/\($0);"
        }
        return """
            daemon off; master_process off; pid \(folder.path)/pid; error_log stderr notice;
            events {}
            http { access_log off; \(temporary.joined(separator: " "))
            \(block)
            }
            """
    }

    /// The block of the page with that proxy's configuration.
    private static func block(_ kind: Kind) throws -> String {
        let page = URL.package.appending(path: "Sources/Cloudlet/Documentation.docc/Hosting.md")
        let text = try String(contentsOf: page, encoding: .utf8)
        let parts = text.components(separatedBy: "```\(kind.rawValue)\n")
        return try #require(parts.dropFirst().first?.components(separatedBy: "```").first)
    }
}

/// A client of a server behind a proxy, which sends requests by curl from any address of this machine.
struct ProxiedSite: Sendable {
    let origin: String
    let certificate: String
    let apiToken: String

    /// The target of an endpoint, with the app's token and perhaps a session.
    func target(_ endpoint: String, _ session: String? = nil, prefix: String = "database") -> String {
        let person = session.map { "&ckWebAuthToken=" + PercentEncoding.encode($0) } ?? ""
        return "/\(prefix)/1/iCloud.test/development/\(endpoint)?ckAPIToken=\(apiToken)\(person)"
    }

    /// Signs a person in without the sign-in page.
    func token(
        _ name: String = "ann", from address: String, headers: CloudHeaders = [:]
    ) async throws -> Reply {
        let body: JSON = [
            "container": "iCloud.test", "environment": "development", "name": .string(name),
            "password": .string(name == "ann" ? "correct horse" : "wrong horse"),
        ]
        return try await fetch(
            "POST", "/sign-in/token?ckAPIToken=\(apiToken)", headers: headers,
            body: String(decoding: try body.encoded(), as: UTF8.self), from: address)
    }

    func fetch(_ method: String, _ target: String, json: JSON) async throws -> Reply {
        try await fetch(method, target, body: String(decoding: try json.encoded(), as: UTF8.self))
    }

    /// Sends a request from an address of this machine.
    func fetch(
        _ method: String, _ target: String, headers: CloudHeaders = [:], body: String? = nil,
        from address: String = "127.0.0.1"
    ) async throws -> Reply {
        var arguments = [
            "curl", "-4", "-s", "-S", "-i", "--raw", "--http1.1", "--max-time", "60", "--cacert", certificate,
            "--interface", address, "-X", method, "-H", "Expect:",
        ]
        for line in headers { arguments += ["-H", "\(line.name): \(line.value)"] }
        if body != nil { arguments += ["--data-binary", "@-"] }
        arguments.append(target.hasPrefix("https:") ? target : origin + target)
        let end = try await Command(executable: "/usr/bin/env", arguments, input: body ?? "").end()
        try #require(end.code == 0, "\(end.errors)")
        return try Reply(Array(end.output.utf8))
    }
}
