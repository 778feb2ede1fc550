import HTTPTypes
import Records
import RecordsWire
import Testing

@testable import CloudHTTP

@Suite("Entry rules for requests")
struct EntryRulesTests {
    private func refusal(
        _ rules: EntryRules, _ method: HTTPRequest.Method = .post, _ path: String = "/dev/sign-in",
        host: String? = "127.0.0.1:8080", fields: HTTPFields = [:]
    ) -> String? {
        let head = HTTPRequest(
            method: method, scheme: "http", authority: host, path: path, headerFields: fields)
        return rules.refusal(of: head).map { "\($0.code.status) \($0.culprit ?? "-")" }
    }

    private func open(_ host: String = "127.0.0.1", publicURL: String? = nil) -> EntryRules {
        EntryRules(open: OpenServerRules(listeningOn: host, publicURL: publicURL))
    }

    private static func name(_ text: String) -> HTTPField.Name { HTTPField.Name.known(text) }

    @Test(
        "An open server refuses requests with a forwarding header",
        arguments: [
            "X-Forwarded-For", "x-forwarded-proto", "X-Forwarded-Host", "X-Forwarded-Anything", "Forwarded",
            "Via", "X-Real-IP", "X-Forwarded", "X-Client-IP", "X-Cluster-Client-IP", "CF-Connecting-IP",
            "True-Client-IP", "Fly-Client-IP",
        ])
    func forwarded(header: String) {
        let fields: HTTPFields = [Self.name(header): "127.0.0.1"]
        for path in ["/dev/sign-in", "/database/1/a/development/public/records/query", "/limits", "/x"] {
            #expect(refusal(open(), .get, path, fields: fields) == "403 \(header)")
        }
        #expect(refusal(EntryRules(), fields: fields) == nil)
    }

    @Test(
        "An open server accepts only host names that are certain to mean this machine",
        arguments: [
            ("localhost", true), ("localhost:8080", true), ("LOCALHOST:1", true), ("127.0.0.1", true),
            ("127.9.9.9:80", true), ("[::1]:8080", true), ("[::ffff:127.0.0.1]", true),
            ("app.localhost:3000", true), ("attacker.example", false), ("attacker.example:8080", false),
            ("127.0.0.1.attacker.example", false), ("localhost.attacker.example:8080", false),
            ("192.168.1.5:8080", false), ("0.0.0.0:8080", false), ("[2001:db8::1]:80", false),
            ("127.0.0.1:80:80", false), ("[::1]x", false), ("localhost:x", false),
            ("127.0.0.1%evil", false), ("[::1%evil]:80", false), ("evil%2elocalhost", false),
        ])
    func hosts(host: String, isKnown: Bool) {
        #expect(refusal(open(), host: host) == (isKnown ? nil : "403 \(host)"))
        #expect(refusal(EntryRules(), host: host) == nil)
    }

    @Test("An open server also accepts its listening address (any, if it listens on all) and its public host")
    func ownHosts() {
        #expect(refusal(open("build.example"), host: "Build.example:8080") == nil)
        #expect(refusal(open("build.example"), host: "other.example:8080") != nil)
        #expect(refusal(open("2001:db8::1"), host: "[2001:db8::1]:8080") == nil)
        for host in ["0.0.0.0", "::"] {
            #expect(refusal(open(host), host: "192.168.1.5:8080") == nil)
            #expect(refusal(open(host), host: "[2001:db8::1]:8080") == nil)
            #expect(refusal(open(host), host: "attacker.example:8080") != nil)
        }
        let named = open("0.0.0.0", publicURL: "http://cloud.example:8080")
        #expect(refusal(named, host: "cloud.example:8080") == nil)
        #expect(refusal(named, host: "cloud.example") == nil)
        #expect(refusal(named, host: "evil.example:8080") != nil)
    }

    @Test("Every server requires exactly one valid host")
    func oneHost() {
        for rules in [EntryRules(), open()] {
            for host in [nil, "", "a b", "a/b", "a@127.0.0.1", "a\"b", "a,b", "a\\b", "ä"] {
                #expect(refusal(rules, host: host) == "400 Host", "\(host ?? "none")")
            }
            let long = String(repeating: "a", count: 260)
            #expect(refusal(rules, host: long) == "400 Host")
            #expect(refusal(EntryRules(), host: String(long.dropLast())) == nil)
            #expect(refusal(rules, fields: [Self.name("Host"): "127.0.0.1:8080"]) == "400 Host")
        }
    }

