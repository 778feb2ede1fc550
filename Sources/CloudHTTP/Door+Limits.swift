import CloudService
import Records
import RecordsWire

extension ReadServerFacts: ServedCall {
    func answer(_ visit: ServerVisit) async throws -> Answer {
        ServerFacts(
            limits: Limits.published.map {
                ServerFacts.Limit($0.name.description, $0.value(in: visit.service.limits))
            },
            rates: visit.service.rates.map { ServerFacts.Rate($0.name, $0.rate) },
            software: ServerFacts.Software(name: Release.name, version: Release.version),
            quota: visit.service.limits.quota)
    }
}

extension CloudService {
    /// The request rates of persons, addresses, apps and containers that are limited.
    fileprivate var rates: [(name: String, rate: RequestRate)] {
        [
            ("person", rateLimiter.personRate), ("address", limits.addressRate), ("app", limits.appRate),
            ("container", limits.containerRate),
        ].compactMap { name, rate in rate.map { (name, $0) } }
    }
}
