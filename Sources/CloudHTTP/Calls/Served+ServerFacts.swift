import CloudService
import Records
import RecordsWire

extension ReadServerFacts: ServedCall {
    func answer(_ incoming: ServerRequest) async throws -> Answer {
        ServerFacts(
            limits: Limits.published.map {
                ServerFacts.Limit($0.name.description, $0.value(in: incoming.service.limits))
            },
            rates: incoming.service.rates.map { ServerFacts.Rate($0.name, $0.rate) },
            software: ServerFacts.Software(
                name: SoftwareVersion.name, version: SoftwareVersion.version,
                isOpen: incoming.service.isOpen),
            quota: incoming.service.limits.quota)
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
