package import Records

/// Requests users by e-mail address, phone number, record name or contact hash.
package struct UsersDiscoverRequest: WireRequest {
    package var lookupInfos: [UserLookup]

    package init(_ lookupInfos: [UserLookup]) {
        self.lookupInfos = lookupInfos
    }

    package init(_ body: JSONNode, limits: Limits) throws(RecordError) {
        guard body["lookupInfos"] != nil else {
            lookupInfos = []
            return
        }
        lookupInfos = try body.list(
            "lookupInfos", atMost: limits.recordsPerResponse, next: "look for them in several requests"
        ) { (node) throws(RecordError) in
            try UserLookup(node)
        }
    }

    package func write(to json: inout JSONWriter) {
        json.list("lookupInfos", lookupInfos) { $0.write(to: &$1) }
    }
}

extension UserLookup {
    /// Decodes a lookup dictionary. If it has several keys, the first in the order below counts.
    init(_ node: JSONNode) throws(RecordError) {
        let info = try node.object()
        if let email = info["emailAddress"] {
            self = .email(try email.string())
        } else if let phone = info["phoneNumber"] {
            self = .phone(try phone.string())
        } else if let name = info["userRecordName"] {
            self = .userRecordName(try name.string())
        } else {
            let hash = try info.required("contactHash")
            guard let bytes = hash.base64Value else { throw hash.unexpected() }
            self = .contactHash(bytes)
        }
    }

    func write(to json: inout JSONWriter) {
        json.beginObject()
        writeMember(to: &json)
        json.endObject()
    }

    func writeMember(to json: inout JSONWriter) {
        switch self {
        case .email(let address): json.member("emailAddress", address)
        case .phone(let number): json.member("phoneNumber", number)
        case .userRecordName(let name): json.member("userRecordName", name)
        case .contactHash(let bytes): json.member("contactHash", base64: bytes)
        }
    }
}
