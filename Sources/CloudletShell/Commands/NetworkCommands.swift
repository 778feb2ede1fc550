import CommandShell

/// Commands for the current device's network, and for showing each request.
struct NetworkCommands {
    let session: CloudSession

    var commands: [CommandSpec] {
        [
            network("on", "let this device reach the server again", isOn: true),
            network("off", "take this device off line, as in an airplane", isOn: false),
            .toggle(
                "monitor", group: "Shell",
                "show every request as it is answered; at a terminal, above the line"
            ) { [session] runner, isOn in
                session.watchRequests(isOn ? session.environment.tell : nil, isJSON: runner.isJSON)
            },
        ]
    }

    private func network(_ word: String, _ summary: String, isOn: Bool) -> CommandSpec {
        CommandSpec(["network", word], group: "Sync", summary: summary, examples: ["network \(word)"]) { _ in
            .work {
                let device = await session.whereabouts.device
                session.server.network.set(device, isOffline: !isOn)
                return Answer.talk("\(device) is \(word) line", facts: [Field("online", .flag(isOn))])
            }
        }
    }
}
