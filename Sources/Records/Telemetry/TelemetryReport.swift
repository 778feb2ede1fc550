/// The counts of the last periods, over the requests of all people.
package struct TelemetryReport: Hashable, Sendable {
    /// One period.
    package struct Point: Hashable, Sendable {
        package var start: Timestamp
        package var figures: TelemetryFigures
        /// The people who were active in a day, week or month, as an estimate; nil for shorter periods.
        package var people: Int64?

        package init(start: Timestamp, figures: TelemetryFigures, people: Int64?) {
            self.start = start
            self.figures = figures
            self.people = people
        }
    }

    /// The figures of one operation.
    package struct Operation: Hashable, Sendable {
        package var name: String
        package var figures: TelemetryFigures

        package init(name: String, figures: TelemetryFigures) {
            self.name = name
            self.figures = figures
        }
    }

    package var period: TelemetryPeriod
    /// The end of the last period, which is the present time.
    package var end: Timestamp
    /// All periods of the chart, oldest first, also those without requests.
    package var points: [Point]
    /// The operations, those with the most requests first.
    package var operations: [Operation]
    package var total: TelemetryFigures

    package init(
        period: TelemetryPeriod, end: Timestamp, points: [Point], operations: [Operation],
        total: TelemetryFigures
    ) {
        self.period = period
        self.end = end
        self.points = points
        self.operations = operations
        self.total = total
    }
}

/// Totals and percentiles of requests, for display.
package struct TelemetryFigures: Hashable, Sendable {
    package var requests: Int64 = 0
    package var clientErrors: Int64 = 0
    package var serverErrors: Int64 = 0
    package var requestBytes: Int64 = 0
    package var responseBytes: Int64 = 0
    /// Percentiles of the time until the answer began; nil without measured answers.
    package var latency: Latency?
    /// The errors of requests and of their items, by code.
    package var errors: [RecordError.Code: Int64] = [:]
    package var clients: [ClientKind: Int64] = [:]
    package var pushesSent: Int64 = 0
    package var pushesCoalesced: Int64 = 0
    package var pushesDropped: Int64 = 0

    /// Percentiles in microseconds.
    package struct Latency: Hashable, Sendable {
        package var median: Int64
        package var p95: Int64
        package var p99: Int64

        package init(median: Int64, p95: Int64, p99: Int64) {
            self.median = median
            self.p95 = p95
            self.p99 = p99
        }
    }

    package init() {}

    package init(_ counts: TelemetryCounts) {
        requests = counts.requests
        clientErrors = counts.clientErrors
        serverErrors = counts.serverErrors
        requestBytes = counts.requestBytes.sum
        responseBytes = counts.responseBytes.sum
        if let median = counts.latency.percentile(0.5), let p95 = counts.latency.percentile(0.95),
            let p99 = counts.latency.percentile(0.99)
        {
            latency = Latency(median: median, p95: p95, p99: p99)
        }
        errors = counts.errors
        clients = counts.clients
        pushesSent = counts.pushesSent
        pushesCoalesced = counts.pushesCoalesced
        pushesDropped = counts.pushesDropped
    }

    /// The average bytes of a request's body; 0 without requests.
    package var averageRequestBytes: Int64 { requests == 0 ? 0 : requestBytes / requests }
    package var averageResponseBytes: Int64 { requests == 0 ? 0 : responseBytes / requests }
    /// The share of requests with a client error, from 0 to 1.
    package var clientErrorShare: Double { requests == 0 ? 0 : Double(clientErrors) / Double(requests) }
    package var serverErrorShare: Double { requests == 0 ? 0 : Double(serverErrors) / Double(requests) }
}
