import Cloudlet
import CommandShell

/// Commands that report how the program uses its server.
struct AuditCommands {
    let session: CloudSession

    private static let group = "Operations"
    private static let forget = FlagSpec("forget", "", .nothing, "reset the counts")

    var commands: [CommandSpec] { [stats, checklist, storageList] }

    private var stats: CommandSpec {
        CommandSpec(
            ["stats"],
            group: Self.group,
            summary:
                "show the requests of this shell by endpoint: number, failures, size",
            flags: [FlagSpec("plain", "", .nothing, "numbers only, without bars"), Self.forget],
            examples: ["stats", "stats --plain"]
        ) { arguments in
            let (isPlain, forgets) = (arguments.has("plain"), arguments.has("forget"))
            return .work {
                Answer.stats(session.requests.counts(resetting: forgets), isPlain: isPlain)
            }
        }
    }

    private var checklist: CommandSpec {
        CommandSpec(
            ["checklist"],
            group: Self.group,
            summary: "check the requests of this shell against a list of good practices",
            flags: [Self.forget],
            details: """
                The practices: handled errors, a quality of service for every operation, a schema without
                lists of references and big values, batches instead of loops, saves that compare versions,
                queries with fields and a limit, and pushes instead of polling. An error code counts as
                handled unless the same request was sent again and received it again.
                """,
            examples: ["checklist", "checklist --forget"]
        ) { arguments in
            let forgets = arguments.has("forget")
            return .work { Answer.checklist(session.requests.counts(resetting: forgets)) }
        }
    }

    private var storageList: CommandSpec {
        CommandSpec(
            ["storage"],
            group: Self.group,
            summary: "show who pays for stored data: the app for public data, each person for private data",
            details: ContainerCommands.operatorKeyHelp,
            examples: ["storage"]
        ) { _ in
            .work { try await storage() }
        }
    }

    private func storage() async throws -> Answer {
        let (context, server) = (await session.context, session.server)
        let files = try await server.assetFileCount(in: context.place.container)
        var entries = [
            Entry([
                AnswerField("data", .text("public")), AnswerField("paidBy", .text("the app")),
                AnswerField("files", files.map(Value.count) ?? .missing),
            ])
        ]
        if let account = context.account {
            let person = account.person
            let data = try await server.privateData(
                of: person, in: context.place.container, token: account.session.webAuthToken)
            let limit = data.limit
            entries.append(
                Entry([
                    AnswerField("data", .text("private")), AnswerField("paidBy", .text(person)),
                    AnswerField("files", .missing), AnswerField("used", .bytes(data.bytes)),
                    AnswerField("limit", limit.map(Value.bytes) ?? .missing),
                    AnswerField("full", limit.map { .share(Double(data.bytes) / Double($0)) } ?? .missing),
                ]))
        }
        return Answer(
            form: .list, entries: entries,
            columns: [
                Column("DATA", "data"), Column("PAID BY", "paidBy"), Column("FILES", "files"),
                Column("USED", "used"), Column("LIMIT", "limit"), Column("FULL", "full"),
            ])
    }
}
