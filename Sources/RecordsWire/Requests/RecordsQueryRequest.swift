package import Records

/// Requests the records that match a query (CloudKit Web Services Reference, *Fetching Records Using a
/// Query*).
package struct RecordsQueryRequest: WireRequest {
    package var question: QueryRequest
    /// The fields to return; nil: all, empty: none.
    package var desiredKeys: [String]?
    package var numbersAsStrings: Bool

    package init(_ question: QueryRequest, desiredKeys: [String]? = nil, numbersAsStrings: Bool = false) {
        self.question = question
        self.desiredKeys = desiredKeys
        self.numbersAsStrings = numbersAsStrings
    }

    package init(_ body: JSONNode, limits: Limits) throws(RecordError) {
        let zone = try body.zone("zoneID")
        question = QueryRequest(try Query(body.required("query"), home: zone, limits), zone: zone)
        question.isZoneWide = try body.flag("zoneWide")
        question.limit = try body["resultsLimit"]?.int()
        desiredKeys = try body.desiredKeys(limits)
        numbersAsStrings = try body.numbersAsStrings() ?? false
        question.marker = try body.continuationMarker()
    }

    package func write(to json: inout JSONWriter) {
        json.key("query")
        question.query.write(to: &json)
        json.member("zoneID", question.zone)
        json.flag("zoneWide", question.isZoneWide)
        json.member("resultsLimit", question.limit.map(Int64.init))
        json.member("continuationMarker", base64: question.marker)
        json.member("desiredKeys", desiredKeys)
        json.flag("numbersAsStrings", numbersAsStrings)
    }
}
