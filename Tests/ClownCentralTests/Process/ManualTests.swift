import Foundation
import Testing

@testable import CloudletShell
@testable import ClownCentral
@testable import CommandShell
@testable import ShellKit
@testable import TestKit

@Suite("Completion and man pages", .timeLimit(.minutes(30)))
struct ManualTests {
    private static func isInstalled(_ program: String) async throws -> Bool {
        try await Program.shell("command -v \(program)").code == 0
    }

    @Test("The man page of a program has every command and flag of its help", arguments: ["app", "cloudlet"])
    func complete(program: String) async throws {
        let page = try await Program.shell("$\(program) --generate-manual")
        #expect(page.code == 0)
        let text = page.output.replacingOccurrences(of: "\\-", with: "-")
        let root = try await DescribedCommand.of(program)
        for (path, command) in root.all {
            #expect(path.isEmpty || text.contains(".SS \(root.commandName) \(path)"), "\(path)")
            for flag in command.flags { #expect(text.contains(flag), "\(path) \(flag)") }
        }
        guard program == "app" else { return }
        for spec in CommandTable.standard.commands { #expect(text.contains("\\fB\(spec.name)")) }
    }

    @Test(
        "man shows the pages without a warning",
        .enabled("groff is not installed") { try await isInstalled("groff") }, arguments: ["app", "cloudlet"])
    func shown(program: String) async throws {
        let line = "$\(program) --generate-manual | LC_ALL=C.UTF-8 groff -man -ww -Tutf8"
        let end = try await Program.shell("\(line) > page; grep -c . page")
        #expect(end.errors.isEmpty)
        #expect(Int(end.output.trimmingCharacters(in: .newlines)) ?? 0 > 200)
        let help = try await Program.shell("$\(program) --help | grep -c generate-manual")
        #expect(help.output == "1\n")
    }

    /// The completions of bash for each line, while a server uses the user's data folder.
    private func offers(_ lines: [String]) async throws -> [String] {
        let calls = lines.map { "offer '\($0)'" }.joined(separator: "\n")
        let script = """
            PATH=$(dirname $app):$PATH
            source <($app --generate-completion-script bash)
            source <($cloudlet --generate-completion-script bash)
            offer() {
              read -ra COMP_WORDS <<< "$1"; [[ $1 == *" " ]] && COMP_WORDS+=("")
              COMP_LINE=$1 COMP_POINT=${#1} COMP_CWORD=$((${#COMP_WORDS[@]} - 1)) COMPREPLY=()
              local f=$(complete -p ${COMP_WORDS[0]} | sed 's/.*-F \\([^ ]*\\).*/\\1/')
              $f ${COMP_WORDS[0]} "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
              echo "${COMPREPLY[*]}"
            }
            \(calls)
            """
        let made = """
            mkdir -p .config/cloudlet; echo '# none' > cloudlet.conf; mkfifo ready
            echo 'data = ~/kept' > .config/cloudlet/cloudlet.conf
            $cloudlet serve --port 0 > ready & server=$!
            { read address; read word; } < ready
            for c in tea coffee; do $cloudlet container create iCloud.org.example.$c; done
            $cloudlet user add paul; $cloudlet role create iCloud.org.example.tea Host
            """
        let end = try await Program.shell(
            "{ \(made)\n} > out 2>&1; cat > s; export app cloudlet; bash s; kill $server; wait $server",
            input: script)
        #expect(end.errors.isEmpty)
        return end.output.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    @Test(
        "bash completes commands, flags, words and the names on the server",
        .enabled("bash is not installed") { try await isInstalled("bash") })
    func bash() async throws {
        let expected = [
            ("cloudlet contai", "container"),
            ("cloudlet container show ", "iCloud.org.example.coffee iCloud.org.example.tea"),
            ("cloudlet container show iCloud.org.example.t", "iCloud.org.example.tea"),
            ("cloudlet role grant iCloud.org.example.tea ", "Host"),
            ("cloudlet role grant iCloud.org.example.tea Host ", "paul"),
            ("cloudlet user show pa", "paul"), ("cloudlet container list --data nowhere --js", "--json"),
            ("cloudlet schema index c t f ", "queryable sortable searchable"),
            ("clown-central --mode js", "json jsonl"), ("clown-central -c stat", "stats status"),
            ("clown-central demo 04", "04-photos"), ("clown-central run clo", "cloudlet.conf"),
            ("cloudlet container show --data nowhere ", ""),
        ]
        let offered = try await offers(expected.map(\.0))
        for ((line, words), found) in zip(expected, offered) { #expect(found == words, "\(line)") }
        #expect(offered.count == expected.count + 1)
    }

    @Test(
        "zsh and fish accept their scripts, and fish completes commands with summaries",
        .enabled("zsh or fish is not installed") {
            let (zsh, fish) = (try await isInstalled("zsh"), try await isInstalled("fish"))
            return zsh && fish
        })
    func others() async throws {
        let end = try await Program.shell(
            """
            PATH=$(dirname $app):$PATH
            for p in clown-central cloudlet; do
              $p --generate-completion-script zsh > _$p && zsh -n _$p
              $p --generate-completion-script fish > $p.fish && fish -n $p.fish
            done
            echo 'source cloudlet.fish; complete -C "cloudlet docto"; complete -C "cloudlet role g"' > ask
            fish ask
            """)
        #expect(end.errors.isEmpty)
        #expect(end.output.contains("doctor\tCheck a server and its data"))
        #expect(end.output.contains("grant\tAdd a person to a role"))
    }
}