    @Test(
        "An open server accepts origins on this machine and refuses all others",
        arguments: [
            ("http://localhost:3000", true), ("http://127.0.0.1:5173", true), ("https://localhost", true),
            ("http://[::1]:3000", true), ("http://127.0.0.1:8080", true), ("capacitor://localhost", true),
            ("https://evil.example", false), ("http://localhost.evil.example", false), ("null", false),
            ("", false), ("chrome-extension://abcdef", false), ("http://192.168.1.5", false), ("://", false),
        ])
    func origins(origin: String, isAnswered: Bool) {
        let fields: HTTPFields = [.origin: origin, .contentType: "application/json"]
        for path in ["/dev/sign-in", "/database/1/a/development/public/records/query", "/sign-in/token"] {
            for method in [HTTPRequest.Method.get, .post, .options] {
                #expect(refusal(open(), method, path, fields: fields) == (isAnswered ? nil : "403 \(origin)"))
            }
        }
        #expect(refusal(EntryRules(), fields: fields) == nil)
    }

    @Test("An open server refuses a request with two origins")
    func twoOrigins() {
        var fields: HTTPFields = [.contentType: "application/json"]
        for _ in 0..<2 { fields.append(HTTPField(name: .origin, value: "http://localhost:3000")) }
        #expect(refusal(open(), fields: fields) == "403 http://localhost:3000")
    }

    @Test("An open server accepts its own pages under all of its host names")
    func ownPages() {
        let fields: HTTPFields = [.origin: "http://build.example:8080", .contentType: "application/json"]
        #expect(refusal(open("build.example"), host: "build.example:8080", fields: fields) == nil)
        #expect(refusal(open("build.example"), host: "build.example:9090", fields: fields) != nil)
        let named = open("127.0.0.1", publicURL: "https://cloud.example")
        let known: HTTPFields = [.origin: "https://cloud.example", .contentType: "application/json"]
        #expect(refusal(named, fields: known) == nil)
        // A page with an opaque origin, as a form has under a strict referrer policy.
        let site = Self.name("Sec-Fetch-Site")
        for (value, expected) in [("same-origin", nil), ("cross-site", "403 null")] {
            let hidden: HTTPFields = [.origin: "null", site: value]
            #expect(refusal(open(), .post, "/sign-in", fields: hidden) == expected)
        }
    }

    @Test("Without an Origin header, another site can only link to pages and embed files")
    func sites() {
        let site = Self.name("Sec-Fetch-Site")
        for value in ["cross-site", "same-site"] {
            let fields: HTTPFields = [site: value]
            #expect(refusal(open(), .get, "/sign-in?ctx=1", fields: fields) == nil)
            #expect(refusal(open(), .get, "/assets/ticket/photo.jpg", fields: fields) == nil)
            #expect(refusal(open(), .post, "/sign-in", fields: fields) == "403 \(value)")
            #expect(refusal(open(), .get, "/dev/schema", fields: fields) == "403 \(value)")
            let list = "/database/1/a/development/public/zones/list"
            #expect(refusal(open(), .get, list, fields: fields) == "403 \(value)")
            #expect(refusal(EntryRules(), .get, "/dev/schema", fields: fields) == nil)
        }
        for value in ["none", "same-origin"] {
            #expect(refusal(open(), .get, "/dev/schema", fields: [site: value]) == nil)
        }
    }

    @Test("A page must declare JSON in calls for development; other programs need not")
    func json() {
        let page: HTTPFields = [.origin: "http://localhost:3000"]
        let types: [(String?, String?)] = [
            ("application/json", nil), ("application/json; charset=utf-8", nil), ("Application/JSON", nil),
            (nil, "400 Content-Type"), ("text/plain", "400 Content-Type"),
            ("application/x-www-form-urlencoded", "400 Content-Type"),
            ("application/jsonx", "400 Content-Type"),
        ]
        for (type, expected) in types {
            var fields = page
            fields[.contentType] = type
            for path in ["/dev/sign-in", "//dev/sign-in", "///dev//sign-in", "/%64ev/sign-in"] {
                #expect(refusal(open(), .post, path, fields: fields) == expected, "\(type ?? "none") \(path)")
            }
            fields[.origin] = nil
            #expect(refusal(open(), .post, "/dev/sign-in", fields: fields) == nil)
        }
        #expect(refusal(open(), .post, "/database/1/a/development/public/records/query", fields: page) == nil)
        #expect(refusal(open(), .get, "/dev/faults", fields: page) == nil)
    }
}
