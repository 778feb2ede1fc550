// Owns how people are described in answers.

package import Records

/// What one person may know of another (sheet 1.13, 3.12).
package struct UserIdentity: Hashable, Sendable {
    /// `_` and 32 hexadecimal digits.
    package var userRecordName: String
    package var givenName: String?
    package var familyName: String?
    package var emailAddress: String?
    package var phoneNumber: String?

    package init(
        userRecordName: String,
        givenName: String? = nil,
        familyName: String? = nil,
        emailAddress: String? = nil,
        phoneNumber: String? = nil
    ) {
        self.userRecordName = userRecordName
        self.givenName = givenName
        self.familyName = familyName
        self.emailAddress = emailAddress
        self.phoneNumber = phoneNumber
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
        let lookup = node["lookupInfo"]
        self.init(
            userRecordName: try node.required("userRecordName").string(),
            givenName: try (names?["givenName"] ?? node["firstName"])?.string(),
            familyName: try (names?["familyName"] ?? node["lastName"])?.string(),
            emailAddress: try (lookup?["emailAddress"] ?? node["emailAddress"])?.string(),
            phoneNumber: try lookup?["phoneNumber"]?.string()
        )
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
        json.beginObject()
        json.member("userRecordName", userRecordName)
        json.member("firstName", givenName)
        json.member("lastName", familyName)
        json.member("emailAddress", emailAddress)
        json.endObject()
        return json.bytes
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
        if emailAddress != nil || phoneNumber != nil {
            json.key("lookupInfo")
            json.beginObject()
            json.member("emailAddress", emailAddress)
            json.member("phoneNumber", phoneNumber)
            json.endObject()
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
