import CloudService
import Hummingbird
import Records
import RecordsWire

extension ReadTelemetry: ServedCall {
    func answer(_ incoming: ServerRequest) async throws -> Answer {
        try await incoming.service.telemetry.report(question)
    }
}

extension ServerRequest {
    /// The counts since the server started, without those of deleted containers, in the text format of
    /// Prometheus.
    func metrics() -> Response {
        let text = MetricsText(service.telemetry.totals()).text
        var response = RequestHandler.response(.ok, Array(text.utf8), uuid: uuid)
        response.headers[.contentType] = "text/plain; version=0.0.4; charset=utf-8"
        response.headers[.cacheControl] = "no-store"
        return response
    }
}
