package import Records

extension Record {
    /// Decodes a record dictionary. A record without a zone belongs to `home`.
    package init(_ node: JSONNode, home: ZoneID) throws(RecordError) {
        let dictionary = try node.object()
        let zone = try dictionary.zone("zoneID") ?? home
        let name = try dictionary.required("recordName").string()
        self.init(
            id: RecordID(name: name, zone: zone),
            type: try dictionary.required("recordType").string()
        )
        if let fields = dictionary["fields"] {
            self.fields = try FieldChanges(fields.object(), home: zone).fields
        }
        changeTag = try dictionary["recordChangeTag"].map { (tag) throws(RecordError) in
            ChangeTag(text: try tag.string())
        }
        created = try Stamp(dictionary["created"])
        modified = try Stamp(dictionary["modified"])
        parent = try dictionary["parent"]?["recordName"]?.string()
        shortGUID = try dictionary["shortGUID"]?.string()
        if let terms = try Share(dictionary), type == Share.recordType {
            sharing = .share(terms)
        } else if let share = try dictionary["share"]?["recordName"]?.string() {
            sharing = .root(of: share)
        }
    }
}

extension Stamp {
    /// The device name in answers for writes without a device.
    package static let cloudDevice = "iCloud"

    fileprivate init?(_ node: JSONNode?) throws(RecordError) {
        guard let node else { return nil }
        let at = try node.required("timestamp")
        guard let milliseconds = at.int64Value else { throw at.invalid(expected: "TIMESTAMP") }
        let device = try node["deviceID"]?.string()
        self.init(
            at: Timestamp(milliseconds: milliseconds),
            by: try node["userRecordName"]?.string() ?? "",
            device: device == Self.cloudDevice ? nil : device
        )
    }
}
