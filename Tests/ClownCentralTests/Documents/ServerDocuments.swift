import Foundation
import Testing

@testable import ShellKit
@testable import TestKit

/// A command of a program, from its help dump.
struct DescribedCommand: Decodable {
    struct Argument: Decodable {
        struct Name: Decodable {
            let name: String
        }

        let names: [Name]?
    }

    private struct Document: Decodable {
        let command: DescribedCommand
    }

    let commandName: String
    let subcommands: [DescribedCommand]?
    let arguments: [Argument]?

    /// The root command of a program, given by its variable in `Program.shell`.
    static func of(_ program: String) async throws -> DescribedCommand {
        let end = try await Program.shell("$\(program) --experimental-dump-help")
        return try JSONDecoder().decode(Document.self, from: Data(end.output.utf8)).command
    }

    /// The flags and options with their dashes.
    var flags: [String] {
        let names: [String] = (arguments ?? []).flatMap { ($0.names ?? []).map(\.name) }
        return names.filter { !["help", "h"].contains($0) }.map { name in
            name.count == 1 ? "-\(name)" : "--\(name)"
        }
    }

    /// This command and all its subcommands, with their paths.
    var all: [(path: String, command: DescribedCommand)] {
        let inner = (subcommands ?? []).filter { $0.commandName != "help" }
        var all: [(path: String, command: DescribedCommand)] = [("", self)]
        for child in inner {
            for (path, command) in child.all {
                all.append((path.isEmpty ? child.commandName : "\(child.commandName) \(path)", command))
            }
        }
        return all
    }

    /// The full names of all subcommands without subcommands that take the flag.
    func leaves(taking flag: String) -> [String] {
        let inner = (subcommands ?? []).filter { $0.commandName != "help" }
        if inner.isEmpty {
            let takes = (arguments ?? []).contains { $0.names?.contains { $0.name == flag } ?? false }
            return takes ? [""] : []
        }
        return inner.flatMap { command in
            command.leaves(taking: flag).map {
                $0.isEmpty ? command.commandName : "\(command.commandName) \($0)"
            }
        }
    }
}

extension PrintedDocuments {
    private static let mark = "\u{1}"

    /// A script that runs every command with data to print.
    private static let script = """
        say() { printf '\\001%s\\n' "$1 $2"; $cloudlet "$@" --json; }
        one() { printf '\\001%s\\n' "$1"; $cloudlet "$@" --json; }
        id() { $cloudlet $1 list $c --json | sed 's/.*"id":"\\([^"]*\\)".*/\\1/'; }
        c=iCloud.org.cloudlet.ClownCentral
        $app -c 'as alice' -c 'party create Tea --at 1,1' -c 'party list --near 1,1 --within 1km' > out
        say config list
        say container create iCloud.org.example.tea
        say container create tea
        say container list
        say container show $c
        say container creators $c
        say container set-fallback iCloud.org.example.tea https://tea.example/open/
        say user add paul --email paul@example.org --phone +442079460018 --given-name Paul --family-name Lee
        say user add mary
        say user list
        say user show alice
        say role create $c Host
        say role grant $c Host alice
        say role list $c
        say role revoke $c Host alice
        say token create $c --label x --origin https://a.example.org --callback https://a.example.org/in
        say token list $c
        say token revoke $(id token)
        say key create $c --out key.pem
        openssl ecparam -name prime256v1 -genkey -noout -out own.pem
        openssl ec -in own.pem -pubout -out public.pem 2> out
        say key register $c --public-key public.pem --label y
        say key list $c
        say key revoke $(id key)
        say schema export $c
        $cloudlet schema export $c > full.ckdb
        sed '/place/d; s/QUERYABLE//' full.ckdb > less.ckdb
        say schema validate $c full.ckdb
        say schema diff $c less.ckdb
        say schema check less.ckdb --container $c
        say schema import $c less.ckdb --yes
        say schema index $c Party name queryable
        say schema grant $c Party create Host
        say schema delete $c Party name --yes
        say schema deploy $c --yes
        say schema reset $c --yes
        say user set-status mary restricted
        say user set-quota mary 20GB
        echo 'correct horse' | say user set-password mary
        say user sign-out alice
        say user delete mary --yes
        say container delete iCloud.org.example.tea --yes
        one console
        echo 'correct horse' | say operator add ops --role viewer --password-stdin
        say operator add ops --role admin --container $c
        echo 'correct horse' | say operator add guest --role viewer --container $c --password-stdin
        say operator list
        say operator remove ops
        one audit
        one logs
        one telemetry
        one telemetry --period day
        """

    /// A script with the commands for data folders.
    private static let folderScript = """
        one() { printf '\\001%s\\n' "$1"; $cloudlet "$@" --json; }
        $app --data d --as alice -c 'party create Tea' > out 2>&1
        one backup copy --data d
        one restore copy --data again
        chmod 644 d/operator.key
        one doctor --data d
        """

    /// The shapes of all documents that the commands print, including errors.
    static func ofServer() async throws -> PrintedDocuments {
        let end = try await Program.shell(
            "cat > script; export app cloudlet; $cloudlet exec -- sh script", input: script)
        let folder = try await Program.shell(folderScript)
        var printed = PrintedDocuments()
        for section in (end.output + folder.output).components(separatedBy: mark).dropFirst() {
            let lines = section.split(separator: "\n", maxSplits: 1)
            try printed.add(String(lines[0]), lines.count > 1 ? String(lines[1]) : "")
        }
        let failures = try await Program.shell(
            """
            $cloudlet container lst --json; $cloudlet container list --data none --json
            $cloudlet container list --server http://127.0.0.1:1 --operator-key-file none --json
            """)
        try printed.add("", failures.errors)
        if printed.shapes.count < 30 { Issue.record("\(end.errors) \(folder.errors)") }
        return printed.settled
    }
}
