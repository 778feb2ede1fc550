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
        isApprovedRequester = try node.flag("isApprovedRequester")
        guard let identity = node["userIdentity"] else { return }
        person = try identity["userRecordName"]?.string()
        name = try Name(identity: identity)
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
        if isApprovedRequester { json.member("isApprovedRequester", true) }
        json.key("userIdentity")
        json.beginObject()
        json.member("userRecordName", person)
        name.write(to: &json)
        if let address {
            json.key("lookupInfo")
            address.lookup.write(to: &json)
        }
        json.endObject()
        json.endObject()
    }
}

extension Participant.Name {
    /// Decodes the name of an identity; empty if it has none.
    fileprivate init(identity: JSONNode) throws(RecordError) {
        self.init()
        guard let names = identity["nameComponents"] else { return }
        given = try names["givenName"]?.string()
        family = try names["familyName"]?.string()
    }

    /// Writes the member of an identity, unless the name is empty.
    fileprivate func write(to json: inout JSONWriter) {
        if self == Self() { return }
        json.key("nameComponents")
        json.beginObject()
        json.member("givenName", given)
        json.member("familyName", family)
        json.endObject()
    }
}

extension AccessRequester {
    /// Decodes an entry of `requesters` or `blocked`, which has the form of a participant's identity.
    init(_ node: JSONNode) throws(RecordError) {
        let identity = try node.object().required("userIdentity").object()
        self.init(
            person: try identity.required("userRecordName").string(),
            name: try Participant.Name(identity: identity))
    }

    /// Decodes a list. Entries of the same person count once.
    static func list(_ node: JSONNode) throws(RecordError) -> [AccessRequester] {
        var people: [AccessRequester] = []
        var seen: Set<String> = []
        for element in try node.array() {
            let one = try AccessRequester(element)
            if seen.insert(one.person).inserted { people.append(one) }
        }
        return people
    }

    func write(to json: inout JSONWriter) {
        json.beginObject()
        json.key("userIdentity")
        json.beginObject()
        json.member("userRecordName", person)
        name.write(to: &json)
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
