import Records

/// Writes counts in the text format of Prometheus, version 0.0.4.
///
/// While the server runs, the counters only grow, except that a deleted container's lines disappear. Each
/// line names container, environment, database and operation, and none names a person or a record.
struct MetricsText {
    private let counts: [(labels: String, counts: TelemetryCounts)]

    init(_ counts: [TelemetryKey: TelemetryCounts]) {
        self.counts = counts.map { (Self.labels($0.key), $0.value) }.sorted { $0.labels < $1.labels }
    }

    var text: String {
        var text = ""
        counter("cloudlet_requests_total", "Answered requests.", \.requests, &text)
        counter(
            "cloudlet_client_errors_total", "Requests with an error that the client must resolve.",
            \.clientErrors, &text)
        counter(
            "cloudlet_server_errors_total", "Requests that failed because of the server.", \.serverErrors,
            &text)
        parts(
            "cloudlet_errors_total", "Errors of requests and of their items, by code.", "code", &text
        ) { counts in counts.errors.map { ($0.key.rawValue, $0.value) } }
        parts("cloudlet_client_requests_total", "Requests by the kind of the client.", "client", &text) {
            counts in counts.clients.map { ($0.key.rawValue, $0.value) }
        }
        latency(&text)
        counter(
            "cloudlet_request_bytes_total", "Bytes of the bodies of requests.", \.requestBytes.sum, &text)
        counter(
            "cloudlet_response_bytes_total", "Bytes of the bodies of answers, before compression.",
            \.responseBytes.sum, &text)
        counter("cloudlet_pushes_sent_total", "Pushes sent to devices.", \.pushesSent, &text)
        counter(
            "cloudlet_pushes_coalesced_total", "Pushes that a newer one replaced.", \.pushesCoalesced, &text)
        counter("cloudlet_pushes_dropped_total", "Pushes that were given up.", \.pushesDropped, &text)
        return text
    }

    private func counter(
        _ name: String, _ help: String, _ number: KeyPath<TelemetryCounts, Int64>, _ text: inout String
    ) {
        head(name, help, "counter", &text)
        for (labels, counts) in counts where counts[keyPath: number] > 0 {
            text += "\(name){\(labels)} \(counts[keyPath: number])\n"
        }
    }

    private func parts(
        _ name: String, _ help: String, _ label: String, _ text: inout String,
        _ list: (TelemetryCounts) -> [(String, Int64)]
    ) {
        head(name, help, "counter", &text)
        for (labels, counts) in counts {
            for (part, number) in list(counts).sorted(by: { $0.0 < $1.0 }) {
                text += "\(name){\(labels),\(label)=\"\(part)\"} \(number)\n"
            }
        }
    }

    /// The upper bounds of the latency's buckets, from 0.256 ms to 67 s, each four times the one before. They
    /// lie on bounds of `Histogram`, so that the numbers are exact.
    private static let bounds: [Int64] = (0..<10).map { Int64(256) << Int64(2 * $0) }

    private func latency(_ text: inout String) {
        let name = "cloudlet_request_duration_seconds"
        head(name, "Time until an answer began; polls and streams are left out.", "histogram", &text)
        for (labels, counts) in counts where counts.latency.count > 0 {
            for bound in Self.bounds {
                let seconds = Double(bound) / 1_000_000
                text += "\(name)_bucket{\(labels),le=\"\(seconds)\"} \(counts.latency.count(below: bound))\n"
            }
            text += "\(name)_bucket{\(labels),le=\"+Inf\"} \(counts.latency.count)\n"
            text += "\(name)_sum{\(labels)} \(Double(counts.latency.sum) / 1_000_000)\n"
            text += "\(name)_count{\(labels)} \(counts.latency.count)\n"
        }
    }

    private func head(_ name: String, _ help: String, _ kind: String, _ text: inout String) {
        text += "# HELP \(name) \(help)\n# TYPE \(name) \(kind)\n"
    }

    private static func labels(_ key: TelemetryKey) -> String {
        [
            ("container", key.container), ("environment", key.environment?.rawValue),
            ("database", key.database?.rawValue), ("operation", key.operation),
        ].compactMap { name, value in value.map { "\(name)=\"\(escaped($0))\"" } }.joined(separator: ",")
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
    }
}
