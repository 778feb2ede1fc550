// Owns the description of the commands about subscriptions and pushes.
import Foundation

extension CommandTable {
    static let pushCommands = [
        followParties, followRecords, followZone, followEverything, subscriptions, unsubscribe, pushListen,
        pushNext, pushStop, pushTrace, notifications, requests,
    ]

    private static let group = "Pushes"

    private static let silent = FlagSpec("silent", "", .nothing, "wake the app, and show nothing")
    private static let badge = FlagSpec("badge", "", .nothing, "add one to the number on the app's icon")
    private static let text = FlagSpec("text", "TEXT", .text, "what the push says")

    private static func style(_ arguments: ParsedArguments) -> PushStyle {
        PushStyle(
            text: arguments.text("text"), raisesBadge: arguments.has("badge"),
            isSilent: arguments.has("silent"))
    }

    private static let followParties = CommandSpec(
        path: ["subscribe", "parties"],
        group: group,
        summary: "be told when a party is created",
        flags: [
            FlagSpec("future", "", .nothing, "only of parties that start after this moment"),
            FlagSpec("once", "", .nothing, "of the first one only"), text, badge, silent,
        ],
        details:
            "The server asks the question after every save, so that no device has to ask again and again.",
        examples: ["subscribe parties --future --text 'Party time'"],
        build: { arguments in
            .push(
                .followParties(
                    isFuture: arguments.has("future"), once: arguments.has("once"), style(arguments)))
        }
    )

    private static let followRecords = CommandSpec(
        path: ["subscribe", "records"],
        group: group,
        summary: "be told when a public record of a type is created or changed",
        arguments: [ArgumentSpec("TYPE", .recordType)],
        flags: [
            FlagSpec("above", "FIELD=N", .text, "only when the number in the field is greater than N"), text,
            badge, silent,
        ],
        examples: ["subscribe records Receipt --above total=100 --text 'A large receipt' --badge"],
        build: { arguments in
            let bound = try arguments.flags["above"].map(bound)
            return .push(
                .followRecords(type: try arguments.name("TYPE"), above: bound, style(arguments)))
        }
    )

    private static func bound(_ word: Word) throws -> SubscriptionRepository.Bound {
        let parts = word.text.split(separator: "=", maxSplits: 1).map(String.init)
        guard parts.count == 2, let number = Int64(parts[1]),
            parts[0].wholeMatch(of: /[A-Za-z][A-Za-z0-9_]*/) != nil
        else { throw Complaint.usage("--above takes a field and a whole number: total=100", at: word.range) }
        return SubscriptionRepository.Bound(field: parts[0], number: number)
    }

    private static let followZone = CommandSpec(
        path: ["subscribe", "zone"],
        group: group,
        summary: "be told when anything in a zone changes",
        arguments: [ArgumentSpec("ZONE", .zone)],
        flags: [text, badge, silent],
        examples: ["subscribe zone Jokes --silent"],
        build: { .push(.followZone(try $0.name("ZONE"), style($0))) }
    )

    private static let followEverything = CommandSpec(
        path: ["subscribe", "everything"],
        group: group,
        summary: "be told when anything in any zone changes, in later ones too",
        flags: [text, badge, silent],
        examples: ["subscribe everything --silent"],
        build: { .push(.followEverything(style($0))) }
    )

    private static let subscriptions = CommandSpec(
        path: ["subscriptions"],
        group: group,
        summary: "list what this person is told of",
        examples: ["subscriptions"],
        build: { _ in .push(.subscriptions) }
    )

    private static let unsubscribe = CommandSpec(
        path: ["unsubscribe"],
        group: group,
        summary: "end a subscription",
        arguments: [ArgumentSpec("ID", .subscription)],
        examples: ["unsubscribe parties"],
        build: { .push(.end(id: try $0.name("ID"))) }
    )

    private static let pushListen = CommandSpec(
        path: ["push", "listen"],
        group: group,
        summary: "let pushes arrive on this device; at a terminal they show above the line",
        examples: ["push listen"],
        build: { _ in .push(.listen) }
    )

    private static let pushNext = CommandSpec(
        path: ["push", "next"],
        group: group,
        summary: "show the oldest push that arrived on this device, or wait for one",
        examples: ["push next"],
        build: { _ in .push(.next) }
    )

    private static let pushStop = CommandSpec(
        path: ["push", "stop"],
        group: group,
        summary: "let no pushes arrive any more, as in airplane mode: the latest is kept for later",
        examples: ["push stop"],
        build: { _ in .push(.stop) }
    )

    private static let pushTrace = CommandSpec(
        path: ["push", "trace"],
        group: group,
        summary: "show what became of the last pushes to this person, and why",
        details: "Development servers only.",
        examples: ["push trace"],
        build: { _ in .push(.trace) }
    )

    private static let requests = CommandSpec(
        path: ["requests"],
        group: group,
        summary: "show how many requests this shell has sent since it was last asked: what polling costs",
        examples: ["requests"],
        build: { _ in .push(.requests) }
    )

    private static let notifications = CommandSpec(
        path: ["notifications"],
        group: group,
        summary: "fetch what this person was told since this device fetched last, arrived or not",
        flags: [FlagSpec("read", "", .nothing, "mark them as read, which the other devices are told")],
        examples: ["notifications", "notifications --read"],
        build: { .push(.notifications(isRead: $0.has("read"))) }
    )
}
