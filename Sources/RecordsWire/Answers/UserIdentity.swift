package import Records

/// What one person may know of another.
package struct UserIdentity: Hashable, Sendable {
    /// `_` and 32 hexadecimal digits.
    package var userRecordName: String
    package var givenName: String?
    package var familyName: String?
    /// By what the person was found, or can be.
    package var lookupInfo: UserLookup?

    package init(
        userRecordName: String,
        givenName: String? = nil,
        familyName: String? = nil,
        lookupInfo: UserLookup? = nil
    ) {
        self.userRecordName = userRecordName
        self.givenName = givenName
        self.familyName = familyName
        self.lookupInfo = lookupInfo
    }

    /// Reads the answer to users/caller: an identity, or a list that begins with one. Also that to the older
    /// users/current. Throws `internalError` when it cannot be read.
    package init(bytes: [UInt8]) throws(RecordError) {
        do throws(RecordError) {
            let body = try JSONDocument(bytes, nesting: answerNesting).root.object()
            if body["userRecordName"] == nil, let users = body["users"], let first = users.elements.first {
                self = try UserIdentity(first)
            } else {
                self = try UserIdentity(body)
            }
        } catch {
            throw error.asUnreadableAnswer
        }
    }

    init(_ node: JSONNode) throws(RecordError) {
        let names = node["nameComponents"]
        self.init(
            userRecordName: try node.required("userRecordName").string(),
            givenName: try (names?["givenName"] ?? node["firstName"])?.string(),
            familyName: try (names?["familyName"] ?? node["lastName"])?.string()
        )
        if let info = node["lookupInfo"] {
            lookupInfo = try UserLookup(info)
        } else if let email = node["emailAddress"] {
            lookupInfo = .email(try email.string())
        }
    }

    /// The body that answers users/caller: the identity itself, without a list around it.
    package func encoded() -> [UInt8] {
        var json = JSONWriter()
        write(to: &json)
        return json.bytes
    }

    /// The body that answers the older users/current.
    package func encodedAsUserDictionary() -> [UInt8] {
        var json = JSONWriter()
        writeAsUserDictionary(to: &json)
        return json.bytes
    }

    func writeAsUserDictionary(to json: inout JSONWriter) {
        json.beginObject()
        json.member("userRecordName", userRecordName)
        json.member("firstName", givenName)
        json.member("lastName", familyName)
        if case .email(let address) = lookupInfo { json.member("emailAddress", address) }
        json.endObject()
    }

    func write(to json: inout JSONWriter) {
        json.beginObject()
        json.member("userRecordName", userRecordName)
        if givenName != nil || familyName != nil {
            json.key("nameComponents")
            json.beginObject()
            json.member("givenName", givenName)
            json.member("familyName", familyName)
            json.endObject()
        }
        if let lookupInfo {
            json.key("lookupInfo")
            lookupInfo.write(to: &json)
        }
        json.endObject()
    }
}

extension JSONElements {
    /// The first element.
    fileprivate var first: JSONNode? {
        var elements = self
        return elements.next()
    }
}
