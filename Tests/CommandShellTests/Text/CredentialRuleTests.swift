import Foundation
import Testing

@testable import CommandShell
@testable import TestKit

@Suite("Credentials")
struct CredentialRuleTests {
    private static let keys = [
        ConfigurationKey(
            "server", .address, variables: [ConfigurationKey.Variable("URL")], default: "none", group: "place"
        ),
        ConfigurationKey("data", .path, variables: [], default: "here", group: "place"),
        ConfigurationKey(
            "key-file", .path, variables: [ConfigurationKey.Variable("KEY_FILE")], default: "none",
            isCredential: true),
        ConfigurationKey(
            "token", .text, variables: [ConfigurationKey.Variable("TOKEN")], default: "none", isSecret: true,
            isCredential: true),
    ]

    /// A home folder with a project, and with a key beside the project.
    private struct Home {
        let folder: URL
        var project: URL { folder.appendingPathComponent("project") }

        init() throws {
            let files = FileManager.default
            let name = "rule-\(UUID().uuidString)"
            folder = files.temporaryDirectory.resolvingSymlinksInPath().appendingPathComponent(name)
            try files.createDirectory(
                at: folder.appendingPathComponent("project/inner"), withIntermediateDirectories: true)
            try Data("secret".utf8).write(to: folder.appendingPathComponent("mine.key"))
            try Data("key".utf8).write(to: project.appendingPathComponent("own.key"))
            for (link, target) in [
                ("link.key", "../mine.key"), ("up", ".."), ("nowhere.key", "/nowhere/x"),
                ("inner/own.key", "../own.key"),
            ] {
                try files.createSymbolicLink(
                    atPath: project.appendingPathComponent(link).path, withDestinationPath: target)
            }
        }

        func settings(
            _ conf: String?, flags: [String: String] = [:], environment: [String: String] = [:],
            user: String = ""
        ) throws -> Settings {
            let person = folder.appendingPathComponent(".config/tool")
            try FileManager.default.createDirectory(at: person, withIntermediateDirectories: true)
            try Data(user.utf8).write(to: person.appendingPathComponent("tool.conf"))
            if let conf { try Data(conf.utf8).write(to: project.appendingPathComponent("tool.conf")) }
            return try Configuration(
                of: "tool", keys: CredentialRuleTests.keys, environment: environment,
                currentFolder: project.appendingPathComponent("inner"), home: folder.path
            ).settings(flags: flags)
        }

        var confirmed: ConfirmedServersFile {
            ConfirmedServersFile(of: "tool", environment: [:], home: folder.path)
        }

        func remove() { folder.remove() }
    }

    @Test(
        "A project's file cannot name a credential outside of its folder",
        arguments: [
            ("own.key", true), ("./inner/../own.key", true), ("inner/own.key", true), ("none.key", true),
            ("../mine.key", false), ("link.key", false), ("up/mine.key", false), ("~/mine.key", false),
            ("/etc/passwd", false), ("nowhere.key", false), ("inner/../../mine.key", false),
            ("../project2/own.key", false), (".", false),
        ])
    func place(path: String, isAllowed: Bool) throws {
        let home = try Home()
        defer { home.remove() }
        let conf = "server = http://a:1\nkey-file = \(path)"
        if isAllowed {
            let file = try #require(try home.settings(conf)["key-file"])
            #expect(file.hasPrefix(home.project.path + "/"))
            return
        }
        let error = #expect(throws: ConfigurationError.self) { try home.settings(conf) }
        #expect(error?.place == home.project.path + "/tool.conf:2")
        #expect(error?.reason.contains("outside of the file's folder") == true)
        #expect(error?.nextStep.contains("--key-file") == true)
        // The person's own file may name any.
        #expect(try home.settings("", user: "key-file = \(path)")["key-file"] != nil)
    }

