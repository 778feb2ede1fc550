package import Records

extension ZoneID {
    /// Reads `{"zoneName":…,"ownerRecordName":…}`, or a bare name. What is absent has its
    /// default; the aliases of the caller become no owner.
    package init(_ node: JSONNode) throws(RecordError) {
        if let name = node.stringValue {
            self.init(name: name)
            return
        }
        let dictionary = try node.object()
        let name = try dictionary["zoneName"]?.string() ?? ZoneID.defaultName
        let owner = try dictionary["ownerRecordName"]?.string()
        self.init(name: name, owner: owner.flatMap { Self.ownerAliases.contains($0) ? nil : $0 })
    }

    /// The names that stand for whoever asks.
    private static let ownerAliases: Set<String> = ["_defaultOwner", "__defaultOwner__", ""]

    /// Writes the form that requests have: the owner only if there is one.
    package func write(to json: inout JSONWriter) {
        json.beginObject()
        json.key("zoneName")
        json.string(name)
        json.member("ownerRecordName", owner)
        json.endObject()
    }

    /// Writes the form that answers have: owner and type always.
    package func write(to json: inout JSONWriter, defaultOwner: String) {
        json.literal("{\"zoneName\":")
        json.continuingString(name)
        json.append(",\"ownerRecordName\":")
        json.continuingString(owner ?? defaultOwner)
        json.append(",\"zoneType\":")
        json.append(isDefault ? "\"DEFAULT_ZONE\"}" : "\"REGULAR_CUSTOM_ZONE\"}")
    }
}

extension JSONNode {
    /// The zone ID in a member, if it is there.
    func zone(_ key: StaticString) throws(RecordError) -> ZoneID? {
        guard let node = self[key] else { return nil }
        return try ZoneID(node)
    }
}

extension JSONWriter {
    /// A member that is a zone ID as requests have it; nothing when there is none.
    mutating func member(_ name: StaticString, _ zone: ZoneID?) {
        guard let zone else { return }
        key(name)
        zone.write(to: &self)
    }
}
