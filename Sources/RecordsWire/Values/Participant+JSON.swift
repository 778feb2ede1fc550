import Records

extension Participant {
    /// Decodes a list of participants, without those who were removed.
    static func list(_ node: JSONNode) throws(RecordError) -> [Participant] {
        var people: [Participant] = []
        for element in try node.array() {
            let status = try element.object()["acceptanceStatus"]?.string()
            if status != "REMOVED" { people.append(try Participant(element, status: status)) }
        }
        return people
    }

    /// Decodes a participant dictionary. The id is empty if the client has chosen none.
    private init(_ node: JSONNode, status: String?) throws(RecordError) {
        self.init(
            id: try node["participantId"]?.string() ?? "",
            acceptance: status == Acceptance.accepted.rawValue ? .accepted : .invited)
        if let type = node["type"] { role = try Role(type) }
        if let level = node["permission"] { permission = try Permission(level) }
        guard let identity = node["userIdentity"] else { return }
        person = try identity["userRecordName"]?.string()
        if let names = identity["nameComponents"] {
            name = Name(given: try names["givenName"]?.string(), family: try names["familyName"]?.string())
        }
        guard let info = identity["lookupInfo"] else { return }
        switch try UserLookup(info) {
        case .email(let text): address = try ContactAddress(email: text)
        case .phone(let text): address = try ContactAddress(phone: text)
        case .userRecordName(let name): person = person ?? name
        case .contactHash:
            throw info.unexpected(
                nextStep: "name the person by emailAddress, phoneNumber or userRecordName")
        }
    }

    func write(to json: inout JSONWriter) {
        json.beginObject()
        json.member("participantId", id.isEmpty ? nil : id)
        json.member("type", role.rawValue)
        json.member("permission", permission.rawValue)
        json.member("acceptanceStatus", acceptance.rawValue)
        json.key("userIdentity")
        json.beginObject()
        json.member("userRecordName", person)
        if name != Name() {
            json.key("nameComponents")
            json.beginObject()
            json.member("givenName", name.given)
            json.member("familyName", name.family)
            json.endObject()
        }
        if let address {
            json.key("lookupInfo")
            address.lookup.write(to: &json)
        }
        json.endObject()
        json.endObject()
    }
}

extension ContactAddress {
    /// The look-up of the person who has the address.
    var lookup: UserLookup {
        switch self {
        case .email(let address): .email(address)
        case .phone(let number): .phone(number)
        }
    }
}

extension Participant.Role {
    /// Decodes the role, also in CloudKit JS's spelling.
    fileprivate init(_ node: JSONNode) throws(RecordError) {
        let text = try node.string()
        if text == "PRIVATE_USER" {
            self = .privateUser
        } else if let role = Self(rawValue: text) {
            self = role
        } else {
            throw node.unexpected(
                nextStep: "use \(Self.allCases.map(\.rawValue).joined(separator: ", "))")
        }
    }
}

extension Participant.Permission {
    init(_ node: JSONNode) throws(RecordError) {
        guard let permission = Self(rawValue: try node.string()) else {
            throw node.unexpected(
                nextStep: "use \(Self.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        self = permission
    }
}
