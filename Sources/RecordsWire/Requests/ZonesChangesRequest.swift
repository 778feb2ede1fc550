package import Records

/// Asks which zones have changed, in the form of zones/changes: its token is named `metaSyncToken` (sheet
/// 1.11).
package struct ZonesChangesRequest: WireRequest {
    /// nil: from the beginning.
    package var token: ChangeToken?
    package var resultsLimit: Int?

    package init(token: ChangeToken? = nil, resultsLimit: Int? = nil) {
        self.token = token
        self.resultsLimit = resultsLimit
    }

    package init(_ body: JSONNode, limits: Limits) throws(RecordError) {
        token = try body.token("metaSyncToken")
        resultsLimit = try body["resultsLimit"]?.int()
    }

    package func write(to json: inout JSONWriter) {
        json.member("metaSyncToken", base64: token?.bytes)
        json.member("resultsLimit", resultsLimit.map(Int64.init))
    }
}
