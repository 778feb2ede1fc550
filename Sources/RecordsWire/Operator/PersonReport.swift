package import Records

/// The account of a person.
package struct PersonReport: WireListed {
    package static var listName: StaticString { "people" }

    package var name: String
    package var email: String?
    package var phone: String?
    package var givenName: String?
    package var familyName: String?
    package var status: AccountStatus
    package var hasPassword: Bool
    package var created: Timestamp
    /// The person's own quota in bytes; nil: the server's default quota.
    package var quotaBytes: Int64?

    package init(_ account: Account) {
        name = account.name
        email = account.email
        phone = account.phone
        givenName = account.givenName
        familyName = account.familyName
        status = account.status
        hasPassword = account.hasPassword
        created = account.created
        quotaBytes = account.quotaBytes
    }

    package init(_ object: JSONNode) throws(RecordError) {
        name = try object.required("name").string()
        email = try object["email"]?.string()
        phone = try object["phone"]?.string()
        givenName = try object["givenName"]?.string()
        familyName = try object["familyName"]?.string()
        status = try object.required("status").accountStatus()
        hasPassword = try object.required("hasPassword").bool()
        created = try object.required("createdAt").timestamp()
        quotaBytes = try object["quotaBytes"]?.int64()
    }

    package func writeMembers(to json: inout JSONWriter) {
        json.member("name", name)
        json.member("email", email)
        json.member("phone", phone)
        json.member("givenName", givenName)
        json.member("familyName", familyName)
        json.member("status", status.rawValue)
        json.member("hasPassword", hasPassword)
        json.member("createdAt", created.milliseconds)
        json.member("quotaBytes", quotaBytes)
    }
}

/// The account of a person with the storage use and the user record names.
package struct PersonDetails: WireObject {
    /// A person's user record name in one container.
    package struct ContainerUser: Hashable, Sendable {
        package var container: String
        package var userRecordName: String

        package init(container: String, userRecordName: String) {
            self.container = container
            self.userRecordName = userRecordName
        }
    }

    package var person: PersonReport
    /// The size in bytes of the private databases in all containers.
    package var privateBytes: Int64
    /// The limit of `privateBytes`; nil if storage is unlimited.
    package var privateBytesLimit: Int64?
    package var containers: [ContainerUser]

    package init(
        person: PersonReport, privateBytes: Int64, privateBytesLimit: Int64?, containers: [ContainerUser]
    ) {
        self.person = person
        self.privateBytes = privateBytes
        self.privateBytesLimit = privateBytesLimit
        self.containers = containers
    }

    package init(_ object: JSONNode) throws(RecordError) {
        person = try PersonReport(object)
        privateBytes = try object.required("privateBytes").int64()
        privateBytesLimit = try object["privateBytesLimit"]?.int64()
        containers = []
        for (key, value) in try object.required("containers").object().members {
            containers.append(ContainerUser(container: try key.string(), userRecordName: try value.string()))
        }
    }

    package func writeMembers(to json: inout JSONWriter) {
        person.writeMembers(to: &json)
        json.member("privateBytes", privateBytes)
        json.member("privateBytesLimit", privateBytesLimit)
        json.key("containers" as StaticString)
        json.beginObject()
        for user in containers {
            json.key(user.container)
            json.string(user.userRecordName)
        }
        json.endObject()
    }
}

extension JSONNode {
    /// The account status with this name. Throws `badRequest` if there is none.
    func accountStatus() throws(RecordError) -> AccountStatus {
        let text = try string()
        if let status = AccountStatus(rawValue: text) { return status }
        throw RecordError(
            .badRequest, "there is no such account status", culprit: text,
            nextStep: "use \(AccountStatus.allCases.map(\.rawValue).joined(separator: ", "))"
        )
    }
}
