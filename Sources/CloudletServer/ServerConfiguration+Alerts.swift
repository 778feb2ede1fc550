import CloudService
import Records
import RecordsWire
import ServerData

extension ServerConfiguration {
    /// The rules for alerts. Throws `alertsUnusable` for an invalid rule.
    func alertRules() throws(ServerError) -> [AlertRule] {
        guard let alerts else { return [] }
        do throws(RecordError) {
            return try AlertRule.rules(alerts)
        } catch {
            throw ServerError(
                .alertsUnusable, "\(error.reason): \(error.culprit ?? "")", nextStep: error.nextStep ?? "")
        }
    }

    /// Sends alerts; nil if the configuration has no `alertSender`.
    var alerting: AlertSender? {
        guard let send = alertSender else { return nil }
        return { alert in try await send(alert.json) }
    }
}

extension Alert {
    /// The alert as a JSON object.
    fileprivate var json: String {
        var json = JSONWriter()
        json.beginObject()
        json.member("rule", rule)
        json.member("state", isRaised ? "raised" : "cleared")
        json.member("value", value)
        json.member("subject", subject)
        json.member("at", at.milliseconds)
        json.member("nextStep", nextStep)
        json.endObject()
        return String(decoding: json.bytes, as: UTF8.self)
    }
}
