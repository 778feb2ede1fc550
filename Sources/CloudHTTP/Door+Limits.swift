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
        for limit in Limits.published {
            json.key(limit.name)
            json.integer(limit.value(in: service.limits))
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
        for (name, path) in Self.published {
            json.key(name)
            json.integer(self[keyPath: path])
        }
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
