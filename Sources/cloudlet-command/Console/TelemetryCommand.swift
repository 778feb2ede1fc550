import ArgumentParser
import CommandShell
import Foundation
import Records
import RecordsWire

/// `cloudlet telemetry`: prints how many requests the server answered, how fast, and with which errors.
struct TelemetryCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "telemetry", abstract: "Print the counts of all requests, by time and by operation.",
        usage: """
            cloudlet telemetry
            cloudlet telemetry --container iCloud.org.example.app --period day
            cloudlet telemetry --scope private --operation records/modify --json
            """,
        discussion: """
            Shows the last 60 minutes, 48 hours, 31 days, 26 weeks or 24 months, in UTC. A client error is \
            one that the app must resolve, such as a conflict or an unknown zone; the error of a single \
            record counts, too. The private databases of all people are counted together.
            """
    )

    @Option(help: "The only container whose requests are counted. Default: all", completion: .containers)
    var container: String?

    @Option(help: "development or production. Default: both")
    var environment: EnvironmentOption.Environment?

    @Option(help: "public, private, shared or all databases.")
    var scope = Scope.all

    @Option(help: "The only operation that is counted, such as records/query. Default: all")
    var operation: String?

    @Option(help: "The length of the periods: minute, hour, day, week or month.")
    var period = Period.hour

    @OptionGroup var options: OperatorOptions

    /// The databases that are counted.
    enum Scope: String, ExpressibleByArgument, CaseIterable {
        case all, `public`, `private`, shared
    }

    /// The length of a period.
    enum Period: String, ExpressibleByArgument, CaseIterable {
        case minute, hour, day, week, month
    }

    func run() async throws {
        let question = TelemetryQuery(
            container: container,
            environment: environment.flatMap { CloudEnvironment(rawValue: $0.rawValue) },
            scope: TelemetryQuery.Scope(rawValue: scope.rawValue) ?? .all, operation: operation,
            period: TelemetryPeriod(rawValue: period.rawValue) ?? .hour)
        let place = environment?.rawValue ?? "development and production"
        try await options.call(ReadTelemetry(question)) {
            Self.listing($0).noting(["in \(place) of \(container ?? "all containers")"])
        }
    }

    /// Two tables: the periods with requests, and the operations.
    private static func listing(_ report: TelemetryReport) -> Listing {
        if report.total.requests == 0 {
            return Listing(notes: ["no requests in this time; try a longer --period"])
        }
        let most = report.points.map(\.figures.requests).max() ?? 1
        let points = report.points.filter { $0.figures.requests > 0 }
        let hasPeople = report.points.contains { $0.people != nil }
        var times = Listing.table(
            ["FROM", "REQUESTS", "OF PEAK"] + errorHeadings + (hasPeople ? ["PEOPLE"] : []),
            points.map { point in
                [
                    point.start.moment.cell, String(point.figures.requests),
                    Value.bar(Double(point.figures.requests) / Double(max(1, most))).text,
                ] + cells(point.figures) + (hasPeople ? [String(point.people ?? 0)] : [])
            }, whenEmpty: "")
        let operations = Listing.table(
            ["OPERATION", "REQUESTS", "OF ALL"] + errorHeadings + ["ERRORS"],
            report.operations.map { operation in
                [
                    operation.name, String(operation.figures.requests),
                    Value.bar(Double(operation.figures.requests) / Double(report.total.requests)).text,
                ] + cells(operation.figures) + [errors(operation.figures)]
            }, whenEmpty: "")
        times.lines += [""] + operations.lines
        return times.noting(notes(report.total))
    }

    private static let errorHeadings = ["CLIENT ERR", "SERVER ERR", "MEDIAN", "95 %", "SENT", "RECEIVED"]

    private static func cells(_ figures: TelemetryFigures) -> [String] {
        [
            Value.share(figures.clientErrorShare).text, Value.share(figures.serverErrorShare).text,
            (figures.latency?.median).map(milliseconds).cell, (figures.latency?.p95).map(milliseconds).cell,
            Value.bytes(Int(figures.averageRequestBytes)).text,
            Value.bytes(Int(figures.averageResponseBytes)).text,
        ]
    }

    private static func errors(_ figures: TelemetryFigures) -> String {
        let errors = figures.errors.sorted { ($1.value, $0.key.rawValue) < ($0.value, $1.key.rawValue) }
        return (errors.map { "\($0.key.rawValue) \($0.value)" }.joined(separator: ", ") as String?).cell
    }

    private static func milliseconds(_ microseconds: Int64) -> String {
        "\(microseconds / 1000).\(microseconds % 1000 / 100) ms"
    }

    private static func notes(_ total: TelemetryFigures) -> [String] {
        let clients = total.clients.sorted { $0.key.rawValue < $1.key.rawValue }
            .map { "\($0.key.rawValue) \($0.value)" }.joined(separator: ", ")
        var notes = ["\(total.requests) requests, by client: \(clients)"]
        if total.pushesSent + total.pushesCoalesced + total.pushesDropped > 0 {
            notes.append(
                "pushes: \(total.pushesSent) sent, \(total.pushesCoalesced) coalesced, "
                    + "\(total.pushesDropped) dropped")
        }
        return notes
    }
}
