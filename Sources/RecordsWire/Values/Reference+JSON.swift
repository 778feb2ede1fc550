import Records

extension Reference {
    /// Reads a reference. A zone that is the record's own is left out.
    init(_ node: JSONNode, home: ZoneID?) throws(RecordError) {
        let zone = try node.zone("zoneID")
        self.init(recordName: try node.required("recordName").string())
        if let zone, !zone.isSame(as: home) { self.zone = zone }
        guard let name = node["action"] else { return }
        guard let action = Action.allCases.first(where: { name.equals($0.wireName) }) else {
            throw name.unexpected(nextStep: "Use NONE, DELETE_SELF or VALIDATE.")
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
    /// Whether a reference's zone is that of its record. References do not leave their zone, so an owner
    /// that one of them leaves out is the other's.
    fileprivate func isSame(as home: ZoneID?) -> Bool {
        guard let home, home.name == name else { return false }
        return owner == nil || home.owner == nil || owner == home.owner
    }
}
