package import Records

/// Lists all accounts.
package struct ListPeople: BareCall {
    package typealias Answer = ListAnswer<PersonReport>
    package static let endpoint = ServerEndpoint.operator(.listPeople)

    package init() {}
}

/// Adds a person.
package struct AddPerson: ServerCall {
    package typealias Answer = PersonReport
    package static let endpoint = ServerEndpoint.operator(.addPerson)

    package var name: String
    package var email: String?
    package var phone: String?
    package var givenName: String?
    package var familyName: String?
    /// The password; nil: the person signs in by name alone, if the server is open.
    package var password: String?

    package init(
        _ name: String, email: String? = nil, phone: String? = nil, givenName: String? = nil,
        familyName: String? = nil, password: String? = nil
    ) {
        self.name = name
        self.email = email
        self.phone = phone
        self.givenName = givenName
        self.familyName = familyName
        self.password = password
    }

    package init(reading request: CallReader) throws(RecordError) {
        name = try request.body.required("name").string()
        email = try request.body["email"]?.string()
        phone = try request.body["phone"]?.string()
        givenName = try request.body["givenName"]?.string()
        familyName = try request.body["familyName"]?.string()
        password = try request.body["password"]?.string()
    }

    package func write(to request: inout CallWriter) {
        request.body.member("name", name)
        request.body.member("email", email)
        request.body.member("phone", phone)
        request.body.member("givenName", givenName)
        request.body.member("familyName", familyName)
        request.body.member("password", password)
    }
}

/// Reads the account and the storage use of a person.
package struct ReadPerson: NamedCall {
    package typealias Answer = PersonDetails
    package static let endpoint = ServerEndpoint.operator(.readPerson)
    package static let parameter: StaticString = "name"

    /// The sign-in name, the e-mail address, or a user record name in any container.
    package var name: String

    package init(_ name: String) {
        self.name = name
    }
}

/// Sets the account status of a person.
package struct SetPersonStatus: ServerCall {
    package typealias Answer = PersonReport
    package static let endpoint = ServerEndpoint.operator(.setPersonStatus)

    package var name: String
    package var status: AccountStatus

    package init(_ name: String, status: AccountStatus) {
        self.name = name
        self.status = status
    }

    package init(reading request: CallReader) throws(RecordError) {
        status = try request.body.required("status").accountStatus()
        name = try request.parameter("name")
    }

    package func write(to request: inout CallWriter) {
        request.parameter("name", name)
        request.body.member("status", status.rawValue)
    }
}

/// Sets the quota of a person: the maximum size of all private databases together.
package struct SetPersonQuota: ServerCall {
    package typealias Answer = PersonReport
    package static let endpoint = ServerEndpoint.operator(.setPersonQuota)

    package var name: String
    /// The quota; nil restores the server's default quota.
    package var quotaBytes: Int64?

    package init(_ name: String, quotaBytes: Int64?) {
        self.name = name
        self.quotaBytes = quotaBytes
    }

    package init(reading request: CallReader) throws(RecordError) {
        quotaBytes = try request.body["quotaBytes"]?.int64()
        name = try request.parameter("name")
    }

    package func write(to request: inout CallWriter) {
        request.parameter("name", name)
        request.body.member("quotaBytes", quotaBytes)
    }
}

/// Replaces a person's password and ends all sessions of the person.
package struct SetPersonPassword: ServerCall {
    package typealias Answer = NameAnswer
    package static let endpoint = ServerEndpoint.operator(.setPersonPassword)

    package var name: String
    /// The password; nil: the person signs in by name alone, if the server is open.
    package var password: String?

    package init(_ name: String, password: String?) {
        self.name = name
        self.password = password
    }

    package init(reading request: CallReader) throws(RecordError) {
        name = try request.parameter("name")
        password = try request.body["password"]?.string()
    }

    package func write(to request: inout CallWriter) {
        request.parameter("name", name)
        request.body.member("password", password)
    }
}

/// Ends all sessions of a person.
package struct SignOutPerson: NamedCall {
    package typealias Answer = NameAnswer
    package static let endpoint = ServerEndpoint.operator(.signOutPerson)
    package static let parameter: StaticString = "name"

    package var name: String

    package init(_ name: String) {
        self.name = name
    }
}

/// Deletes a person with all private data.
package struct DeletePerson: NamedCall {
    package typealias Answer = DeletionAnswer
    package static let endpoint = ServerEndpoint.operator(.deletePerson)
    package static let parameter: StaticString = "name"

    package var name: String

    package init(_ name: String) {
        self.name = name
    }
}
