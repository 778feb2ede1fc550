// The calls with which people prove that they own the address to which an invitation to a share is addressed.

package import Records

/// Requests a code for an address. The query contains the person's web auth token.
package struct RequestAddressCode: ServerCall {
    package typealias Answer = AddressCode
    package static let endpoint = ServerEndpoint.signIn(.code)

    package var container: String
    package var environment: CloudEnvironment
    /// The share that the address is invited to.
    package var shortGUID: String
    package var address: ContactAddress

    package init(
        container: String, environment: CloudEnvironment, shortGUID: String, address: ContactAddress
    ) {
        self.container = container
        self.environment = environment
        self.shortGUID = shortGUID
        self.address = address
    }

    package init(reading request: CallReader) throws(RecordError) {
        container = try request.body.required("container").string()
        environment = try request.body.required("environment").environment()
        shortGUID = try request.body.required("shortGUID").string()
        address = try ContactAddress(lookup: request.body.required("lookupInfo"))
    }

    package func write(to request: inout CallWriter) {
        request.body.member("container", container)
        request.body.member("environment", environment.rawValue)
        request.body.member("shortGUID", shortGUID)
        request.body.key("lookupInfo" as StaticString)
        address.lookup.write(to: &request.body)
    }
}

/// The answer to `RequestAddressCode`.
package struct AddressCode: WireObject {
    /// The code, if the server is open and sends no codes; nil if a code was sent, or if the address is not
    /// invited.
    package var code: String?

    package init(_ code: String?) {
        self.code = code
    }

    package init(_ object: JSONNode) throws(RecordError) {
        code = try object["code"]?.string()
    }

    package func writeMembers(to json: inout JSONWriter) {
        json.member("code", code)
    }
}

/// Links an address to the person's account, with the code that was sent to it.
package struct ConfirmAddress: ServerCall {
    package typealias Answer = DoneAnswer
    package static let endpoint = ServerEndpoint.signIn(.confirm)

    package var container: String
    package var environment: CloudEnvironment
    package var address: ContactAddress
    package var code: String

    package init(
        container: String, environment: CloudEnvironment, address: ContactAddress, code: String
    ) {
        self.container = container
        self.environment = environment
        self.address = address
        self.code = code
    }

    package init(reading request: CallReader) throws(RecordError) {
        container = try request.body.required("container").string()
        environment = try request.body.required("environment").environment()
        address = try ContactAddress(lookup: request.body.required("lookupInfo"))
        code = try request.body.required("code").string()
    }

    package func write(to request: inout CallWriter) {
        request.body.member("container", container)
        request.body.member("environment", environment.rawValue)
        request.body.key("lookupInfo" as StaticString)
        address.lookup.write(to: &request.body)
        request.body.member("code", code)
    }
}

extension ContactAddress {
    /// Decodes a lookup dictionary. Throws `badRequest` for an invalid address, and for a dictionary that
    /// identifies a person in another way.
    fileprivate init(lookup node: JSONNode) throws(RecordError) {
        switch try UserLookup(node) {
        case .email(let text): self = try ContactAddress(email: text)
        case .phone(let text): self = try ContactAddress(phone: text)
        case .userRecordName, .contactHash:
            throw node.unexpected(nextStep: "name the address by emailAddress or phoneNumber")
        }
    }
}
