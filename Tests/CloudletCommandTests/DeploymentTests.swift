import Foundation
import Testing

@testable import TestKit

@Suite("The files for hosting", .timeLimit(.minutes(30)))
struct DeploymentTests {
    private static let names = ["cloudlet.service", "cloudlet-backup.service", "cloudlet-backup.timer"]
    /// The files that the page on hosting prints, with the language of the block.
    private static let printedFiles =
        names.map { ($0, "ini") } + [("nginx.conf", "nginx"), ("Caddyfile", "caddy")]
    /// The files that the page only names.
    private static let otherFiles = [
        "cloudlet.conf", "package", "Containerfile", "compose.yaml", "kubernetes.yaml",
    ]

    private static func text(_ name: String) throws -> String {
        try String(contentsOf: URL.package.appending(path: "Demo/deploy/\(name)"), encoding: .utf8)
    }

    /// The command of a unit, with this program and a folder of the test in place of the installed ones.
    private static func command(of unit: String, in folder: URL) throws -> String {
        let start = try #require(try text(unit).split(separator: "\n").first { $0.hasPrefix("ExecStart=") })
        return String(start.dropFirst("ExecStart=".count))
            .replacing("/usr/local/bin/cloudlet", with: try Program.path("cloudlet"))
            .replacing("/var/lib/cloudlet", with: folder.path)
            // The replacements that systemd makes.
            .replacing("$$", with: "$").replacing("%%", with: "%")
    }

    @Test("The page on hosting prints each of them")
    func printed() throws {
        let page = URL.package.appending(path: "Sources/Cloudlet/Documentation.docc/Hosting.md")
        let text = try String(contentsOf: page, encoding: .utf8)
        let folder = URL.package.appending(path: "Demo/deploy")
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        let names = Self.printedFiles.map(\.0) + Self.otherFiles
        #expect(Set(files) == Set(names + ["Containerfile.dockerignore"]))
        for name in names { #expect(text.contains("Demo/deploy/\(name)"), "\(name)") }
        for (name, language) in Self.printedFiles {
            #expect(text.contains("```\(language)\n\(try Self.text(name))```\n"), "\(name)")
        }
    }

    @Test("Each flag and setting in the files is one of the program")
    func flags() async throws {
        let help = try await Program.cloudlet("serve", "--help").output
        for name in ["cloudlet.service", "Containerfile", "kubernetes.yaml"] {
            let lines = try Self.text(name).split(separator: "\n")
            let commands = lines.filter { $0.contains("serve") && $0.contains("--data") }
            #expect(commands.count == 1, "\(name)")
            let flags = commands.flatMap { $0.matches(of: /--[a-z][a-z-]*/).map { String($0.output) } }
            #expect(flags.contains("--data"), "\(name)")
            for flag in flags { #expect(help.contains("\(flag)"), "\(name): \(flag)") }
        }
        let list = try await Program.cloudlet("config", "list").output
        for name in ["compose.yaml", "kubernetes.yaml"] {
            let variables = try Self.text(name).matches(of: /\bCLOUDLET_[A-Z_]+/).map { String($0.output) }
            #expect(!variables.isEmpty)
            for variable in variables { #expect(list.contains(variable), "\(name): \(variable)") }
        }
        let settings = try Self.text("cloudlet.conf").matches(of: #/(?m)^#?([a-z-]+) = /#)
        #expect(settings.count >= 4)
        for setting in settings { #expect(list.contains("\n\(setting.output.1) "), "\(setting.output.1)") }
    }

    @Test(
        "The script makes a Debian package with program, units, manual page and settings",
        .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/dpkg-shlibdeps")))
    func package() async throws {
        let folder = try URL.newFolder()
        defer { folder.remove() }
        let script = URL.package.appending(path: "Demo/deploy/package").path
        let variables = "CLOUDLET_PROGRAM=\(try Program.path("cloudlet")) DPKG_DEB_COMPRESSOR_TYPE=none"
        let end = try await Command(
            executable: "/bin/sh", ["-c", "\(variables) exec \(script) \(folder.path)"]
        ).end()
        try #require(end.code == 0, "\(end.errors)")
        let file = end.output.trimmingCharacters(in: .whitespacesAndNewlines)
        let look = """
            dpkg-deb --field \(file) Depends && dpkg-deb --contents \(file) &&
            dpkg-deb --fsys-tarfile \(file) | tar -xO ./usr/lib/systemd/system/cloudlet.service &&
            dpkg-deb --ctrl-tarfile \(file) | tar -xO ./postinst ./md5sums
            """
        let text = try await Command(executable: "/bin/sh", ["-c", look]).end().output
        #expect(text.contains("libsqlite3-0"))
        #expect(text.contains("ExecStart=/usr/bin/cloudlet serve --data /var/lib/cloudlet/data"))
        // The settings may contain keys, and are the administrator's.
        #expect(text.contains("chmod 640 \"$settings\""))
        #expect(!text.contains("  etc/cloudlet/cloudlet.conf"))
        for path in [
            "usr/bin/cloudlet", "usr/share/man/man1/cloudlet.1.gz", "etc/cloudlet/cloudlet.conf",
            "usr/lib/systemd/system/cloudlet-backup.timer", "usr/share/bash-completion/completions/cloudlet",
            "usr/share/doc/cloudlet/copyright", "usr/share/doc/cloudlet/examples/nginx.conf",
        ] {
            #expect(text.contains(" root/root ") && text.contains("./\(path)\n"), "\(path)")
        }
    }

    @Test("The commands of the units serve, and make a backup of the running server")
    func commands() async throws {
        let folder = try URL.newFolder()
        defer { folder.remove() }
        let serve = try Self.command(of: "cloudlet.service", in: folder)
        let server = try Command(executable: "/bin/sh", ["-c", "exec \(serve) --port 0"])
        _ = try await server.address()
        let backup = try Self.command(of: "cloudlet-backup.service", in: folder)
        let end = try await Command(executable: "/bin/sh", ["-c", backup]).end()
        #expect(end.code == 0, "\(end.errors)")
        let backups = folder.appendingPathComponent("backups").path
        let made = try FileManager.default.contentsOfDirectory(atPath: backups)
        #expect(made.count == 1)
        #expect(made.first?.wholeMatch(of: /\d{4}-\d\d-\d\d-\d{6}/) != nil, "\(made)")
        #expect(await server.stop().code == 0)
    }

    @Test(
        "systemd reports no problem in the units, and rates them as well protected",
        .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/systemd-analyze")))
    func verified() async throws {
        let folder = try URL.newFolder()
        defer { folder.remove() }
        for name in Self.names {
            // systemd reports a unit whose program is not installed.
            let unit = try Self.text(name).replacing("/usr/local/bin/cloudlet", with: "/bin/true")
            try Data(unit.utf8).write(to: folder.appendingPathComponent(name))
        }
        let verify = """
            cd \(folder.path); systemd-analyze verify --man=no --recursive-errors=no ./*.service ./*.timer &&
            for unit in ./*.service; do
              systemd-analyze security --offline=yes --threshold=20 --no-pager $unit > rating || exit 1
            done
            """
        let end = try await Command(executable: "/bin/sh", ["-c", verify]).end()
        #expect(end.code == 0 && end.errors == "", "\(end.errors)")
    }
}
