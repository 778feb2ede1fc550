import Cloudlet
import CommandShell
import Foundation
import Records
import RecordsWire

/// Commands that show the state of the server and the session, and that explain errors.
struct StateCommands {
    let session: CloudSession
    let refineStatus: @Sendable ([AnswerField]) async -> [AnswerField]

    private static let group = "Shell"

    var commands: [CommandSpec] { [explain, status, limits] }

    private var explain: CommandSpec {
        CommandSpec(
            ["explain"],
            group: Self.group,
            summary: "explain the last error as a tree, or an error code",
            arguments: [ArgumentSpec("CODE", .described(ErrorReference.candidates), .optional)],
            details: """
                Without a code: the error of the command that failed last, with the errors below it and
                the error of each item. In both cases: the cause, the remedy, and the fault that
                produces it here.
                """,
            examples: ["explain", "explain serverRecordChanged", "explain 14"]
        ) { arguments in
            let code = arguments.word("CODE")
            return .work { try await explain(code) }
        }
    }

    private var status: CommandSpec {
        CommandSpec(
            ["status"],
            aliases: ["whoami"],
            group: Self.group,
            summary:
                "show server, container, account, pending changes, limits and active faults",
            details: """
                `pending` counts the changes that this device has not sent yet. `privateData` is the size
                of the person's private data, and its limit. `clock` is the shift of the clock, if it was
                moved. Every limit: limits. Active faults show in the prompt, too.
                """,
            examples: ["status", "status --json"]
        ) { _ in
            .work { try await currentStatus() }
        }
    }

    private var limits: CommandSpec {
        CommandSpec(
            ["limits"],
            group: Self.group,
            summary:
                "show every limit that the server publishes: of requests, records, files, rates, data",
            examples: ["limits"]
        ) { _ in
            .work { try await publishedLimits() }
        }
    }

    // MARK: Errors

    private func explain(_ word: Word?) async throws -> Answer {
        if let word {
            guard let entry = ErrorReference(word.text) else { throw ErrorReference.unknown(word) }
            return Answer(form: .text(entry.text), facts: entry.facts)
        }
        let errors = await session.lastErrors
        guard !errors.isEmpty else { return Answer.message("there has been no error yet") }
        let texts = errors.map { error in
            let tree = error.tree ?? "\(error.code): \(error.message)"
            let remedy = error.remedy.map { "\n  here: \($0)" } ?? ""
            return ([tree + remedy] + ErrorReference.entries(in: error).map(\.text)).joined(
                separator: "\n\n")
        }
        let facts = errors.first.flatMap { ErrorReference($0.code)?.facts }
        return Answer(form: .text(texts.joined(separator: "\n\n")), facts: facts ?? [])
    }

    // MARK: Status

    private func currentStatus() async throws -> Answer {
        let (server, context) = (session.server, await session.context)
        let network = server.network.profile(of: context.device)
        var facts: ServerFacts?
        var files: Int?
        var account: CKAccountStatus?
        var privateData: Value?
        var isReached = true
        do {
            await session.storeFaults(try await knownFaults())
            facts = try await server.facts()
            files = try await server.assetFileCount(in: context.place.container)
            // An injected fault must not prevent the status command from showing it, and the command must not
            // wait a minute for a dead network.
            if network.reachesServer { account = try? await session.container.accountStatus() }
            privateData = await self.privateData(context)
        } catch let error as CloudTransportError where error.isWithoutServer && !server.isEmbedded {
            // Without the server, the status shows the rest.
            isReached = false
        }
        let fields = [
            AnswerField("container", .text(context.place.container)),
            AnswerField("environment", .text(context.place.environment.rawValue)),
            AnswerField("person", Value(context.person)),
            AnswerField("account", .text(account.map { "\($0)" } ?? "unknown")),
            AnswerField("device", .text(context.device)),
            AnswerField("online", .flag(isReached && network != .off)),
            AnswerField("network", .text(network.rawValue)),
            AnswerField("clock", Value(session.environment.clockShift.text.map { "+\($0)" })),
            AnswerField("database", .text(await session.database)),
            AnswerField("privateData", privateData ?? .missing),
            AnswerField("limits", facts.map { Self.mainLimits($0) } ?? .missing),
            AnswerField("faults", .texts(await session.faultMarks)),
            AnswerField("assetFiles", files.map(Value.count) ?? .missing),
            AnswerField("release", Value(facts?.software.map { "\($0.name) \($0.version)" })),
        ]
        var notes = ["server: \(serverDescription)\(isReached ? "" : ", which cannot be reached")"]
        if account == .noAccount, let person = context.person, await !session.isSignInPending {
            notes.append(
                "the server does not know the session of \(person), which has ended; "
                    + "sign in again: as \(person)")
        }
        return Answer(form: .record, entries: [Entry(await refineStatus(fields))], notes: notes)
    }

