import CloudSync
import CommandShell
import Foundation
import LocalReplica

/// The commands for sign-in, sync, pending changes and conflicts.
struct SyncCommands: Sendable {
    let device: Device
    let environment: ShellEnvironment

    var commands: [CommandSpec] {
        [
            signIn,
            command("sign-out", "sign out; the data stays on this device", signOut),
            command("sync", "sync this device with the server", sync),
            command("status", "show the state of this device's sync", status),
            command("pending", "show unsent and refused changes", pending),
            command("conflicts", "show the conflicts between devices and their results", conflicts),
            command("resume", "sync again after the person deleted the app's data on the server", resume),
            reset,
        ]
    }

    private func command(
        _ name: String, _ summary: String, _ work: @escaping @Sendable () async throws -> Answer
    ) -> CommandSpec {
        CommandSpec([name], group: "Server", summary: summary, examples: [name]) { _ in .work(work) }
    }

    private var signIn: CommandSpec {
        CommandSpec(
            ["sign-in"], group: "Server", summary: "sign in, with a password if the account has one",
            arguments: [ArgumentSpec("NAME", .text)],
            flags: [FlagSpec("password-file", "FILE", .file, "read the password from the file's first line")],
            examples: ["sign-in alice"]
        ) { arguments in
            let (name, file) = (try arguments.name("NAME"), arguments.flags["password-file"])
            return .work {
                let typed =
                    try file.map { try String(contentsOf: environment.file($0), encoding: .utf8) }
                    ?? environment.ask("password (Return if there is none): ", true)
                let password = typed?.split(separator: "\n").first.map(String.init)
                try await device.session.account.signIn(
                    as: name, password: password, to: device.cloud, staysSignedIn: true)
                try device.session.save()
                return .message("signed in as \(name)")
            }
        }
    }

    @Sendable private func signOut() throws -> Answer {
        device.session.account.signOut()
        try device.session.save()
        return .message("signed out")
    }

    @Sendable private func sync() async throws -> Answer {
        await device.sync.accountChanged()
        let status = try await device.syncOnce()
        guard status.activity == .idle else {
            throw ShellError(code: "notSynced", message: status.why, remedy: remedy(for: status))
        }
        let changes = try await device.repository.replica.read { try $0.pendingChanges() }
        guard changes.allSatisfy({ $0.refusal == nil }) else {
            throw ShellError(code: "refused", message: status.why, remedy: "pending")
        }
        let (progress, merged) = (status.progress, status.progress.merged)
        let conflicts = merged == 0 ? "" : "; \(Answer.counted(merged, "conflict")) merged: conflicts"
        return .message("synced: sent \(progress.sent), fetched \(progress.fetched)\(conflicts)")
    }

    private func remedy(for status: SyncStatus) -> String {
        switch status.accountProblem {
        case .nobody: "sign-in NAME"
        case .otherPerson: "sign-in NAME, with the name of the owner; or use another folder: --data"
        case .unknownOwner: "reset --send-all, to keep the data and send it; or reset --forget"
        case nil: "status"
        }
    }

    @Sendable private func status() async throws -> Answer {
        let status = await device.sync.status
        let count = try await device.repository.replica.read { try $0.pendingChanges().count }
        let fields = [
            AnswerField("signedIn", .flag(device.session.account.webAuthToken != nil)),
            AnswerField("state", .text("\(status.activity)")), AnswerField("why", .text(status.why)),
            AnswerField("pushes", .text("\(status.pushes)")), AnswerField("pending", .count(count)),
        ]
        return Answer(form: .record, entries: [Entry(fields)])
    }

    @Sendable private func pending() async throws -> Answer {
        let changes = try await device.repository.replica.read { try $0.pendingChanges() }
        let names = try await device.repository.names()
        let rows: [[Value]] = changes.map { change in
            [
                .text("\(change.kind)"), .text(change.type), .text(names[change.id.name] ?? change.id.name),
                Value(change.refusal),
            ]
        }
        return table(["change", "type", "name", "refused"], rows, "this device has no unsent changes")
    }

    @Sendable private func conflicts() async throws -> Answer {
        let conflicts = try await device.repository.replica.read { try $0.conflicts() }
        let names = try await device.repository.names()
        let rows: [[Value]] = conflicts.map { conflict in
            [
                .moment(conflict.date), .text(names[conflict.id.name] ?? conflict.id.name),
                .text(conflict.summary), .text(conflict.fields),
            ]
        }
        return table(["date", "name", "what", "fields"], rows, "there was no conflict")
    }

    @Sendable private func resume() async throws -> Answer {
        try await device.repository.replica.write { try $0.resume(Repository.zone) }
        return .message("the next sync sends what is saved from now on")
    }

    private var reset: CommandSpec {
        CommandSpec(
            ["reset"], group: "Server", summary: "send all data to a new server, or delete it here",
            flags: [
                FlagSpec("send-all", "", .nothing, "keep the data, and send all of it to a new server"),
                FlagSpec("forget", "", .nothing, "delete this device's data, including unsent changes"),
                FlagSpec("yes", "", .nothing, "do not ask"),
            ],
            examples: ["reset --send-all", "reset --forget --yes"]
        ) { arguments in
            let (forgets, isSure) = (arguments.has("forget"), arguments.has("yes"))
            guard forgets != arguments.has("send-all") else {
                throw ShellError.usage("`reset` takes one of --send-all and --forget", remedy: "help reset")
            }
            return .work { try await reset(forgets: forgets, isSure: isSure) }
        }
    }

    private func reset(forgets: Bool, isSure: Bool) async throws -> Answer {
        guard forgets else {
            try await device.sync.resendAllRecords()
            return .message("the next sync sends everything")
        }
        guard try environment.isConfirmed("delete all data on this device?", isSure: isSure) else {
            return .message("nothing was deleted")
        }
        try await device.deleteLocalData()
        return .message("this device has no data; the next sync fetches the server's data")
    }

    private func table(_ names: [String], _ rows: [[Value]], _ whenEmpty: String) -> Answer {
        Answer(
            form: .list, entries: rows.map { Entry(zip(names, $0).map { AnswerField($0, $1) }) },
            columns: names.map { Column($0.uppercased(), $0) }, whenEmpty: whenEmpty)
    }
}
