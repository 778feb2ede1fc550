import CloudHTTP
import CloudService
import Records

/// Figures about the requests of all people to a container: charts by scope, period and operation, with a
/// table of their numbers. All private databases are counted together.
struct PerformanceScreen: Screen {
    static let title = "Performance"

    private struct View: Sendable {
        struct Choice: Sendable {
            var name: String
            var label: String
            var options: [Option]
        }

        struct Option: Sendable {
            var value: String
            var label: String
            var isChosen: Bool
        }

        struct Row: Sendable {
            var name: String
            var cells: [String]
            var errors: String
        }

        struct Meaning: Sendable {
            var code: String
            var count: String
            var cause: String
            var remedy: String
            var logsHref: String
        }

        var choices: [Choice]
        var charts: [BarChart]
        var headings: [String]
        /// Further headings of the table of periods.
        var timeHeadings: [String]
        var timeHeading: String
        var times: [Row]
        var operations: [Row]
        var hasErrors: Bool
        var meanings: [Meaning]
        var pushes: String
        var clients: String
        var isEmpty: Bool
    }

    func page(_ request: ScreenRequest) async throws -> PageContent {
        let place = try request.container()
        let question = Self.question(request.query, place)
        // The menu lists all operations of the period, regardless of the selected one.
        var open = question
        open.operation = nil
        let all = try await request.service.telemetry.report(open)
        let report = question.operation == nil ? all : try await request.service.telemetry.report(question)
        let hasPeople = report.points.contains { $0.people != nil }
        // The operations have the seconds since the first request on the page.
        let seconds = report.points.drop { $0.figures.requests == 0 }
            .reduce(0) { $0 + Self.seconds(of: $1, report) }
        let view = View(
            choices: Self.choices(question, all.operations.map(\.name)),
            charts: Self.charts(report, hasPeople: hasPeople),
            headings: Self.headings, timeHeadings: hasPeople ? ["People"] : [],
            timeHeading: question.period.rawValue,
            times: report.points.filter { $0.figures.requests > 0 }.reversed().map { point in
                View.Row(
                    name: ValueText.text(of: point.start),
                    cells: Self.cells(point.figures, in: Self.seconds(of: point, report))
                        + (hasPeople ? ["\(point.people ?? 0)"] : []),
                    errors: Self.errors(point.figures, most: 3))
            },
            operations: report.operations.prefix(30).map { operation in
                View.Row(
                    name: operation.name,
                    cells: Self.cells(operation.figures, in: seconds),
                    errors: Self.errors(operation.figures, most: 6))
            },
            hasErrors: !report.total.errors.isEmpty,
            meanings: Self.meanings(of: report.total.errors, question, place),
            pushes: "\(report.total.pushesSent) sent, \(report.total.pushesCoalesced) replaced by a newer "
                + "one, \(report.total.pushesDropped) given up",
            clients: report.total.clients.sorted { $0.key.rawValue < $1.key.rawValue }
                .map { "\($0.key.rawValue): \($0.value)" }.joined(separator: ", "),
            isEmpty: report.total.requests == 0)
        return PageContent(heading: Self.title, html: try Page.html(Template.performance, view))
    }

    /// The query for telemetry in the page's address. An unknown value means the first choice.
    private static func question(_ query: FormFields, _ place: ConsolePlace) -> TelemetryQuery {
        let operation = query["operation"].flatMap { $0.isEmpty ? nil : String($0.prefix(200)) }
        return TelemetryQuery(
            container: place.container, environment: place.environment,
            scope: query["scope"].flatMap { TelemetryQuery.Scope(rawValue: $0) } ?? .all,
            operation: operation,
            period: query["period"].flatMap { TelemetryPeriod(rawValue: $0) } ?? .hour)
    }

    // MARK: Choices

    private static func choices(_ question: TelemetryQuery, _ operations: [String]) -> [View.Choice] {
        let scopes = TelemetryQuery.Scope.allCases.map { scope in
            View.Option(
                value: scope.rawValue, label: label(of: scope), isChosen: scope == question.scope)
        }
        let periods = TelemetryPeriod.allCases.map { period in
            View.Option(
                value: period.rawValue, label: label(of: period), isChosen: period == question.period)
        }
        var names = operations.sorted()
        if let chosen = question.operation, !names.contains(chosen) { names.append(chosen) }
        let all = View.Option(value: "", label: "all operations", isChosen: question.operation == nil)
        return [
            View.Choice(name: "scope", label: "Databases", options: scopes),
            View.Choice(name: "period", label: "Time", options: periods),
            View.Choice(
                name: "operation", label: "Operation",
                options: [all]
                    + names.prefix(80).map {
                        View.Option(value: $0, label: $0, isChosen: $0 == question.operation)
                    }),
        ]
    }

