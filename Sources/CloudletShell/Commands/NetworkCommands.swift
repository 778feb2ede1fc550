import CommandShell
import Foundation

/// Commands for the current device's network, for the clock, and for showing each request.
struct NetworkCommands {
    let session: CloudSession

    /// The largest shift of the clock in seconds: 100 years.
    private static let maximumShift: TimeInterval = 100 * 365 * 86_400

    var commands: [CommandSpec] {
        NetworkProfile.allCases.map(network) + [
            clockAdvance,
            CommandSpec.toggle(
                "monitor", group: "Shell",
                "show every request as it is answered; at a terminal, above the line"
            ) { [session] runner, isOn in
                session.watchRequests(isOn ? session.environment.tell : nil, isJSON: runner.isJSON)
            },
        ]
    }

    private func network(_ profile: NetworkProfile) -> CommandSpec {
        let word = profile.rawValue
        return CommandSpec(
            ["network", word], group: "Sync", summary: profile.summary,
            details: """
                The network is simulated for each device separately; the prompt and `status` show its state.
                A request on a dead network fails when its time limit is over: after a minute, unless
                its operation sets another.
                """,
            examples: ["network \(word)"]
        ) { _ in
            .work {
                let device = await session.context.device
                session.server.network.set(device, profile)
                return Answer.message(
                    "\(device) is \(profile.state)",
                    facts: [
                        AnswerField("online", .flag(profile != .off)), AnswerField("network", .text(word)),
                    ])
            }
        }
    }

    private var clockAdvance: CommandSpec {
        CommandSpec(
            ["clock", "advance"], group: "Sync",
            summary: "move the clock of this shell and its server forward",
            arguments: [ArgumentSpec("TIME", .described(Self.times), .many)],
            details: """
                The server must be in this process: a remote server uses the clock of its own machine.
                The shift ends with the shell; records that were saved meanwhile keep their dates.
                """,
            examples: ["clock advance 7d", "clock advance 90s", "clock advance 2 hours"]
        ) { arguments in
            let words = arguments.words(from: "TIME")
            let seconds = try ParsedArguments.duration(words)
            guard session.environment.clockShift.seconds + seconds <= Self.maximumShift else {
                throw ShellError.usage("the clock can be at most 100 years ahead", at: words.first?.range)
            }
            return .work { try advance(bySeconds: seconds) }
        }
    }

    private static let times = [
        Candidate("1m", "a minute"), Candidate("1h", "an hour"), Candidate("1d", "a day"),
        Candidate("7d", "the longest time for which a request is tried again"),
    ]

    private func advance(bySeconds seconds: TimeInterval) throws -> Answer {
        let server = session.server
        guard server.isEmbedded else {
            throw ShellError(
                code: "clockElsewhere",
                message: "the clock cannot be moved: \(server.description) uses the clock of its machine",
                remedy: "use a server in this process: \(server.invocation) --ephemeral")
        }
        let shift = session.environment.clockShift
        shift.advance(bySeconds: seconds)
        let ahead = shift.text ?? "0s"
        return Answer.message("the clock is ahead by \(ahead)", facts: [AnswerField("ahead", .text(ahead))])
    }
}
