package import Records

/// Reads the counts of the last periods, over everybody's requests.
package struct ReadTelemetry: ServerCall {
    package typealias Answer = TelemetryReport
    package static let endpoint = ServerEndpoint.operator(.readTelemetry)

    package var question: TelemetryQuery

    package init(_ question: TelemetryQuery) { self.question = question }

    package init(reading request: CallReader) throws(RecordError) {
        question = TelemetryQuery(
            container: try request.query("container"),
            environment: try Self.value(request, "environment", or: nil),
            scope: try Self.value(request, "scope", or: .all) ?? .all,
            operation: try request.query("operation"),
            period: try Self.value(request, "period", or: .hour) ?? .hour)
    }

    package func write(to request: inout CallWriter) {
        request.query("container", question.container)
        request.query("environment", question.environment?.rawValue)
        request.query("scope", question.scope.rawValue)
        request.query("operation", question.operation)
        request.query("period", question.period.rawValue)
    }

    /// A parameter with one of a few values; `standard` if it is missing.
    private static func value<Value: RawRepresentable & CaseIterable>(
        _ request: CallReader, _ name: StaticString, or standard: Value?
    ) throws(RecordError) -> Value? where Value.RawValue == String {
        guard let text = try request.query(name) else { return standard }
        if let value = Value(rawValue: text) { return value }
        throw RecordError(
            .badRequest, "the parameter \(name) has an unknown value", culprit: text,
            nextStep: "use one of: \(Value.allCases.map(\.rawValue).joined(separator: ", "))")
    }
}

extension TelemetryReport: WireObject {
    package init(_ object: JSONNode) throws(RecordError) {
        self.init(
            period: try object.required("period").named(), end: try object.required("end").timestamp(),
            points: try object.objects("points"), operations: try object.objects("operations"),
            total: try TelemetryFigures(try object.required("total").object()))
    }

    package func writeMembers(to json: inout JSONWriter) {
        json.member("period", period.rawValue)
        json.member("end", end.milliseconds)
        json.list("points", points) { $0.write(to: &$1) }
        json.list("operations", operations) { $0.write(to: &$1) }
        json.key("total")
        total.write(to: &json)
    }
}

extension TelemetryReport.Point: WireObject {
    package init(_ object: JSONNode) throws(RecordError) {
        self.init(
            start: try object.required("start").timestamp(), figures: try TelemetryFigures(object),
            people: try object["people"]?.int64())
    }

    package func writeMembers(to json: inout JSONWriter) {
        json.member("start", start.milliseconds)
        figures.writeMembers(to: &json)
        json.member("people", people)
    }
}

extension TelemetryReport.Operation: WireObject {
    package init(_ object: JSONNode) throws(RecordError) {
        self.init(name: try object.required("operation").string(), figures: try TelemetryFigures(object))
    }

    package func writeMembers(to json: inout JSONWriter) {
        json.member("operation", name)
        figures.writeMembers(to: &json)
    }
}

extension TelemetryFigures: WireObject {
    package init(_ object: JSONNode) throws(RecordError) {
        self.init()
        requests = try object.required("requests").int64()
        clientErrors = try object.required("clientErrors").int64()
        serverErrors = try object.required("serverErrors").int64()
        requestBytes = try object.required("requestBytes").int64()
        responseBytes = try object.required("responseBytes").int64()
        pushesSent = try object.required("pushesSent").int64()
        pushesCoalesced = try object.required("pushesCoalesced").int64()
        pushesDropped = try object.required("pushesDropped").int64()
        if let latency = try object["latencyMicroseconds"]?.object() {
            self.latency = Latency(
                median: try latency.required("p50").int64(), p95: try latency.required("p95").int64(),
                p99: try latency.required("p99").int64())
        }
        for part: NamedNumber in try object.objects("errors") {
            if let code = RecordError.Code(rawValue: part.name) { errors[code] = part.number }
        }
        for part: NamedNumber in try object.objects("clients") {
            if let kind = ClientKind(rawValue: part.name) { clients[kind] = part.number }
        }
    }

    package func writeMembers(to json: inout JSONWriter) {
        json.member("requests", requests)
        json.member("clientErrors", clientErrors)
        json.member("serverErrors", serverErrors)
        json.member("requestBytes", requestBytes)
        json.member("responseBytes", responseBytes)
        json.member("pushesSent", pushesSent)
        json.member("pushesCoalesced", pushesCoalesced)
        json.member("pushesDropped", pushesDropped)
        if let latency {
            json.key("latencyMicroseconds")
            json.beginObject()
            json.member("p50", latency.median)
            json.member("p95", latency.p95)
            json.member("p99", latency.p99)
            json.endObject()
        }
        Self.write("errors", errors.map { ($0.key.rawValue, $0.value) }, to: &json)
        Self.write("clients", clients.map { ($0.key.rawValue, $0.value) }, to: &json)
    }

    /// Writes the numbers as a list, the largest first.
    private static func write(
        _ name: StaticString, _ list: [(String, Int64)], to json: inout JSONWriter
    ) {
        let parts = list.map { NamedNumber(name: $0.0, number: $0.1) }
            .sorted { ($1.number, $0.name) < ($0.number, $1.name) }
        json.list(name, parts) { $0.write(to: &$1) }
    }
}

/// A number with the name of what it counts.
private struct NamedNumber: WireObject {
    var name: String
    var number: Int64

    init(name: String, number: Int64) {
        self.name = name
        self.number = number
    }

    init(_ object: JSONNode) throws(RecordError) {
        name = try object.required("name").string()
        number = try object.required("number").int64()
    }

    func writeMembers(to json: inout JSONWriter) {
        json.member("name", name)
        json.member("number", number)
    }
}

extension JSONNode {
    fileprivate func named() throws(RecordError) -> TelemetryPeriod {
        if let period = TelemetryPeriod(rawValue: try string()) { return period }
        throw unexpected(nextStep: "use the command-line program of the server's version")
    }
}
