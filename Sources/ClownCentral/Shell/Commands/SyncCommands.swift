import CloudSync
import CloudletShell
import CommandShell
import Foundation
import LocalReplica

/// The commands that sync personal data, show its pending changes and conflicts, and undo a deletion.
struct SyncCommands {
    let app: AppSession

    private static let group = "Sync"

    var commands: [CommandSpec] { [start, stop, wake, resume, reset, sync, pending, conflicts, undo] }

    private var sync: CommandSpec {
        CommandSpec(
            ["sync"],
            group: Self.group,
            summary: "sync this device with the cloud: send, merge, fetch",
            flags: [
                FlagSpec(
                    "wait", "", .nothing, "wait if the server asks for it, until all changes are synced"),
                FlagSpec("say", "", .nothing, "print each step"),
            ],
            details: """
                Without --wait, the sync does everything that needs no waiting, and the answer says what \
                remains and why.
                Changes of two devices are merged. `conflicts` shows the merged changes.
                """,
            examples: ["sync", "sync --wait"]
        ) { arguments in
            let (waits, says) = (arguments.has("wait"), arguments.has("say"))
            return .work { try await sync(waits: waits, says: says) }
        }
    }

    private func sync(waits: Bool, says: Bool) async throws -> Answer {
        let data = try await app.personalData()
        try await app.cloud.completeSignIn()
        let (environment, clock) = (app.environment, app.cloud.clock)
        data.listen { status in
            let line = ProgressLine(status, now: clock.now)
            let count = status.activity == .working ? line.map { "; \($0.count) in all" } : nil
            if says { environment.message("\(status.why)\(count ?? "")\n") }
            environment.progress?(line)
        }
        defer { data.listen(nil) }
        await data.accountChanged()
        defer { environment.progress?(nil) }
        var status = try await data.syncOnce()
        var total = status.progress
        while waits, status.activity == .waiting, let until = status.until {
            environment.message("\(status.why); waiting\n")
            try await clock.wait(.seconds(max(0, until.timeIntervalSince(clock.now))))
            status = try await data.syncOnce()
            total.sent += status.progress.sent
            total.fetched += status.progress.fetched
            total.merged += status.progress.merged
        }
        let pending = try await data.pendingChanges()
        let problem = await app.accountProblem(in: status)
        if let problem { status.why = problem }
        var answer = Answer.synced(status, total, pending: pending, now: clock.now)
        if status.accountProblem == .nobody, let person = await app.cloud.context.person {
            let remedy = "as \(person), to sign in again; with a password: sign-in \(person)"
            for index in answer.failures.indices { answer.failures[index].remedy = remedy }
        }
        if let error = data.automaticSyncError {
            answer.notes.append("the automatic sync has ended: \(error); start it again: sync start")
        }
        return answer
    }

    private var start: CommandSpec {
        CommandSpec(
            ["sync", "start"],
            group: Self.group,
            summary: "sync automatically, after every edit and every push",
            details: """
                Pushes wake the app only if all their settings are set: see `push check`. The answer names a \
                missing one; the background mode only once, because an app in the foreground does not need it.
                """,
            examples: ["sync start"]
        ) { _ in
            .work {
                try await app.personalData().start(with: app.syncRunner)
                var answer = Answer.message("\(await app.cloud.context.device) syncs automatically")
                let file = "\(ClownCentralApp.names.name).conf"
                if let missing = await app.cloud.missingPushSetting(file: file) {
                    answer.notes.append(missing)
                }
                return answer
            }
        }
    }

    private var stop: CommandSpec {
        CommandSpec(
            ["sync", "stop"],
            group: Self.group,
            summary: "sync only by the command `sync`",
            examples: ["sync stop"]
        ) { _ in
            .work {
                await (try await app.personalData()).stop()
                return Answer.message("\(await app.cloud.context.device) syncs only by the command `sync`")
            }
        }
    }

    private var wake: CommandSpec {
        CommandSpec(
            ["sync", "wake"],
            group: Self.group,
            summary: "wait for a push, and fetch as the app does when the push wakes it",
            details: """
                The app has 30 seconds and asks for 60 more. It reports newData, noData or failed to the \
                system.
                """,
            examples: ["sync wake"]
        ) { _ in
            .work {
                let data = try await app.personalData()
                try await app.cloud.completeSignIn()
                try await app.cloud.checkWaking()
                guard let result = await data.answerNextPush() else { throw CancellationError() }
                return Answer.message(
                    "a push woke the app on \(await app.cloud.context.device): \(result)",
                    facts: [AnswerField("result", .text("\(result)"))])
            }
        }
    }

    private var resume: CommandSpec {
        CommandSpec(
            ["sync", "resume"],
            group: Self.group,
            summary: "use a zone again after you deleted its data in the settings",
            arguments: [ArgumentSpec("ZONE", .zone)],
            examples: ["sync resume Notes"]
        ) { arguments in
            let zone = try arguments.name("ZONE")
            return .work {
                try await app.personalData().resume(zone)
                return Answer.message("\(zone) is used again", facts: [AnswerField("zone", .text(zone))])
            }
        }
    }

