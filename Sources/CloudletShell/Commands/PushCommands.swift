import Cloudlet
public import CommandShell
import Foundation

/// Commands for subscriptions, and for the pushes that arrive on devices.
struct PushCommands {
    let session: CloudSession
    let names: ProgramNames

    private static let group = "Pushes"
    /// How long a script waits for a push, in seconds.
    private static let longestWait: TimeInterval = 60

    var commands: [CommandSpec] {
        [
            followRecords, followZone, followEverything, followShared, subscriptions, unsubscribe, listen,
        ].needingAccount()
            + [next, stop, trace, notifications.needingAccount(), requests]
            + PushSetupCommands(session: session, names: names).commands
    }

    private var repository: Subscriptions {
        get async { Subscriptions(container: await session.container) }
    }

    // MARK: Subscriptions

    private var followRecords: CommandSpec {
        CommandSpec(
            ["subscribe", "records"],
            group: Self.group,
            summary: "get pushes when a record of a type is created or changed",
            arguments: [ArgumentSpec("TYPE", .recordType)],
            flags: [
                FlagSpec("above", "FIELD=N", .text, "only when the number in the field is greater than N"),
                RecordCommands.zone,
            ] + PushStyle.flags,
            details: "Each bound is a subscription of its own, so that several can be followed at once.",
            examples: [
                "subscribe records Order --above total=100 --text 'A large order' --badge",
                "subscribe records Receipt --zone Receipts --above amount=100 --silent",
            ]
        ) { arguments in
            let bound = try arguments.flags["above"].map(Self.bound)
            let (type, style) = (try arguments.name("TYPE"), PushStyle(arguments))
            let named = arguments.text("zone")
            return .work {
                var zone = named
                if zone == nil { zone = await session.zone }
                return .subscribed(try await repository.followRecords(type, in: zone, above: bound, style))
            }
        }
    }

    private static func bound(_ word: Word) throws -> Subscriptions.Bound {
        let parts = word.text.split(separator: "=", maxSplits: 1).map(String.init)
        guard parts.count == 2, let number = Int64(parts[1]),
            parts[0].wholeMatch(of: /[A-Za-z][A-Za-z0-9_]*/) != nil
        else { throw ShellError.usage("--above takes a field and a whole number: total=100", at: word.range) }
        return Subscriptions.Bound(field: parts[0], number: number)
    }

    private var followZone: CommandSpec {
        CommandSpec(
            ["subscribe", "zone"],
            group: Self.group,
            summary: "get pushes when a record in a zone changes",
            arguments: [ArgumentSpec("ZONE", .zone)],
            flags: PushStyle.flags,
            examples: ["subscribe zone Jokes --silent"]
        ) { arguments in
            let (zone, style) = (try arguments.name("ZONE"), PushStyle(arguments))
            return .work { .subscribed(try await repository.followZone(zone, style)) }
        }
    }

    private var followEverything: CommandSpec {
        CommandSpec(
            ["subscribe", "everything"],
            group: Self.group,
            summary: "get pushes when a record in any zone changes, also in new zones",
            flags: PushStyle.flags,
            examples: ["subscribe everything --silent"]
        ) { arguments in
            let style = PushStyle(arguments)
            return .work { .subscribed(try await repository.followEverything(style)) }
        }
    }

    private var followShared: CommandSpec {
        CommandSpec(
            ["subscribe", "shared"],
            group: Self.group,
            summary: "get pushes when something changes that other people share with you",
            flags: PushStyle.flags,
            examples: ["subscribe shared --silent"]
        ) { arguments in
            let style = PushStyle(arguments)
            return .work { .subscribed(try await repository.followShared(style)) }
        }
    }

    private var subscriptions: CommandSpec {
        CommandSpec(
            ["subscriptions"],
            group: Self.group,
            summary: "list this person's subscriptions",
            examples: ["subscriptions"]
        ) { _ in
            .work { Answer.subscriptions(try await repository.all()) }
        }
    }

    private var unsubscribe: CommandSpec {
        CommandSpec(
            ["unsubscribe"],
            group: Self.group,
            summary: "delete a subscription",
            arguments: [ArgumentSpec("ID", .subscription)],
            examples: ["unsubscribe everything"]
        ) { arguments in
            let id = try arguments.name("ID")
            return .work {
                try await repository.delete(id)
                return Answer.message(
                    "unsubscribed from \(id)", facts: [AnswerField("subscription", .text(id))])
            }
        }
    }

    // MARK: Receiving pushes

