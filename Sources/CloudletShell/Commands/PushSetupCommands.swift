import Cloudlet
import CommandShell

/// Commands for the settings that pushes need, and for the state of the app on a device.
struct PushSetupCommands {
    let session: CloudSession
    let names: ProgramNames

    private static let group = "Pushes"

    var commands: [CommandSpec] { [check, setup, allow] + [false, true].map(move) }

    /// `on` or `off`.
    private enum Setting: String, CaseIterable {
        case on, off
    }

    private var check: CommandSpec {
        CommandSpec(
            ["push", "check"],
            group: Self.group,
            summary: "show the settings that pushes need on this device, and the next step for each",
            details: """
                The capability, the environment and the background mode are settings of the project's file \
                \(names.name).conf; the person allows notifications. Silent pushes need no permission.
                """,
            examples: ["push check"]
        ) { _ in
            .work {
                let context = await session.context
                return Answer.pushSettings(
                    session.pushSetup, await session.pushDevice, in: context.place.environment,
                    file: "\(names.name).conf")
            }
        }
    }

    private var setup: CommandSpec {
        CommandSpec(
            ["push", "setup"],
            group: Self.group,
            summary: "change the settings of the app that pushes need, for this shell",
            flags: [
                FlagSpec("capability", "on|off", .choice(["on", "off"]), "as `push` in the project's file"),
                FlagSpec(
                    "environment", "NAME", .choice(CloudConnection.Environment.allCases.map(\.rawValue)),
                    "as `push-environment` in the project's file"),
                FlagSpec(
                    "background-mode", "on|off", .choice(["on", "off"]),
                    "as `background-modes = remote-notification` in the project's file"),
            ],
            details: "The project's file \(names.name).conf sets them permanently. `push check` shows them.",
            examples: ["push setup --background-mode on", "push setup --environment production"]
        ) { arguments in
            let capability: Setting? = try arguments.choice("capability")
            let environment: CloudConnection.Environment? = try arguments.choice("environment")
            let background: Setting? = try arguments.choice("background-mode")
            if capability == nil, environment == nil, background == nil {
                throw ShellError.usage(
                    "`push setup` takes at least one setting, such as --background-mode on",
                    remedy: "push check")
            }
            return .work {
                session.changePushSetup { setup in
                    if let capability { setup.hasCapability = capability == .on }
                    if let environment { setup.environment = environment }
                    if let background { setup.hasBackgroundMode = background == .on }
                }
                return Answer.message("the settings for pushes are changed for this shell; see: push check")
            }
        }
    }

    private var allow: CommandSpec {
        let kinds = NotificationKind.allCases.map(\.rawValue)
        return CommandSpec(
            ["push", "allow"],
            group: Self.group,
            summary: "decide, as the person, which notifications the app may show on this device",
            arguments: [ArgumentSpec("KIND", .choice(kinds + ["none"]), .many)],
            details: "Kinds that are not named are forbidden. Silent pushes need no permission.",
            examples: ["push allow badge", "push allow alert badge sound", "push allow none"]
        ) { arguments in
            let allowed = try arguments.words(from: "KIND").compactMap { word -> NotificationKind? in
                if let kind = NotificationKind(rawValue: word.text) { return kind }
                if word.text == "none", arguments.positions.count == 1 { return nil }
                throw ShellError.usage(
                    "KIND is \(kinds.joined(separator: ", ")), or none alone", at: word.range)
            }
            return .work {
                await session.changePushDevice { $0.allowed = Set(allowed) }
                let names = NotificationKind.allCases.filter { allowed.contains($0) }.map(\.rawValue)
                let device = await session.context.device
                let words = names.isEmpty ? "nothing" : names.joined(separator: ", ")
                return Answer.message(
                    "the app may show on \(device): \(words)", facts: [AnswerField("allowed", .texts(names))])
            }
        }
    }

    private func move(toBackground isInBackground: Bool) -> CommandSpec {
        let word = isInBackground ? "background" : "foreground"
        return CommandSpec(
            ["app", word],
            group: "Apps",
            summary: isInBackground
                ? "put the app on this device in the background, where the system decides about pushes"
                : "bring the app on this device to the front, where it gets every push",
            details: """
                In the background, silent pushes wake the app only with the background mode \
                remote-notification; the system shows other pushes if the person allows them.
                """,
            examples: ["app \(word)"]
        ) { _ in
            .work {
                await session.changePushDevice { $0.isInBackground = isInBackground }
                let device = await session.context.device
                return Answer.message(
                    "the app on \(device) is in the \(word)",
                    facts: [
                        AnswerField("device", .text(device)),
                        AnswerField("inBackground", .flag(isInBackground)),
                    ])
            }
        }
    }
}

extension Answer {
    /// Lists the settings that pushes need, each with its value, and with the next step if it is missing.
    fileprivate static func pushSettings(
        _ setup: PushSetup, _ device: PushDevice, in place: CloudConnection.Environment, file: String
    ) -> Answer {
        func line(_ setting: String, _ value: String) -> String { PushSetup.advice(setting, value, file) }
        let environment = setup.environment ?? place
        let forbidden = NotificationKind.allCases.filter { !device.allowed.contains($0) }.map(\.rawValue)
        let allowed = NotificationKind.allCases.filter { device.allowed.contains($0) }.map(\.rawValue)
        let settings: [(name: String, value: String, isSet: Bool, next: String, effect: String)] = [
            (
                "capability", setup.hasCapability ? "on" : "off", setup.hasCapability,
                line(PushSetup.Key.capability, "on"), "no device can register for pushes"
            ),
            (
                "environment", environment.rawValue, environment == place,
                line(PushSetup.Key.environment, place.rawValue),
                "nothing arrives, because the container is in \(place.rawValue)"
            ),
            (
                "background-mode", setup.hasBackgroundMode ? PushSetup.Key.remoteNotification : "none",
                setup.hasBackgroundMode,
                line(PushSetup.Key.background, PushSetup.Key.remoteNotification),
                "silent pushes do not wake the app in the background"
            ),
            (
                "notifications", allowed.isEmpty ? "none" : allowed.joined(separator: ", "),
                forbidden.isEmpty, "push allow alert badge sound",
                "not shown: \(forbidden.joined(separator: ", ")); silent pushes need no permission"
            ),
        ]
        let missing = settings.filter { !$0.isSet }
        let entries = settings.map { item in
            Entry([
                AnswerField("switch", .text(item.name)), AnswerField("value", .text(item.value)),
                AnswerField("set", .flag(item.isSet)),
                AnswerField("effect", item.isSet ? .missing : .text(item.effect)),
                AnswerField("next", item.isSet ? .missing : .text(item.next)),
            ])
        }
        return Answer(
            form: .list, entries: entries,
            columns: [
                Column("SETTING", "switch"), Column("VALUE", "value"), Column("SET", "set"),
                Column("EFFECT", "effect", isWrapped: true), Column("NEXT", "next", isWrapped: true),
            ],
            facts: [AnswerField("missing", .count(missing.count))],
            notes: [
                missing.isEmpty
                    ? "all \(settings.count) settings are set"
                    : "\(missing.count) of \(settings.count) settings "
                        + (missing.count == 1 ? "is missing" : "are missing")
            ])
    }
}
