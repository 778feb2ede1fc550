package import Records

extension ZoneID {
    /// Decodes `{"zoneName":…,"ownerRecordName":…}`, or a plain zone name. The zone name defaults to the
    /// default zone. Aliases of the current user become a nil owner.
    package init(_ node: JSONNode) throws(RecordError) {
        if let name = node.stringValue {
            self.init(name: name)
            return
        }
        let dictionary = try node.object()
        let name = try dictionary["zoneName"]?.string() ?? ZoneID.defaultName
        let owner = try dictionary["ownerRecordName"]?.string()
        self.init(name: name, owner: owner.flatMap(Self.meantOwner))
    }

    /// Writes the form of requests, which contains the owner only if there is one.
    package func write(to json: inout JSONWriter) {
        json.beginObject()
        json.key("zoneName")
        json.string(name)
        json.member("ownerRecordName", owner)
        json.endObject()
    }

    /// Writes the form of answers, which always contains owner and type.
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
    /// The zone ID in a member; nil if it is absent.
    func zone(_ key: StaticString) throws(RecordError) -> ZoneID? {
        guard let node = self[key] else { return nil }
        return try ZoneID(node)
    }
}

extension JSONWriter {
    /// Writes a zone ID in the form of requests, unless it is nil.
    mutating func member(_ name: StaticString, _ zone: ZoneID?) {
        guard let zone else { return }
        key(name)
        zone.write(to: &self)
    }
}
