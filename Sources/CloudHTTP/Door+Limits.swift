// Owns the publishing of the server's limits.

import CloudService
import Hummingbird
import Records
import RecordsWire

extension Door {
    /// `GET /limits`: every limit under its name, in records, bytes, characters or seconds as the name says.
    func publishLimits() -> Response {
        var json = JSONWriter()
        json.beginObject()
        for (name, value) in service.limits.published {
            json.key(name)
            json.integer(value)
        }
        json.endObject()
        return Self.response(.ok, json.bytes, uuid: service.seams.randomUUID())
    }
}

extension Limits {
    /// What clients may want to know, by name.
    fileprivate var published: [(String, Int64)] {
        [
            ("operationsPerRequest", Int64(operationsPerRequest)),
            ("recordsPerResponse", Int64(recordsPerResponse)),
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
            ("nesting", Int64(nesting)),
        ]
    }
}
