package import Records

/// Signs a person in by name without a password.
package struct SignInByName: ServerCall {
    package typealias Answer = SignIn
    package static let endpoint = ServerEndpoint.development(.signIn)

    package var name: String
    /// The container whose user record name the answer contains; nil: no user record name.
    package var container: String?

    package init(_ name: String, container: String? = nil) {
        self.name = name
        self.container = container
    }

    package init(reading request: CallReader) throws(RecordError) {
        name = try request.body.required("name").string()
        container = try request.body["container"]?.string()
    }

    package func write(to request: inout CallWriter) {
        request.body.member("name", name)
        request.body.member("container", container)
    }
}

/// The account of the signed-in person, as the person may see it.
package struct OwnAccount: WireObject {
    package var name: String
    package var email: String?
    package var phone: String?
    package var givenName: String?
    package var familyName: String?

    package init(
        name: String, email: String? = nil, phone: String? = nil, givenName: String? = nil,
        familyName: String? = nil
    ) {
        self.name = name
        self.email = email
        self.phone = phone
        self.givenName = givenName
        self.familyName = familyName
    }

    package init(_ object: JSONNode) throws(RecordError) {
        name = try object.required("name").string()
        email = try object["email"]?.string()
        phone = try object["phone"]?.string()
        givenName = try object["givenName"]?.string()
        familyName = try object["familyName"]?.string()
    }

    package func writeMembers(to json: inout JSONWriter) {
        json.member("name", name)
        json.member("email", email)
        json.member("phone", phone)
        json.member("givenName", givenName)
        json.member("familyName", familyName)
    }
}

/// Changes the account of the signed-in person, and returns it. A nil property leaves that part of the
/// account unchanged.
package struct DescribeAccount: ServerCall {
    package typealias Answer = OwnAccount
    package static let endpoint = ServerEndpoint.development(.describeAccount)

    package var container: String
    package var email: String?
    package var phone: String?
    package var givenName: String?
    package var familyName: String?
    package var password: String?

    package init(
        in container: String, email: String? = nil, phone: String? = nil, givenName: String? = nil,
        familyName: String? = nil, password: String? = nil
    ) {
        self.container = container
        self.email = email
        self.phone = phone
        self.givenName = givenName
        self.familyName = familyName
        self.password = password
    }

    package init(reading request: CallReader) throws(RecordError) {
        container = try request.body.required("container").string()
        email = try request.body["email"]?.string()
        phone = try request.body["phone"]?.string()
        givenName = try request.body["givenName"]?.string()
        familyName = try request.body["familyName"]?.string()
        password = try request.body["password"]?.string()
    }

    package func write(to request: inout CallWriter) {
        request.body.member("container", container)
        request.body.member("email", email)
        request.body.member("phone", phone)
        request.body.member("givenName", givenName)
        request.body.member("familyName", familyName)
        request.body.member("password", password)
    }
}

/// Sets the request rate of each person.
package struct SetRate: ServerCall {
    package typealias Answer = RateAnswer
    package static let endpoint = ServerEndpoint.development(.setRate)

    /// The rate; nil restores the rate from the server's start.
    package var rate: RequestRate?

    package init(_ rate: RequestRate?) {
        self.rate = rate
    }

    package init(reading request: CallReader) throws(RecordError) {
        guard let requests = request.body["requests"] else { return }
        let seconds = try request.body["seconds"]?.int() ?? 1
        rate = RequestRate(requests: try requests.int(), seconds: seconds)
    }

    package func write(to request: inout CallWriter) {
        rate?.writeMembers(to: &request.body)
    }
}

/// The current rate; nil if requests are unlimited.
package struct RateAnswer: WireObject {
    package var rate: RequestRate?

    package init(_ rate: RequestRate?) {
        self.rate = rate
    }

    package init(_ object: JSONNode) throws(RecordError) {
        if object["requests"] != nil { rate = try RequestRate(object) }
    }

    package func writeMembers(to json: inout JSONWriter) {
        rate?.writeMembers(to: &json)
    }
}

/// Removes zones of the signed-in person's private database, as the person can do outside of the app in the
/// device's settings.
package struct RemoveZones: ServerCall {
    package typealias Answer = RemovedZones
    package static let endpoint = ServerEndpoint.development(.removeZones)

    /// The reason for the removal.
    package enum Reason: String, Hashable, Sendable {
        case purged
        case encryptedDataReset
    }

    package var container: String
    package var environment: CloudEnvironment
    package var reason: Reason
    /// The names of the zones; nil: all zones.
    package var zones: [String]?

    package init(
        _ zones: [String]? = nil, because reason: Reason, in container: String,
        _ environment: CloudEnvironment = .development
    ) {
        self.container = container
        self.environment = environment
        self.reason = reason
        self.zones = zones
    }

    package init(reading request: CallReader) throws(RecordError) {
        reason = try Reason(spelling: request.body.required("reason").string())
        container = try request.body.required("container").string()
        environment = try request.body["environment"]?.environment() ?? .development
        zones = try request.body["zones"]?.strings()
    }

    package func write(to request: inout CallWriter) {
        request.body.member("container", container)
        request.body.member("environment", environment.rawValue)
        request.body.member("reason", reason.rawValue)
        request.body.member("zones", zones)
    }
}

extension RemoveZones.Reason {
    /// The reason with this name. Throws `badRequest` for an unknown one.
    package init(spelling name: String) throws(RecordError) {
        guard let reason = Self(rawValue: name) else {
            throw RecordError(
                .badRequest, "there is no reason with this name", culprit: name,
                nextStep: "use purged or encryptedDataReset; an app deletes its zones with zones/modify"
            )
        }
        self = reason
    }
}

/// The names of the removed zones.
package struct RemovedZones: WireObject {
    package var zones: [String]

    package init(_ zones: [String]) {
        self.zones = zones
    }

    package init(_ object: JSONNode) throws(RecordError) {
        zones = try object.required("zones").strings()
    }

    package func writeMembers(to json: inout JSONWriter) {
        json.member("zones", zones)
    }
}