    private static func label(of scope: TelemetryQuery.Scope) -> String {
        switch scope {
        case .all: "all requests"
        case .public: "the public database"
        case .private: "all private databases together"
        case .shared: "all shared databases together"
        }
    }

    private static func label(of period: TelemetryPeriod) -> String {
        switch period {
        case .minute: "by the minute"
        case .hour: "hourly"
        case .day: "daily"
        case .week: "weekly"
        case .month: "monthly"
        }
    }

    // MARK: Charts

    private static func charts(_ report: TelemetryReport, hasPeople: Bool) -> [BarChart] {
        func chart(
            _ title: String, _ unit: BarChart.Unit, _ value: (TelemetryReport.Point) -> Double
        ) -> BarChart {
            let bars = report.points.map {
                BarChart.Bar(label: ValueText.text(of: $0.start), value: value($0))
            }
            return BarChart(title: title, unit: unit, bars: bars)
        }
        var charts = [
            chart("Operations per second", .number) {
                Double($0.figures.requests) / seconds(of: $0, report)
            },
            chart("Average request size", .bytes) { Double($0.figures.averageRequestBytes) },
            chart("Average answer size", .bytes) { Double($0.figures.averageResponseBytes) },
            chart("Requests with a client error", .share) { $0.figures.clientErrorShare },
            chart("Requests with a server error", .share) { $0.figures.serverErrorShare },
            chart("Time until the answer, 95 %", .milliseconds) {
                Double($0.figures.latency?.p95 ?? 0) / 1000
            },
        ]
        // A replaced or abandoned push was to be sent, too.
        if report.total.pushes > 0 { charts.append(chart("Pushes", .number) { Double($0.figures.pushes) }) }
        if hasPeople { charts.append(chart("Active people", .number) { Double($0.people ?? 0) }) }
        return charts
    }

    // MARK: Tables

    private static let headings = [
        "Requests", "Client errors", "Server errors", "Median", "95 %", "Request", "Answer", "Per second",
        "Client error share", "Server error share", "Pushes",
    ]

    /// The seconds of a period until now.
    private static func seconds(of point: TelemetryReport.Point, _ report: TelemetryReport) -> Double {
        report.period.seconds(from: point.start, until: report.end)
    }

    private static func cells(_ figures: TelemetryFigures, in seconds: Double) -> [String] {
        func time(_ microseconds: Int64?) -> String {
            microseconds.map { BarChart.Unit.milliseconds.text(Double($0) / 1000) } ?? "–"
        }
        return [
            "\(figures.requests)", "\(figures.clientErrors)", "\(figures.serverErrors)",
            time(figures.latency?.median), time(figures.latency?.p95),
            UsageScreen.bytes(figures.averageRequestBytes), UsageScreen.bytes(figures.averageResponseBytes),
            BarChart.Unit.number.text(Double(figures.requests) / max(1, seconds)),
            BarChart.Unit.share.text(figures.clientErrorShare),
            BarChart.Unit.share.text(figures.serverErrorShare), "\(figures.pushes)",
        ]
    }

    /// Explanations of the most frequent errors, with links to the last requests that have them.
    private static func meanings(
        of errors: [RecordError.Code: Int64], _ question: TelemetryQuery, _ place: ConsolePlace
    ) -> [View.Meaning] {
        sorted(errors).prefix(10).map { code, count in
            var filter = [("error", code.rawValue)]
            if let operation = question.operation { filter.append(("operation", operation)) }
            return View.Meaning(
                code: code.rawValue, count: "\(count)", cause: code.guide.cause, remedy: code.guide.remedy,
                logsHref: place.path("logs", filter))
        }
    }

    /// The errors, the most frequent first.
    private static func sorted(
        _ errors: [RecordError.Code: Int64]
    ) -> [(key: RecordError.Code, value: Int64)] {
        errors.sorted { ($1.value, $0.key.rawValue) < ($0.value, $1.key.rawValue) }
    }

    private static func errors(_ figures: TelemetryFigures, most: Int) -> String {
        let errors = sorted(figures.errors)
        let shown = errors.prefix(most).map { "\($0.key.rawValue) \($0.value)" }
        return (shown + (errors.count > most ? ["…"] : [])).joined(separator: ", ")
    }
}

extension TelemetryFigures {
    /// The pushes that were sent, replaced by a newer one, or given up.
    fileprivate var pushes: Int64 {
        pushesSent.addingSaturated(pushesCoalesced).addingSaturated(pushesDropped)
    }
}
