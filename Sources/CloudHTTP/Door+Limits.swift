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
        [
            ("operationsPerRequest", Int64(operationsPerRequest)),
            ("recordsPerResponse", Int64(recordsPerResponse)),
            ("answerBytes", Int64(answerBytes)),
            ("lookupBytes", Int64(lookupBytes)),
            ("tokensPerRequest", Int64(tokensPerRequest)),
            ("zonesPerRequest", Int64(zonesPerRequest)),
            ("recordBytes", Int64(recordBytes)),
            ("assetBytes", assetBytes),
            ("requestBytes", Int64(requestBytes)),
            ("nameCharacters", Int64(nameCharacters)),
            ("deleteSelfSources", Int64(deleteSelfSources)),
            ("filtersPerQuery", Int64(filtersPerQuery)),
            ("listElements", Int64(listElements)),
            ("uploadSeconds", Int64(uploadLifetime)),
            ("downloadSeconds", Int64(downloadLifetime)),
            ("deletionSeconds", Int64(deletionLifetime)),
            ("clientTokenBytes", Int64(clientTokenBytes)),
            ("clientsPerZone", Int64(clientsPerZone)),
            ("nesting", Int64(nesting)),
            ("subscriptions", Int64(subscriptions)),
            ("pushFields", Int64(pushFields)),
            ("pushTextCharacters", Int64(pushTextCharacters)),
            ("pushBytes", Int64(pushBytes)),
            ("devicesPerPerson", Int64(devicesPerPerson)),
            ("pushQueue", Int64(pushQueue)),
            ("pushSeconds", Int64(pushLifetime)),
            ("pushPresenceSeconds", Int64(pushPresence)),
            ("pushPollSeconds", Int64(pushPoll)),
            ("notificationSeconds", Int64(notificationLifetime)),
            ("notificationsPerPerson", Int64(notificationsPerPerson)),
            ("sortsPerQuery", Int64(sortsPerQuery)),
            ("keysPerRequest", Int64(keysPerRequest)),
            ("searchCharacters", Int64(searchCharacters)),
            ("searchWords", Int64(searchWords)),
            ("timesPerQuery", Int64(timesPerQuery)),
            ("zonesPerDatabase", Int64(zonesPerDatabase)),
            ("zonesPerResponse", Int64(zonesPerResponse)),
            ("fieldsPerType", Int64(fieldsPerType)),
            ("newFieldsPerRequest", Int64(newFieldsPerRequest)),
            ("typesPerSchema", Int64(typesPerSchema)),
            ("newTypesPerRequest", Int64(newTypesPerRequest)),
            ("subscriptionBytes", Int64(subscriptionBytes)),
            ("notificationBytes", Int64(notificationBytes)),
            ("notificationPageBytes", Int64(notificationPageBytes)),
            ("badge", Int64(badge)),
            ("streamsPerPerson", Int64(streamsPerPerson)),
            ("sessionsPerPerson", Int64(sessionsPerPerson)),
            ("anonymousRequestBytes", Int64(anonymousRequestBytes)),
            ("receivingBytes", Int64(receivingBytes)),
            ("sendingBytes", Int64(sendingBytes)),
            ("transferBytesPerSecond", Int64(transferRate)),
            ("transferPatienceSeconds", Int64(transferPatience)),
            ("readSeconds", Int64(readSeconds)),
            ("waitingUploadBytes", waitingUploadBytes),
        ]
    }
}
