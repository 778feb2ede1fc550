// Owns the body of records/query.

package import Records

/// Asks for records that meet conditions (sheet 1.5).
package struct RecordsQueryRequest: WireRequest {
    package var query: Query
    /// nil: the default zone, or every zone of the database with `zoneWide`.
    package var zone: ZoneID?
    package var zoneWide: Bool
    package var resultsLimit: Int?
    /// Where the last page ended.
    package var continuationMarker: [UInt8]?
    /// nil: all fields; empty: none.
    package var desiredKeys: [String]?
    package var numbersAsStrings: Bool

    package init(
        _ query: Query,
        zone: ZoneID? = nil,
        zoneWide: Bool = false,
        resultsLimit: Int? = nil,
        continuationMarker: [UInt8]? = nil,
        desiredKeys: [String]? = nil,
        numbersAsStrings: Bool = false
    ) {
        self.query = query
        self.zone = zone
        self.zoneWide = zoneWide
        self.resultsLimit = resultsLimit
        self.continuationMarker = continuationMarker
        self.desiredKeys = desiredKeys
        self.numbersAsStrings = numbersAsStrings
    }

    package init(_ body: JSONNode, limits: Limits) throws(RecordError) {
        zone = try body.zone("zoneID")
        query = try Query(body.required("query"), home: zone, limits)
        zoneWide = try body.flag("zoneWide")
        resultsLimit = try body["resultsLimit"]?.int()
        desiredKeys = try body.desiredKeys(limits)
        numbersAsStrings = try body.numbersAsStrings() ?? false
        continuationMarker = try body.continuationMarker()
    }

    package func write(to json: inout JSONWriter) {
        json.key("query")
        query.write(to: &json)
        json.member("zoneID", zone)
        json.flag("zoneWide", zoneWide)
        json.member("resultsLimit", resultsLimit.map(Int64.init))
        json.member("continuationMarker", base64: continuationMarker)
        json.member("desiredKeys", desiredKeys)
        json.flag("numbersAsStrings", numbersAsStrings)
    }
}
