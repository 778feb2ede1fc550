// Owns the publishing of the server's limits.

import CloudService
import Hummingbird
import Records
import RecordsWire

extension Door {
    /// `GET /limits`: every limit under its name, in records, bytes, characters or seconds as the name says;
    /// the rates at which requests may come, of whom there is one; and under `server` what answers.
    func publishLimits() -> Response {
        var json = JSONWriter()
        json.beginObject()
        for (name, value) in service.limits.published {
            json.key(name)
            json.integer(value)
        }
        json.key("requestRates")
        json.beginObject()
        for (name, rate) in service.rates {
            json.key(name)
            json.beginObject()
            json.member("requests", Int64(rate.requests))
            json.member("seconds", Int64(rate.seconds))
            json.endObject()
        }
        json.endObject()
        json.key("server")
        json.beginObject()
        json.member("name", Release.name)
        json.member("version", Release.version)
        json.endObject()
        if let quota = service.limits.quota {
            json.key("quota")
            quota.write(to: &json)
        }
        json.endObject()
        return Self.response(.ok, json.bytes, uuid: service.seams.randomUUID())
    }
}

extension QuotaRules {
    fileprivate func write(to json: inout JSONWriter) {
        json.beginObject()
        json.member("publicRecordBytes", publicRecordBytes)
        json.member("publicAssetBytes", publicAssetBytes)
        json.member("publicRecordBytesPerUser", publicRecordBytesPerUser)
        json.member("publicAssetBytesPerUser", publicAssetBytesPerUser)
        json.member("mostUsers", mostUsers)
        json.member("personBytes", personBytes)
        json.endObject()
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
