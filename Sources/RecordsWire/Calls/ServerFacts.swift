package import Records

/// Requests the facts that the server publishes about itself.
package struct ReadServerFacts: BareCall {
    package typealias Answer = ServerFacts
    package static let endpoint = ServerEndpoint.limits

    package init() {}
}

/// The limits, request rates, quota, version and openness of a server. Numbers with unknown names are kept as
/// limits, and unknown sections are ignored.
package struct ServerFacts: WireObject {
    /// A limit with its published name.
    package struct Limit: Hashable, Sendable {
        package var name: String
        package var value: Int64

        package init(_ name: String, _ value: Int64) {
            self.name = name
            self.value = value
        }
    }

    /// A request rate with its scope.
    package struct Rate: Hashable, Sendable {
        /// The scope of the rate: `person`, `address`, `app` or `container`.
        package var scope: String
        package var rate: RequestRate

        package init(_ scope: String, _ rate: RequestRate) {
            self.scope = scope
            self.rate = rate
        }
    }

    /// The server's product name and version, and whether it is open.
    package struct Software: Hashable, Sendable {
        package var name: String
        package var version: String
        /// Whether people without a password can sign in by name; nil if the server does not publish it.
        package var isOpen: Bool?

        package init(name: String, version: String, isOpen: Bool? = nil) {
            self.name = name
            self.version = version
            self.isOpen = isOpen
        }
    }

    /// The limits, in records, bytes, characters or seconds as their names say.
    package var limits: [Limit]
    package var rates: [Rate]
    /// The software; nil if the server does not publish it.
    package var software: Software?
    /// The storage quota; nil if storage is unlimited.
    package var quota: QuotaRules?

    package init(
        limits: [Limit] = [], rates: [Rate] = [], software: Software? = nil, quota: QuotaRules? = nil
    ) {
        self.limits = limits
        self.rates = rates
        self.software = software
        self.quota = quota
    }

    /// The limit with this name; nil if the server does not publish it.
    package func limit(_ name: String) -> Int64? {
        limits.first { $0.name == name }?.value
    }

    package init(_ object: JSONNode) throws(RecordError) {
        limits = []
        for (key, value) in object.members {
            // Objects are sections. Known ones are read below, and unknown ones are ignored.
            if value.kind == .object || value.isNull { continue }
            limits.append(Limit(try key.string(), try value.int64()))
        }
        rates = []
        if let section = try object["requestRates"]?.object() {
            for (key, value) in section.members {
                rates.append(Rate(try key.string(), try RequestRate(value.object())))
            }
        }
        if let software = try object["server"]?.object() {
            self.software = Software(
                name: try software.required("name").string(),
                version: try software.required("version").string(), isOpen: try software["open"]?.bool())
        }
        quota = nil
        if let rules = try object["quota"]?.object() { quota = try QuotaRules(rules) }
    }

    package func writeMembers(to json: inout JSONWriter) {
        for limit in limits {
            json.key(limit.name)
            json.integer(limit.value)
        }
        json.key("requestRates" as StaticString)
        json.beginObject()
        for rate in rates {
            json.key(rate.scope)
            rate.rate.write(to: &json)
        }
        json.endObject()
        if let software {
            json.key("server" as StaticString)
            json.beginObject()
            json.member("name", software.name)
            json.member("version", software.version)
            json.member("open", software.isOpen)
            json.endObject()
        }
        if let quota {
            json.key("quota" as StaticString)
            quota.write(to: &json)
        }
    }
}

extension RequestRate: WireObject {
    package init(_ object: JSONNode) throws(RecordError) {
        self.init(
            requests: try object.required("requests").int(), seconds: try object.required("seconds").int())
    }

    package func writeMembers(to json: inout JSONWriter) {
        json.member("requests", Int64(requests))
        json.member("seconds", Int64(seconds))
    }
}

extension QuotaRules: WireObject {
    package init(_ object: JSONNode) throws(RecordError) {
        self.init()
        // A server of an earlier version does not publish all of them.
        for (name, path) in Self.published {
            if let number = try object[name]?.int64() { self[keyPath: path] = number }
        }
    }

    package func writeMembers(to json: inout JSONWriter) {
        for (name, path) in Self.published {
            json.key(name)
            json.integer(self[keyPath: path])
        }
    }
}
