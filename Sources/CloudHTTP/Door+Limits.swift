// Owns the publishing of the server's limits.

import CloudService
import Records
import RecordsWire

extension ReadServerFacts: ServedCall {
    func answer(_ visit: ServerVisit) async throws -> Answer {
        ServerFacts(
            limits: visit.service.limits.published.map { ServerFacts.Limit($0, $1) },
            rates: visit.service.rates.map { ServerFacts.Rate($0.name, $0.rate) },
            software: ServerFacts.Software(name: Release.name, version: Release.version),
            quota: visit.service.limits.quota)
    }
}

extension CloudService {
    /// How often whom may ask.
    fileprivate var rates: [(name: String, rate: RequestRate)] {
        [("person", personRate), ("app", limits.appRate), ("container", limits.containerRate)]
            .compactMap { name, rate in rate.map { (name, $0) } }
    }
}

extension Limits {
    /// What clients may want to know, by name.
    fileprivate var published: [(String, Int64)] {
        (sizes + costs).map { name, value in (name, Int64(value)) }
            + [("assetBytes", assetBytes), ("waitingUploadBytes", waitingUploadBytes)]
    }

    private var sizes: [(String, Int)] {
        [
            ("operationsPerRequest", operationsPerRequest),
            ("recordsPerResponse", recordsPerResponse),
            ("answerBytes", answerBytes),
            ("lookupBytes", lookupBytes),
            ("tokensPerRequest", tokensPerRequest),
            ("zonesPerRequest", zonesPerRequest),
            ("recordBytes", recordBytes),
            ("requestBytes", requestBytes),
            ("nameCharacters", nameCharacters),
            ("deletionsPerDatabase", deletionsPerDatabase),
            ("cascadeRecords", cascadeRecords),
            ("deleteSelfSources", deleteSelfSources),
            ("filtersPerQuery", filtersPerQuery),
            ("listElements", listElements),
            ("uploadSeconds", uploadLifetime),
            ("downloadSeconds", downloadLifetime),
            ("deletionSeconds", deletionLifetime),
            ("clientTokenBytes", clientTokenBytes),
            ("clientsPerZone", clientsPerZone),
            ("clientsPerDatabase", clientsPerDatabase),
            ("nesting", nesting),
            ("jsonValues", jsonValues),
            ("subscriptions", subscriptions),
            ("pushFields", pushFields),
            ("pushTextCharacters", pushTextCharacters),
            ("pushBytes", pushBytes),
            ("devicesPerPerson", devicesPerPerson),
            ("pushQueue", pushQueue),
            ("pushSeconds", pushLifetime),
            ("pushPresenceSeconds", pushPresence),
            ("pushPollSeconds", pushPoll),
            ("notificationSeconds", notificationLifetime),
            ("notificationsPerPerson", notificationsPerPerson),
        ]
    }

    private var costs: [(String, Int)] {
        [
            ("elementsPerRequest", elementsPerRequest),
            ("sortsPerQuery", sortsPerQuery),
            ("keysPerRequest", keysPerRequest),
            ("searchCharacters", searchCharacters),
            ("searchWords", searchWords),
            ("timesPerQuery", timesPerQuery),
            ("zonesPerDatabase", zonesPerDatabase),
            ("zonesPerResponse", zonesPerResponse),
            ("fieldsPerType", fieldsPerType),
            ("fieldsPerSchema", fieldsPerSchema),
            ("newFieldsPerRequest", newFieldsPerRequest),
            ("typesPerSchema", typesPerSchema),
            ("newTypesPerRequest", newTypesPerRequest),
            ("subscriptionBytes", subscriptionBytes),
            ("notificationBytes", notificationBytes),
            ("notificationPageBytes", notificationPageBytes),
            ("badge", badge),
            ("streamsPerPerson", streamsPerPerson),
            ("sessionsPerPerson", sessionsPerPerson),
            ("openServerContainers", openServerContainers),
            ("signaturesPerKey", signaturesPerKey),
            ("anonymousRequestBytes", anonymousRequestBytes),
            ("receivingBytes", receivingBytes),
            ("sendingBytes", sendingBytes),
            ("transferBytesPerSecond", transferRate),
            ("transferPatienceSeconds", transferPatience),
            ("readSteps", readSteps),
            ("readSeconds", readSeconds),
        ]
    }
}
