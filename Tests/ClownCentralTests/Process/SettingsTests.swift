import Foundation
import Testing

@testable import ShellKit
@testable import TestKit

@Suite("Settings and scripts of the command lines", .timeLimit(.minutes(30)))
struct SettingsTests {
    @Test("config list shows the source of each setting of clown-central")
    func layers() async throws {
        let end = try await Program.shell(
            """
            mkdir -p .config/clown-central project/inner
            printf 'as = bob\\non = mac\\ndata = ~/kept\\n' > .config/clown-central/clown-central.conf
            printf '# of the project\\non = tv\\nseed = 3\\n' > project/clown-central.conf
            cd project/inner
            CLOWN_CENTRAL_TIMEOUT=90 NO_COLOR=1 $app --mode csv -c 'config list' -c 'party create Tea'
            """)
        #expect(end.code == 0, "\(end.errors)")
        for line in [
            "server,embedded,default\n", "/kept,/", "/.config/clown-central/clown-central.conf:3\n",
            "as,bob,/", "on,tv,/", "/project/clown-central.conf:2\n", "seed,3,/", "mode,csv,--mode\n",
            "color,never,NO_COLOR\n", "timeout,90,CLOWN_CENTRAL_TIMEOUT\n", "api-token,none,default\n",
        ] {
            #expect(end.output.contains(line), "\(line) is not in \(end.output)")
        }
        #expect(end.errors.contains("created Tea"))
    }

    @Test("config list shows each setting of cloudlet, and its commands use them")
    func cloudlet() async throws {
        let end = try await Program.shell(
            """
            mkdir -p .config/cloudlet
            printf 'data = ~/kept\\nport = 0\\n' > .config/cloudlet/cloudlet.conf
            $cloudlet config list && $cloudlet config list --json
            mkfifo ready; $cloudlet serve > ready & server=$!
            { read address; read word; } < ready
            $cloudlet container create iCloud.org.example.tea && $cloudlet container list
            kill $server; wait $server && ls kept
            """)
        #expect(end.code == 0, "\(end.errors)")
        #expect(end.output.contains("0  /"))
        #expect(end.output.contains("/.config/cloudlet/cloudlet.conf:2\n"))
        let host = #"{"setting":"host","variable":"CLOUDLET_HOST","value":"127.0.0.1","from":"default"}"#
        #expect(end.output.contains(host))
        #expect(end.output.contains(/\nport +CLOUDLET_PORT +0  \//))
        #expect(end.errors.contains("the project's file: none; it would be ./cloudlet.conf"))
        #expect(end.errors.contains("/.config/cloudlet/cloudlet.conf\n"))
        #expect(end.output.contains("iCloud.org.example.tea"))
        #expect(end.output.contains("directory.sqlite"))
    }

    @Test(
        "An invalid file ends both programs with its line, the reason, the next step, and code 2",
        arguments: ["$app -c status", "$cloudlet config list", "$app run -", "$cloudlet serve"])
    func bad(line: String) async throws {
        let files = "printf 'data = x\\nmoed = csv\\n' | tee clown-central.conf > cloudlet.conf"
        let end = try await Program.shell("\(files); \(line); code=$?; ls; exit $code")
        #expect(end.code == 2)
        #expect(end.output == "cloudlet.conf\nclown-central.conf\n")
        #expect(end.errors.contains(".conf:2"))
        #expect(end.errors.contains("there is no setting `moed`"))
        #expect(end.errors.contains("the settings are ") || end.errors.contains("did you mean `mode`?"))
        // Help needs no settings.
        #expect(try await Program.shell("\(files); \(line.split(separator: " ")[0]) --help").code == 0)
    }

    @Test("The server of a project's file gets no secret that is meant for another server")
    func secrets() async throws {
        let end = try await Program.shell(
            """
            printf 'server = http://127.0.0.1:1\\n' | tee clown-central.conf > cloudlet.conf
            export CLOUDLET_API_TOKEN=abc CLOUDLET_OPERATOR_KEY_FILE=key; echo k > key
            $app --trust-server -c 'config list' --mode csv; $cloudlet container list
            """)
        #expect(end.output.contains("api-token,none,default\n"))
        #expect(end.code == 2)
        #expect(end.errors.contains("The project's file must name the key, too."))
    }