    /// The faults of the server; empty if the server does not allow faults.
    private func knownFaults() async throws -> [FaultsReport.Entry] {
        do {
            return try await session.server.faults()
        } catch is ShellError {
            return []
        }
    }

    /// The server in words. It is not part of the result, so that a script's answers do not depend on where
    /// it runs. The port is random, so it is omitted when a run must be exactly repeatable.
    private var serverDescription: String {
        let server = session.server
        guard server.isEmbedded, !session.environment.isClockFixed, let address = server.address else {
            return server.description
        }
        return "\(server.description), at \(address.absoluteString)"
    }

    /// The size of the person's private data, and its limit.
    private func privateData(_ context: CloudSession.Context) async -> Value? {
        guard let account = context.account,
            let data = try? await session.server.privateData(
                of: account.person, in: context.place.container, token: account.session.webAuthToken)
        else { return nil }
        let limit = data.limit.map { AnswerField("limit", .bytes($0)) }
        return .fields([AnswerField("used", .bytes(data.bytes))] + [limit].compactMap(\.self))
    }

    /// The limits that apps reach first.
    private static func mainLimits(_ facts: ServerFacts) -> Value {
        let names = ["operationsPerRequest", "recordsPerResponse", "recordBytes", "assetBytes"]
        let limits = names.map { name in
            AnswerField(name, facts.limit(name).map { value($0, of: name) } ?? .missing)
        }
        return .fields(limits + rates(facts).map { AnswerField($0, $1) })
    }

    /// A limit in the form for output. Limits in bytes have names that contain `Bytes`.
    private static func value(_ number: Int64, of limit: String) -> Value {
        limit.contains("Bytes") ? .bytes(Int(number)) : .count(Int(number))
    }

    private static func rates(_ facts: ServerFacts) -> [(name: String, value: Value)] {
        facts.rates.sorted { $0.scope < $1.scope }.map { rate in
            let requests = Answer.counted(rate.rate.requests, "request")
            return ("\(rate.scope)Rate", .text("\(requests) in \(rate.rate.seconds) s"))
        }
    }

    /// All limits that the server publishes.
    private func publishedLimits() async throws -> Answer {
        guard let facts = try await session.server.facts() else {
            throw ShellError(
                code: "notTold", message: "the server does not publish its limits",
                remedy: "ask its operator to update the server")
        }
        let limits = facts.limits.sorted { $0.name < $1.name }.map { limit in
            (name: limit.name, value: Self.value(limit.value, of: limit.name))
        }
        let quota = facts.quota.map(Self.numbers) ?? []
        return Answer(
            form: .list,
            entries: (limits + Self.rates(facts) + quota).map { name, value in Self.entry(name, value) },
            columns: [Column("LIMIT", "limit"), Column("VALUE", "value"), Column("DURATION", "duration")])
    }

    private static func entry(_ limit: String, _ value: Value) -> Entry {
        var fields = [AnswerField("limit", .text(limit)), AnswerField("value", value)]
        if let duration = duration(value, of: limit) {
            fields.append(AnswerField("duration", .text(duration)))
        }
        return Entry(fields)
    }

    /// A limit in seconds in larger units, such as `90d`. The names of such limits end in `Seconds`.
    private static func duration(_ value: Value, of limit: String) -> String? {
        guard limit.hasSuffix("Seconds"), case .count(let seconds) = value else { return nil }
        return ClockShift.text(seconds: seconds)
    }

    private static func numbers(of quota: QuotaRules) -> [(name: String, value: Value)] {
        QuotaRules.published.map { ("\($0.name)", Int(quota[keyPath: $0.path])) }
            .sorted { $0.0 < $1.0 }
            .map { name, number in
                let isCount = name == "mostUsers" || name == "publicPersonPercent"
                return ("quota.\(name)", isCount ? Value.count(number) : .bytes(number))
            }
    }
}
