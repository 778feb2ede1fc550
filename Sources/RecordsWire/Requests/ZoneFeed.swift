package import Records

/// What a client wants to know about one zone's changes.
package struct ZoneFeed: Hashable, Sendable {
    package var zone: ZoneID
    /// nil: from the beginning.
    package var token: ChangeToken?
    package var resultsLimit: Int?
    /// nil: all fields; empty: none.
    package var desiredKeys: [String]?
    /// nil: all types.
    package var desiredRecordTypes: [String]?
    /// Newest first.
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

    /// What can be asked for each zone, and for all zones of a request at once.
    struct Wishes {
        var resultsLimit: Int?
        var desiredKeys: [String]?
        var desiredRecordTypes: [String]?
        var isReversed: Bool?
        var numbersAsStrings: Bool?

        /// No wishes.
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

    /// Reads the question; what it leaves open is taken from `defaults`, which all zones of a request share.
    init(_ node: JSONNode, defaults: Wishes = Wishes(), limits: Limits) throws(RecordError) {
        let dictionary = try node.object()
        zone = try ZoneID(dictionary.required("zoneID"))
        token = try dictionary.token("syncToken")
        let own = try Wishes(dictionary, limits)
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
