package import Records

/// Requests the zones that changed since a token.
package struct ChangesDatabaseRequest: WireRequest {
    /// The token; nil: from the beginning.
    package var token: ChangeToken?
    package var resultsLimit: Int?

    package init(token: ChangeToken? = nil, resultsLimit: Int? = nil) {
        self.token = token
        self.resultsLimit = resultsLimit
    }

    package init(_ body: JSONNode, limits: Limits) throws(RecordError) {
        token = try body.token("syncToken")
        resultsLimit = try body["resultsLimit"]?.int()
    }

    package func write(to json: inout JSONWriter) {
        json.member("syncToken", base64: token?.bytes)
        json.member("resultsLimit", resultsLimit.map(Int64.init))
    }
}
