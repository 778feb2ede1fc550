import Records

extension Reference {
    /// Decodes a reference dictionary. The zone is omitted if it is the record's own.
    init(_ node: JSONNode, home: ZoneID?) throws(RecordError) {
        let zone = try node.zone("zoneID")
        self.init(recordName: try node.required("recordName").string())
        if let zone, !zone.isSame(as: home) { self.zone = zone }
        guard let name = node["action"] else { return }
        guard let action = Action.allCases.first(where: { name.equals($0.wireName) }) else {
            throw name.unexpected(nextStep: "use NONE, DELETE_SELF or VALIDATE")
        }
        self.action = action
    }

    func write(to json: inout JSONWriter) {
        json.literal("{\"recordName\":")
        json.continuingString(recordName)
        json.member("zoneID", zone)
        json.append(",\"action\":\"")
        json.append(action.wireName)
        json.append("\"}")
    }
}

extension Reference.Action {
    static let allCases: [Reference.Action] = [.none, .deleteSelf, .validate]

    var wireName: StaticString {
        switch self {
        case .none: "NONE"
        case .deleteSelf: "DELETE_SELF"
        case .validate: "VALIDATE"
        }
    }
}

extension ZoneID {
    /// Whether a reference's zone is that of its record. References stay within their zone, so a missing
    /// owner equals the other's.
    fileprivate func isSame(as home: ZoneID?) -> Bool {
        guard let home, home.name == name else { return false }
        return owner == nil || home.owner == nil || owner == home.owner
    }
}
