package import Records

/// Requests records by name.
package struct RecordsLookupRequest: WireRequest {
    /// One requested record.
    package struct Item: Hashable, Sendable {
        package var recordName: String
        /// The fields to return; nil: those of the request.
        package var desiredKeys: [String]?

        package init(recordName: String, desiredKeys: [String]? = nil) {
            self.recordName = recordName
            self.desiredKeys = desiredKeys
        }
    }

    package var records: [Item]
    /// The records' zone; nil: the default zone.
    package var zone: ZoneID?
    /// The fields to return; nil: all, empty: none.
    package var desiredKeys: [String]?
    package var numbersAsStrings: Bool

    package init(
        _ records: [Item],
        zone: ZoneID? = nil,
        desiredKeys: [String]? = nil,
        numbersAsStrings: Bool = false
    ) {
        self.records = records
        self.zone = zone
        self.desiredKeys = desiredKeys
        self.numbersAsStrings = numbersAsStrings
    }

    package init(_ body: JSONNode, limits: Limits) throws(RecordError) {
        // The limit applies to the keys of all records together.
        var keys = 0
        records = try body.list(
            "records", atMost: limits.recordsPerResponse, next: "ask for them in several requests"
        ) { (node) throws(RecordError) in
            if let name = node.stringValue { return Item(recordName: name) }
            let name = try node.object().required("recordName").string()
            guard let own = node["desiredKeys"] else { return Item(recordName: name) }
            keys += own.elementCount
            try RecordError.check(
                keys, atMost: limits.keysPerRequest, "desiredKeys",
                next: "name the keys once, beside the records")
            return Item(recordName: name, desiredKeys: try own.strings())
        }
        zone = try body.zone("zoneID")
        desiredKeys = try body.desiredKeys(limits)
        numbersAsStrings = try body.numbersAsStrings() ?? false
    }

    package func write(to json: inout JSONWriter) {
        json.list("records", records) { record, json in
            json.beginObject()
            json.member("recordName", record.recordName)
            json.member("desiredKeys", record.desiredKeys)
            json.endObject()
        }
        json.member("zoneID", zone)
        json.member("desiredKeys", desiredKeys)
        json.flag("numbersAsStrings", numbersAsStrings)
    }
}