    private var reset: CommandSpec {
        CommandSpec(
            ["sync", "reset"],
            group: Self.group,
            summary: "send all data to a server that does not know it, or delete the data of this device",
            flags: [
                FlagSpec(
                    "send-all", "", .nothing, "keep the data of this device and send all of it as your data"),
                FlagSpec("forget", "", .nothing, "delete the data of this device, including unsent changes"),
                FlagSpec("yes", "", .nothing, "do not ask"),
            ],
            details: """
                Give one of --send-all and --forget. --send-all is for a server that is new or has lost its \
                data; it never sends the data of another person, and no shares: share these notes again. \
                --forget needs no server; the next sync fetches the server's data. With unsent changes, a \
                script needs --yes.
                """,
            examples: ["sync reset --send-all", "sync reset --forget --yes"]
        ) { arguments in
            let (sends, forgets) = (arguments.has("send-all"), arguments.has("forget"))
            guard sends != forgets else {
                throw ShellError.usage(
                    "`sync reset` takes one of --send-all and --forget", remedy: "help sync reset")
            }
            let isSure = arguments.has("yes")
            return .work { try await sends ? resendAllRecords() : deleteLocalData(isSure: isSure) }
        }
    }

    private func resendAllRecords() async throws -> Answer {
        let data = try await app.personalData()
        let shares = try await data.resendAllRecords()
        let count = try await data.pendingChanges().count
        var answer = Answer.message(
            "\(Answer.counted(count, "record")) will be sent by the next sync",
            facts: [AnswerField("pending", .count(count)), AnswerField("unsentShares", .count(shares))])
        if shares > 0 {
            answer.notes.append(
                "\(Answer.counted(shares, "share")) of the old server cannot be sent: "
                    + "share the notes again after the sync, with `share add`")
        }
        return answer
    }

    private func deleteLocalData(isSure: Bool) async throws -> Answer {
        let context = await app.cloud.context
        let data = try await app.personalData()
        let unsent = try await data.pendingChanges().count
        let changes = Answer.counted(unsent, "unsent change")
        let question = "delete all notes, receipts and posts on \(context.device), with \(changes)?"
        let environment = app.environment
        let isConfirmed =
            try unsent == 0
            ? environment.isConfirmed(question, isSure: isSure)
            : environment.isLossConfirmed(
                question, isSure: isSure, loss: changes, command: "sync reset --forget --yes")
        guard isConfirmed else { return Answer.message("nothing was deleted") }
        try await data.deleteLocalData()
        return Answer.message(
            "\(context.device) has no notes, receipts or posts; the next sync fetches those of the server",
            facts: [AnswerField("pending", .count(0))])
    }

    private var pending: CommandSpec {
        CommandSpec(
            ["pending"],
            group: Self.group,
            summary: "show the changes that are not sent yet",
            examples: ["pending"]
        ) { _ in
            .work {
                let data = try await app.personalData()
                let changes = try await data.pendingChanges()
                var answer = Answer.pending(changes)
                let status = await data.sync.status
                if status.activity == .blocked {
                    let why = await app.accountProblem(in: status) ?? status.why
                    answer.notes.append("sync is blocked: \(why)")
                } else if let why = data.unknownOwner.why {
                    answer.notes.append("the last sync was blocked: \(why)")
                }
                return answer
            }
        }
    }

    private var conflicts: CommandSpec {
        CommandSpec(
            ["conflicts"],
            group: Self.group,
            summary: "show the conflicts between devices and their results",
            flags: [FlagSpec("forget", "", .nothing, "delete the list afterwards")],
            examples: ["conflicts"]
        ) { arguments in
            let forgets = arguments.has("forget")
            return .work {
                let data = try await app.personalData()
                let conflicts = try await data.conflicts()
                if forgets { try await data.forgetConflicts() }
                return Answer.conflicts(conflicts)
            }
        }
    }

    private var undo: CommandSpec {
        CommandSpec(
            ["undo"],
            group: Self.group,
            summary: "restore the records that were deleted last",
            details:
                "Only the last deletion can be undone, and only until this shell ends.",
            examples: ["undo"]
        ) { _ in
            .work { try await undo() }
        }
    }

    private func undo() async throws -> Answer {
        guard let undo = await app.undo else {
            throw ShellError(code: "nothingToUndo", message: "there is no deletion to undo")
        }
        let count = try await undo.restore()
        await app.setUndo(nil)
        let facts = [AnswerField("restored", .count(count)), AnswerField("takenOver", .count(undo.others))]
        guard undo.others > 0 else { return Answer.message("restored \(undo.subject)", facts: facts) }
        return Answer.message(
            "restored \(undo.subject); you are now the creator of "
                + "\(Answer.counted(undo.others, "record")) of other people", facts: facts)
    }
}

extension ProgressLine {
    /// The progress of a sync at the time `now`; nil before anything was sent or fetched.
    init?(_ status: SyncStatus, now: Date) {
        let progress = status.progress
        let seconds = progress.began.map { now.timeIntervalSince($0) } ?? 0
        if progress.fetched > 0 {
            self.init(
                done: progress.fetched, total: progress.toFetch.map { progress.fetched + $0 },
                verb: "fetched", seconds: seconds)
        } else if progress.toSend + progress.sent > 0 {
            self.init(
                done: progress.sent, total: progress.sent + progress.toSend, verb: "sent", seconds: seconds)
        } else {
            return nil
        }
    }
}