    @Test("A project's server gets credentials only after confirmation, and Tab never asks")
    func decisions() throws {
        let home = try Home()
        defer { home.remove() }
        let both = "server = http://Evil.example\nkey-file = own.key\ntoken = t"
        let cases: [(settings: Settings, isForConfirmed: Bool)] = [
            (try home.settings(both), true),
            (try home.settings("server = http://evil.example", flags: ["token": "x"]), true),
            (
                try home.settings(
                    "server = http://evil.example", environment: ["TOKEN": "x", "KEY_FILE": "y"]), false
            ),
            (try home.settings("server = http://evil.example", user: "token = x"), false),
            (try home.settings("token = x", environment: ["URL": "http://good.example"]), false),
            (try home.settings("token = x", flags: ["server": "http://good.example"]), false),
            (try home.settings("data = d\ntoken = x"), false),
        ]
        for (settings, isForConfirmed) in cases {
            var confirmed = ConfirmedServers()
            for occasion in [CredentialRule.Occasion.terminal, .script, .completion] {
                let decision = CredentialRule.decision(settings, confirmed, on: occasion, way: "do this")
                switch decision {
                case .allowed: #expect(!isForConfirmed)
                case .ask(let server):
                    #expect(isForConfirmed && occasion == .terminal)
                    #expect(CredentialRule.question(about: server, settings).contains("vil.example"))
                case .refused(let error):
                    #expect(isForConfirmed && occasion != .terminal)
                    #expect(error.description.contains("if you trust the server, confirm it: do this"))
                }
            }
            guard let server = settings.projectServer else { continue }
            confirmed.add(server)
            #expect(CredentialRule.decision(settings, confirmed, on: .completion, way: "") == .allowed)
        }
    }

    @Test("A confirmation is for one server and one folder, in a file that only the user can read")
    func remembered() throws {
        let home = try Home()
        defer { home.remove() }
        let settings = try home.settings("server = http://evil.example/\nkey-file = own.key")
        var questions = 0
        for answer in [false, true, false] {
            let pass = {
                try CredentialRule.confirm(settings, in: home.confirmed, on: .terminal, way: "") { _ in
                    questions += 1
                    return answer
                }
            }
            if answer || questions > 1 {
                try pass()
            } else {
                #expect(throws: ConfigurationError.self) { try pass() }
            }
        }
        #expect(questions == 2)
        try expectOnly(settings, in: home)
    }

    /// Expects that the file contains only the server of these settings, for only its folder.
    private func expectOnly(_ settings: Settings, in home: Home) throws {
        let file = home.confirmed.file
        let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? NSNumber
        #expect(mode?.intValue == 0o600)
        let kept = home.confirmed.load()
        let server = try #require(settings.projectServer)
        #expect(kept.contains(server))
        for (folder, address) in [
            (server.folder, "https://evil.example/"), (server.folder, "http://evil.example:81/"),
            (server.folder, "http://other.example/"), (server.folder + "/inner", server.address),
            ("/", server.address), ("", server.address),
        ] {
            let other = ProjectServer(file: server.file, folder: folder, address: address)
            #expect(!kept.contains(other), "\(folder) \(address)")
        }
        let same = ProjectServer(file: "x", folder: server.folder, address: "HTTP://Evil.Example:80/")
        #expect(kept.contains(same))
        // A folder's name cannot write a line of its own.
        var tricked = ConfirmedServers()
        tricked.add(ProjectServer(file: "", folder: "/a\nhttp://evil.example:80/ /b", address: "http://x"))
        #expect(tricked.text.count { $0 == "\n" } == 1)
        #expect(ConfirmedServers(text: tricked.text) == tricked)
    }

    @Test(
        "The operator's key is sent over plain http to this machine only, unless a flag allows more",
        arguments: [
            ("http://127.0.0.1:8080", true), ("http://localhost", true), ("http://[::1]:80", true),
            ("https://example.org", true), ("HTTPS://example.org", true), ("http://127.1.2.3", true),
            ("http://0.0.0.0:8080", true), ("http://example.org", false), ("http://10.0.0.2:8080", false),
            ("http://127.0.0.1.example.org", false), ("http://localhost.example.org", false),
            ("http://127.0.0.1@example.org", false), ("http://1270.0.0.1", false),
        ])
    func plainHTTP(address: String, isAllowed: Bool) throws {
        let url = try #require(URL(string: address))
        let objection = CredentialRule.objection(toKeyAt: url, allowsPlainHTTP: false)
        #expect((objection == nil) == isAllowed)
        #expect(objection.map { $0.nextStep.contains("--allow-plain-http") } ?? true)
        #expect(CredentialRule.objection(toKeyAt: url, allowsPlainHTTP: true) == nil)
    }
}
