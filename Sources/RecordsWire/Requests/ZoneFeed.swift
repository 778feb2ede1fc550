package import Records

/// A request for the changes of one zone.
package struct ZoneFeed: Hashable, Sendable {
    package var zone: ZoneID
    /// The token; nil: from the beginning.
    package var token: ChangeToken?
    package var resultsLimit: Int?
    /// The fields to return; nil: all, empty: none.
    package var desiredKeys: [String]?
    /// The record types to return; nil: all.
    package var desiredRecordTypes: [String]?
    /// Whether to return the newest changes first.
    package var isReversed: Bool
    package var numbersAsStrings: Bool

    package init(
        zone: ZoneID,
        token: ChangeToken? = nil,
        resultsLimit: Int? = nil,
        desiredKeys: [String]? = nil,
        desiredRecordTypes: [String]? = nil,
        isReversed: Bool = false,
        numbersAsStrings: Bool = false
    ) {
        self.zone = zone
        self.token = token
        self.resultsLimit = resultsLimit
        self.desiredKeys = desiredKeys
        self.desiredRecordTypes = desiredRecordTypes
        self.isReversed = isReversed
        self.numbersAsStrings = numbersAsStrings
    }

    /// The options that apply to one zone or to all zones of a request.
    struct Options {
        var resultsLimit: Int?
        var desiredKeys: [String]?
        var desiredRecordTypes: [String]?
        var isReversed: Bool?
        var numbersAsStrings: Bool?

        /// No options.
        init() {}

        init(_ node: JSONNode, _ limits: Limits) throws(RecordError) {
            resultsLimit = try node["resultsLimit"]?.int()
            desiredKeys = try node.desiredKeys(limits)
            desiredRecordTypes = try node.strings(
                "desiredRecordTypes", atMost: limits.keysPerRequest,
                next: "leave desiredRecordTypes out to get all types")
            isReversed = try node["reverse"]?.bool()
            numbersAsStrings = try node.numbersAsStrings()
        }
    }

    /// Decodes the request for one zone. Missing options come from `defaults`.
    init(_ node: JSONNode, defaults: Options = Options(), limits: Limits) throws(RecordError) {
        let dictionary = try node.object()
        zone = try ZoneID(dictionary.required("zoneID"))
        token = try dictionary.token("syncToken")
        let own = try Options(dictionary, limits)
        resultsLimit = own.resultsLimit ?? defaults.resultsLimit
        desiredKeys = own.desiredKeys ?? defaults.desiredKeys
        desiredRecordTypes = own.desiredRecordTypes ?? defaults.desiredRecordTypes
        isReversed = own.isReversed ?? defaults.isReversed ?? false
        numbersAsStrings = own.numbersAsStrings ?? defaults.numbersAsStrings ?? false
    }

    func writeMembers(to json: inout JSONWriter) {
        json.member("zoneID", zone)
        json.member("syncToken", base64: token?.bytes)
        json.member("resultsLimit", resultsLimit.map(Int64.init))
        json.member("desiredKeys", desiredKeys)
        json.member("desiredRecordTypes", desiredRecordTypes)
        json.flag("reverse", isReversed)
        json.flag("numbersAsStrings", numbersAsStrings)
    }
}