    @Test(
        "A script runs the same by run, by -f, and through a pipe",
        arguments: ["run s", "-f s", "run - < s", "-f - < s", "< s"])
    func script(way: String) async throws {
        let good = "as alice\\nparty create Tea \\\\\\n --place Garden\\nparty list\\n"
        let end = try await Program.shell("printf '\(good)' > s; $app --ephemeral --seed 1 \(way)")
        #expect(end.code == 0, "\(end.errors)")
        #expect(end.output.hasSuffix("Tea   Garden  party-jqzeerwg9sck\n"))
        let bad = "party list\\n\\nparty lst\\nparty list\\n"
        let failed = try await Program.shell("printf '\(bad)' > s; $app --ephemeral \(way)")
        #expect(failed.code == 3)
        #expect(failed.errors.contains("error: line 3: `party` has no command `lst`"))
        let quit = try await Program.shell("echo 'quit 7' > s; $app --ephemeral \(way)")
        #expect(quit.code == 7)
        let kept = try await Program.shell("printf '\(bad)' > s; $app --ephemeral --keep-going \(way)")
        #expect(kept.code == 3)
        #expect(kept.errors.components(separatedBy: "no parties yet").count == 3, "\(kept.errors)")
    }

    @Test("`help` works before and after the subcommand, and needs neither server nor settings")
    func help() async throws {
        for name in ["demo", "new", "remove-data", "run"] {
            let first = try await Program.shell("$app \(name) --help")
            #expect(first.output.contains("clown-central \(name)"))
            for way in ["\(name) -h", "help \(name)", "\(name) help"] {
                #expect(try await Program.shell("$app \(way)") == first, "\(way)")
            }
        }
        let foreign = try await Program.shell("$app party help")
        #expect(foreign.code == 2)
        let versions = try await Program.shell("$app --version; $cloudlet --version")
        let lines = versions.output.split(separator: "\n")
        #expect(lines.first?.wholeMatch(of: /clown-central \S+ \(\w+ build, storage format \d+, .+\)/) != nil)
        #expect(lines.last?.wholeMatch(of: /cloudlet \S+ \(\w+ build, storage format \d+\)/) != nil)
    }

    @Test("The doctor reports changes that production lacks, and a port in use")
    func doctor() async throws {
        let end = try await Program.shell(
            """
            mkfifo ready; $cloudlet serve --data kept --port 0 --open > ready & server=$!
            { read address; read word; } < ready
            c=iCloud.org.cloudlet.ClownCentral; export CLOUDLET_DATA=$PWD/kept
            $app --server $address --as alice -c 'party create Tea' > out 2>&1
            $cloudlet doctor; $cloudlet schema deploy $c --yes > out 2>&1; $cloudlet doctor
            $app --server $address --as alice -c 'party create Tea --place Pier' > out 2>&1
            $cloudlet doctor
            mkdir -m 700 other; CLOUDLET_DATA=other $cloudlet container list > out 2>&1
            CLOUDLET_DATA=other CLOUDLET_PORT=${address##*:} $cloudlet doctor; echo "code $?"
            kill $server; wait $server
            """)
        let lines = end.output.split(separator: "\n").map(String.init)
        #expect(lines.count == 5, "\(end.output)")
        #expect(lines[1].contains("development has 1 change that production lacks"))
        #expect(lines[1].contains("cloudlet schema diff iCloud.org.cloudlet.ClownCentral"))
        #expect(lines[3].contains("another process listens on 127.0.0.1:"))
        #expect(lines[3].contains("cloudlet serve --port 0"))
        #expect(lines[4] == "code 0")
        #expect(end.errors.components(separatedBy: "all is well").count == 3)
    }

    @Test("run takes one script, and reports a missing one")
    func noScript() async throws {
        let missing = try await Program.shell("$app --ephemeral run nowhere")
        #expect(missing.code == 2)
        #expect(missing.errors.contains("nowhere cannot be read"))
        let both = try await Program.shell("$app -c status run s --json")
        #expect(both.code == 2)
        #expect(both.errors.contains("leave out -c"))
        #expect(both.output.hasPrefix(#"{"error":{"code":"usage","message":"run takes its commands from"#))
    }
}
