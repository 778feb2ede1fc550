package import Records

/// Asks for the zones of a database, page by page: the sheet knows one page only, and a first
/// page without wishes has all zones unless there are very many.
package struct ZonesListRequest: WireRequest {
    package var resultsLimit: Int?
    /// Where the last page ended.
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
