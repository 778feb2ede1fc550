import Cloudlet
import CommandShell
import Foundation
import Records

/// Commands that send many requests: beyond the rate limit, or as an import of data.
struct LoadCommands {
    let session: CloudSession

    private static let group = "Faults and load"

    var commands: [CommandSpec] { [rate, runaway, serverKey] }

    private var rate: CommandSpec {
        CommandSpec(
            ["request-rate"],
            group: Self.group,
            summary: "set how many requests a person may send; without N, restore the server's setting",
            arguments: [ArgumentSpec("N", .number, .optional)],
            flags: [FlagSpec("seconds", "S", .number, "the period in seconds; 1 if not given")],
            details: "Development servers only.",
            examples: ["request-rate 5 --seconds 1", "request-rate"]
        ) { arguments in
            let requests = try arguments.word("N").map {
                try ParsedArguments.whole($0, 1...100_000, called: "N")
            }
            let seconds =
                try arguments.flags["seconds"].map {
                    try ParsedArguments.whole($0, 1...3600, called: "--seconds")
                } ?? 1
            return .work {
                try await session.server.setRate(
                    requests.map { RequestRate(requests: $0, seconds: seconds) })
                let rate = requests.map { "\(Answer.counted($0, "request")) in \(seconds) s" }
                return Answer.message(
                    "a person may send \(rate ?? "as many requests as at the server's start")")
            }
        }
    }

    private var runaway: CommandSpec {
        CommandSpec(
            ["runaway"],
            group: Self.group,
            summary: "send N requests in a tight loop, and show the results",
            arguments: [ArgumentSpec("N", .number)],
            flags: [FlagSpec("patient", "", .nothing, "wait as long as the server asks, then continue")],
            examples: ["runaway 20", "runaway 20 --patient"]
        ) { arguments in
            let count = try ParsedArguments.whole(
                try arguments.requiredWord("N"), 1...10_000, called: "N")
            let waitsForRetry = arguments.has("patient")
            return .work {
                let load = RequestLoop(
                    container: await session.container, requests: session.requests,
                    pause: session.environment.pause)
                return try await load.run(count, waitsForRetry: waitsForRetry).answer
            }
        }
    }

    private var serverKey: CommandSpec {
        CommandSpec(
            ["server-key"],
            group: Self.group,
            summary: "choose the key for imports: new on an embedded server, otherwise a registered one",
            arguments: [ArgumentSpec("ID", .text, .optional)],
            flags: [FlagSpec("file", "FILE", .file, "the private key in PEM that belongs to ID")],
            details: """
                The key may change everything in the public database. To register one: \
                cloudlet key register
                """,
            examples: ["server-key", "server-key 4f… --file import.pem"]
        ) { arguments in
            let (id, file) = (arguments.word("ID")?.text, arguments.flags["file"])
            return .work { try await chooseServerKey(id, file) }
        }
    }

    private func chooseServerKey(_ id: String?, _ file: Word?) async throws -> Answer {
        let key: CloudServerKey
        if let id {
            guard let file else {
                throw ShellError.usage("--file is missing", remedy: "server-key ID --file FILE")
            }
            key = try CloudServerKey(id: id, privateKeyFile: session.environment.file(file))
        } else {
            guard let register = session.server.registerServerKey else {
                throw ShellError(
                    code: "notEmbedded", message: "only the operator of a remote server can register keys",
                    remedy: "cloudlet key register, then: server-key ID --file FILE")
            }
            let made = CloudServerKey.generate()
            key = made.named(try await register(made.publicKey, await session.place))
        }
        await session.sign(with: key)
        return Answer.message(
            "imports are signed with the key \(key.id.prefix(8))…", facts: [AnswerField("key", Value(key.id))]
        )
    }
}
