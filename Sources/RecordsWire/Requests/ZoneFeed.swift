// Owns the question for the changes of one zone.

package import Records

/// What a client wants to know about one zone's changes (sheet 1.8, 1.9).
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

    /// Reads the question; what it leaves open is taken from `defaults`.
    init(_ node: JSONNode, defaults: JSONNode) throws(RecordError) {
        let dictionary = try node.object()
        zone = try ZoneID(dictionary.required("zoneID"))
        token = try dictionary.token("syncToken")
        resultsLimit = try (dictionary["resultsLimit"] ?? defaults["resultsLimit"])?.int()
        desiredKeys = try (dictionary["desiredKeys"] ?? defaults["desiredKeys"])?.strings()
        desiredRecordTypes =
            try (dictionary["desiredRecordTypes"] ?? defaults["desiredRecordTypes"])?.strings()
        isReversed = try (dictionary["reverse"] ?? defaults["reverse"])?.bool() ?? false
        let own = try dictionary.numbersAsStrings()
        let shared = try defaults.numbersAsStrings()
        numbersAsStrings = own ?? shared ?? false
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
