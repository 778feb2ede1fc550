import CommandShell
import Records
import RecordsWire

/// The command that shows the server's counts of everybody's requests.
struct TelemetryCommands {
    let session: CloudSession

    var commands: [CommandSpec] { [telemetry] }

    private var telemetry: CommandSpec {
        CommandSpec(
            ["telemetry"],
            group: "Apps",
            summary: "show the requests of everybody to this container: number, errors, time, size",
            flags: [
                FlagSpec(
                    "scope", "SCOPE", .choice(TelemetryQuery.Scope.allCases.map(\.rawValue)),
                    "public, private, shared or all databases; all is the default"),
                FlagSpec("operation", "OPERATION", .text, "only this operation, such as records/modify"),
                FlagSpec(
                    "period", "PERIOD", .choice(TelemetryPeriod.allCases.map(\.rawValue)),
                    "the period of one line with --by-time; hour is the default"),
                FlagSpec("by-time", "", .nothing, "a line for each period, in place of each operation"),
                FlagSpec("plain", "", .nothing, "numbers only, without bars"),
            ],
            details: """
                The server counts all requests of all people, devices and programs; stats counts only the
                requests of this shell. A client error is one that the app must resolve, such as a
                conflict or an unknown zone; the error of a single record counts, too.
                \(ContainerCommands.operatorKeyHelp)
                """,
            examples: ["telemetry", "telemetry --scope private", "telemetry --by-time --period day"]
        ) { arguments in
            let scope = arguments.text("scope").flatMap { TelemetryQuery.Scope(rawValue: $0) }
            let period = arguments.text("period").flatMap { TelemetryPeriod(rawValue: $0) }
            let operation = arguments.text("operation")
            let (byTime, isPlain) = (arguments.has("by-time"), arguments.has("plain"))
            return .work {
                let place = await session.place
                let report = try await session.server.send(
                    ReadTelemetry(
                        TelemetryQuery(
                            container: place.container, environment: place.callEnvironment,
                            scope: scope ?? .all, operation: operation, period: period ?? .hour)))
                return byTime
                    ? Answer.byTime(report, isPlain: isPlain) : Answer.byOperation(report, isPlain: isPlain)
            }
        }
    }
}

extension Answer {
    /// The operations with their counts, the most frequent first.
    fileprivate static func byOperation(_ report: TelemetryReport, isPlain: Bool) -> Answer {
        let all = Double(max(1, report.total.requests))
        return telemetry(
            report, Column("OPERATION", "operation"),
            report.operations.map { operation in
                entry(
                    AnswerField("operation", .text(operation.name)), operation.figures, isPlain,
                    share: Double(operation.figures.requests) / all)
            })
    }

    /// The periods with requests, oldest first.
    fileprivate static func byTime(_ report: TelemetryReport, isPlain: Bool) -> Answer {
        let most = Double(max(1, report.points.map(\.figures.requests).max() ?? 1))
        return telemetry(
            report, Column("FROM", "from"),
            report.points.filter { $0.figures.requests > 0 }.map { point in
                var entry = entry(
                    AnswerField("from", .moment(point.start.date)), point.figures, isPlain,
                    share: Double(point.figures.requests) / most)
                if let people = point.people {
                    entry.fields.append(AnswerField("people", .count(Int(people))))
                }
                return entry
            })
    }

    private static func telemetry(
        _ report: TelemetryReport, _ first: Column, _ entries: [Entry]
    ) -> Answer {
        let total = report.total
        return Answer(
            form: .list, entries: entries,
            columns: [
                first, Column("REQUESTS", "requests"), Column("SHARE", "share"),
                Column("CLIENT ERRORS", "clientErrors"), Column("SERVER ERRORS", "serverErrors"),
                Column("MEDIAN MS", "medianMilliseconds"), Column("SENT", "sent"),
                Column("RECEIVED", "received"), Column("ERRORS", "errors", isWrapped: true),
            ],
            facts: [
                AnswerField("requests", .count(Int(total.requests))),
                AnswerField("clientErrors", .count(Int(total.clientErrors))),
                AnswerField("serverErrors", .count(Int(total.serverErrors))),
                AnswerField("clientErrorShare", .share(total.clientErrorShare)),
                AnswerField("pushesSent", .count(Int(total.pushesSent))),
                AnswerField("pushesCoalesced", .count(Int(total.pushesCoalesced))),
                AnswerField("pushesDropped", .count(Int(total.pushesDropped))),
            ],
            notes: [
                "\(counted(Int(total.requests), "request")), \(total.clientErrors) with a client error, "
                    + "\(total.serverErrors) with a server error"
            ])
    }

    private static func entry(
        _ first: AnswerField, _ figures: TelemetryFigures, _ isPlain: Bool, share: Double
    ) -> Entry {
        let errors = figures.errors.sorted { ($1.value, $0.key.rawValue) < ($0.value, $1.key.rawValue) }
        return Entry([
            first, AnswerField("requests", .count(Int(figures.requests))),
            AnswerField("share", isPlain ? .share(share) : .bar(share)),
            AnswerField("clientErrors", .count(Int(figures.clientErrors))),
            AnswerField("serverErrors", .count(Int(figures.serverErrors))),
            AnswerField(
                "medianMilliseconds", figures.latency.map { .count(Int($0.median / 1000)) } ?? .missing),
            AnswerField("sent", .bytes(Int(figures.averageRequestBytes))),
            AnswerField("received", .bytes(Int(figures.averageResponseBytes))),
            AnswerField("errors", .texts(errors.map { "\($0.key.rawValue) \($0.value)" })),
        ])
    }
}
