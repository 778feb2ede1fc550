package import Records

/// The identity of a user as other users may see it (CloudKit Web Services Reference, *Types and
/// Dictionaries*).
package struct UserIdentity: Hashable, Sendable {
    /// The user record name: `_` and 32 hexadecimal digits.
    package var userRecordName: String
    package var givenName: String?
    package var familyName: String?
    /// The address by which the person was found or can be found.
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

    /// Decodes the answer to `users/caller`: an identity, or a list that begins with one. It also decodes the
    /// answer to the older `users/current`. Throws `internalError` if the body cannot be read.
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

    /// Encodes the answer to `users/caller`: the identity without a list.
    package func encoded() -> [UInt8] {
        var json = JSONWriter()
        write(to: &json)
        return json.bytes
    }

    /// Encodes the answer to the older `users/current`.
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
