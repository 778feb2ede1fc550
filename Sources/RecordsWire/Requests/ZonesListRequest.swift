package import Records

/// Requests the zones of a database. Pages are a Cloudlet extension: CloudKit returns all zones at once, and
/// so does the first page unless the database has very many.
package struct ZonesListRequest: WireRequest {
    package var resultsLimit: Int?
    /// The continuation marker of the previous page.
    package var continuationMarker: [UInt8]?

    package init(resultsLimit: Int? = nil, continuationMarker: [UInt8]? = nil) {
        self.resultsLimit = resultsLimit
        self.continuationMarker = continuationMarker
    }

    package init(_ body: JSONNode, limits: Limits) throws(RecordError) {
        resultsLimit = try body["resultsLimit"]?.int()
        continuationMarker = try body.continuationMarker()
    }

    package func write(to json: inout JSONWriter) {
        json.member("resultsLimit", resultsLimit.map(Int64.init))
        json.member("continuationMarker", base64: continuationMarker)
    }
}