    private var listen: CommandSpec {
        CommandSpec(
            ["push", "listen"],
            group: Self.group,
            summary: "receive pushes on this device; at a terminal they appear above the prompt",
            examples: ["push listen"]
        ) { _ in
            .work {
                let device = await session.context.device
                try await session.checkPushRegistration()
                let limit = session.environment.limitPause.map { wait in
                    { @Sendable in try await wait(Self.longestWait) }
                }
                guard await session.inbox().waitUntilConnected(within: limit) else {
                    try Task.checkCancellation()
                    throw ShellError(
                        code: "notConnected",
                        message: "\(device) has no connection for pushes after "
                            + "\(Int(Self.longestWait)) seconds",
                        remedy: "status")
                }
                return Answer.message(
                    "pushes arrive on \(device)", facts: [AnswerField("device", .text(device))])
            }
        }
    }

    private var next: CommandSpec {
        CommandSpec(
            ["push", "next"],
            group: Self.group,
            summary: "show the oldest push that arrived on this device, or wait for one",
            details: """
                `outcome` says what the device did: `delivered` to the app, `shown` to the person, or \
                `withheld` from both for the `reason`. A script waits for at most a minute.
                """,
            examples: ["push next"]
        ) { _ in
            .work {
                try await session.checkPushArrival()
                let inbox = await session.inbox()
                // Only at a prompt: the output of a script must not contain the note.
                let isAtPrompt = session.environment.announcer.hasListener
                if inbox.unreadCount == 0, isAtPrompt {
                    session.environment.message("waiting for a push; Ctrl-C ends the wait\n")
                }
                let pause = isAtPrompt ? nil : session.environment.limitPause
                let limit = pause.map { wait in { @Sendable in try await wait(Self.longestWait) } }
                guard let arrived = await inbox.next(within: limit) else {
                    if Task.isCancelled { throw CancellationError() }
                    throw ShellError(
                        code: "noPush", message: "no push arrived within \(Int(Self.longestWait)) seconds",
                        remedy: "push trace")
                }
                return Answer(form: .record, entries: [Answer.entry(for: arrived)])
            }
        }
    }

    private var stop: CommandSpec {
        CommandSpec(
            ["push", "stop"],
            group: Self.group,
            summary: "stop receiving pushes, as in airplane mode; the server keeps the latest one",
            examples: ["push stop"]
        ) { _ in
            .work {
                await session.removeInbox()?.stop()
                try await session.container.leavePushes()
                return Answer.message("no pushes arrive on \(await session.context.device)")
            }
        }
    }

    private var trace: CommandSpec {
        CommandSpec(
            ["push", "trace"],
            group: Self.group,
            summary: "show the delivery of the last pushes to this person, with the reasons",
            details: "Development servers only.",
            examples: ["push trace"]
        ) { _ in
            .work {
                let user = try await session.container.userRecordID().recordName
                return Answer.pushTrace(try await session.server.pushTrace(of: user))
            }
        }
    }

    private var requests: CommandSpec {
        CommandSpec(
            ["requests"],
            group: Self.group,
            summary:
                "show how many requests this shell has sent since the last call, for example by polling",
            examples: ["requests"]
        ) { _ in
            .work {
                let sent = await session.countRequests()
                return Answer.message(
                    Answer.counted(sent, "request"), facts: [AnswerField("requests", .count(sent))])
            }
        }
    }

    private var notifications: CommandSpec {
        CommandSpec(
            ["notifications"],
            group: Self.group,
            summary: "fetch this person's new notifications, whether their pushes arrived or not",
            flags: [FlagSpec("read", "", .nothing, "mark them as read, and notify the other devices")],
            examples: ["notifications", "notifications --read"]
        ) { arguments in
            let isRead = arguments.has("read")
            return .work { try await notifications(isRead: isRead) }
        }
    }

    private func notifications(isRead: Bool) async throws -> Answer {
        let (repository, key) = (await repository, await session.context.key)
        let found = try await repository.notifications(since: await session.notificationTokens[key])
        var answer = Answer.notifications(found.notifications)
        if isRead {
            var ids: [CKNotification.ID] = []
            for id in found.notifications.compactMap(\.notificationID) where !ids.contains(id) {
                ids.append(id)
            }
            let count = try await repository.markRead(ids)
            answer.notes = ["marked \(Answer.counted(count, "notification")) as read"]
        }
        // The token is kept last: if marking fails, the next call shows these notifications again.
        await session.keep(notificationToken: found.token, of: key)
        return answer
    }
}

extension Answer {
    /// The answer after a subscription was saved.
    public static func subscribed(_ id: String) -> Answer {
        Answer.message("subscribed: \(id)", facts: [AnswerField("subscription", .text(id))])
    }
}
