import Foundation
import Testing

@testable import CommandShell
@testable import TestKit

@Suite("Settings")
struct ConfigurationTests {
    private static let keys = [
        ConfigurationKey(
            "server", .address, variables: [ConfigurationKey.Variable("URL")], default: "none", group: "place"
        ),
        ConfigurationKey(
            "data", .path, variables: [ConfigurationKey.Variable("DATA")], default: "here", group: "place"),
        ConfigurationKey(
            "key", .text, variables: [ConfigurationKey.Variable("KEY")], default: "none",
            isSecret: true, isCredential: true),
        ConfigurationKey(
            "mode", .choice(["plain", "fancy"]),
            variables: [
                ConfigurationKey.Variable("MODE"), ConfigurationKey.Variable("DULL") { _ in "plain" },
            ], default: "fancy"),
        ConfigurationKey("port", .whole(0...9), variables: [], default: "8"),
    ]

    private static let file = URL(fileURLWithPath: "/project/tool.conf")

    /// The settings in a new home folder that contains a project, with these files.
    private func found(
        project: String? = nil, user: String? = nil, environment: [String: String] = [:],
        flags: [String: String] = [:], decided: [String: String] = [:], isGrouped: Bool = true
    ) throws -> Settings {
        let home = URL.unused()
        defer { home.remove() }
        let present = home.appendingPathComponent("project/inner")
        let folder = home.appendingPathComponent(".config/tool")
        for folder in [present, folder] {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        }
        try project?.write(
            to: home.appendingPathComponent("project/tool.conf"), atomically: true, encoding: .utf8)
        try user?.write(to: folder.appendingPathComponent("tool.conf"), atomically: true, encoding: .utf8)
        return try Configuration(
            of: "tool", keys: Self.keys, environment: environment, currentFolder: present, home: home.path
        ).settings(flags: flags, decided: decided, isGrouped: isGrouped)
    }

    private func source(_ settings: Settings, _ name: String) -> String? {
        settings.rows.first { $0.name == name }?.source
    }

    @Test("Flags precede variables, variables the project's file, that file the user's")
    func layers() throws {
        let user = "mode = fancy\nport = 1"
        #expect(source(try found(), "mode") == "default")
        #expect(source(try found(user: user), "mode")?.hasSuffix("/.config/tool/tool.conf:1") == true)
        let both = try found(project: "# of the project\n\n mode=plain\n", user: user)
        #expect(both["mode"] == "plain")
        #expect(both["port"] == "1")
        #expect(source(both, "mode")?.hasSuffix("/project/tool.conf:3") == true)
        let variable = try found(project: "mode = plain", environment: ["MODE": "fancy", "DULL": "1"])
        #expect(variable["mode"] == "fancy")
        #expect(source(variable, "mode") == "MODE")
        #expect(source(try found(environment: ["MODE": "", "DULL": "1"]), "mode") == "DULL")
        let flag = try found(environment: ["MODE": "fancy"], flags: ["mode": "plain"])
        #expect(flag["mode"] == "plain")
        #expect(source(flag, "mode") == "--mode")
    }

    @Test("A layer that sets one setting of a group overrides the whole group")
    func groups() throws {
        let settings = try found(user: "server = http://a:1", environment: ["DATA": "x"])
        #expect(settings["server"] == nil)
        #expect(settings["data"] == "x")
        let loose = try found(project: "data = x", environment: ["URL": "http://a:1"], isGrouped: false)
        #expect(loose["data"]?.hasSuffix("/project/x") == true)
        let flag = try found(environment: ["URL": "http://a:1"], decided: ["place": "new"])
        #expect(flag["server"] == nil)
        #expect(source(flag, "server") == "--new")
    }

    @Test("A path is relative to its file's folder, and ~ is the home folder")
    func paths() throws {
        #expect(try found(project: "data = ./x/../y")["data"]?.hasSuffix("/project/y") == true)
        let atHome = try found(project: "data = ~/y")["data"]
        #expect(atHome?.hasSuffix("/y") == true && atHome?.contains("project") == false)
    }

    @Test("A secret is never shown, and not sent to a server that only the project's file names")
    func secrets() throws {
        let own = try found(user: "server = http://a:1\nkey = abc")
        #expect(own["key"] == "abc")
        #expect(own.rows.first { $0.name == "key" }?.value == "(hidden)")
        for environment in [["KEY": "abc"], [:]] {
            let stranger = try found(
                project: "server = http://a:1", user: "key = abc", environment: environment)
            #expect(stranger.projectServer?.address == "http://a:1")
            #expect(stranger.projectServer?.folder.hasSuffix("/project") == true)
            #expect(stranger["key"] == nil)
        }
        let given = try found(project: "server = http://a:1", user: "key = abc", flags: ["key": "x"])
        #expect(given["key"] == "x")
        #expect(try found(project: "server = http://a:1\nkey = b", user: "key = abc")["key"] == "b")
    }

    @Test(
        "An invalid file is an error with its line, the reason and the next step",
        arguments: [
            ("\nmode", 2, "there is no `=`", "NAME = VALUE"),
            ("moed = plain", 1, "there is no setting `moed`", "did you mean `mode`?"),
            ("colour = red", 1, "there is no setting `colour`", "the settings are server, data, key, mode"),
            ("mode =", 1, "`mode` has no value", "add a value"),
            ("mode = loud", 1, "`loud` is unknown", "use one of plain, fancy"),
            ("port = 10", 1, "`10` is not a valid number", "use 0 to 9"),
            ("server = a", 1, "`a` is not an address", "http://127.0.0.1:8080"),
            ("port = 1\n#\nport = 2", 3, "set twice, first at /project/tool.conf:1", "keep one"),
            ("data = x\nserver = http://a:1", 2, "`server` and `data` exclude each other", "keep one"),
        ])
    func refused(text: String, line: Int, reason: String, nextStep: String) {
        let error = #expect(throws: ConfigurationError.self) {
            try ConfigurationFile(text, file: Self.file, keys: Self.keys, home: "/home")
        }
        #expect(error?.place == "/project/tool.conf:\(line)")
        #expect(error?.reason.contains(reason) == true, "\(String(describing: error))")
        #expect(error?.nextStep.contains(nextStep) == true, "\(String(describing: error))")
    }

    @Test("An invalid variable is an error with its name")
    func variable() {
        let error = #expect(throws: ConfigurationError.self) { try found(environment: ["URL": "bogus"]) }
        #expect(error?.description.hasPrefix("the variable URL: `bogus` is not an address; ") == true)
    }
}
