import Foundation
import Testing

@testable import TestKit

@Suite("The files for systemd", .timeLimit(.minutes(30)))
struct DeploymentTests {
    private static let names = ["cloudlet.service", "cloudlet-backup.service", "cloudlet-backup.timer"]

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
        #expect(Set(files) == Set(Self.names))
        for name in Self.names {
            #expect(text.contains("`Demo/deploy/\(name)`"), "\(name)")
            #expect(text.contains("```ini\n\(try Self.text(name))```\n"), "\(name)")
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
