package import Records

/// Whether the person allows others to find them: `{"userDiscoverability":true}`. Without the member, a
/// request reads the setting, and an answer means that the person has not been asked.
package struct UsersPermission: WireRequest {
    package var userDiscoverability: Bool?

    package init(userDiscoverability: Bool? = nil) {
        self.userDiscoverability = userDiscoverability
    }

    package init(_ body: JSONNode, limits: Limits) throws(RecordError) {
        userDiscoverability = try body["userDiscoverability"]?.bool()
    }

    package func write(to json: inout JSONWriter) {
        json.member("userDiscoverability", userDiscoverability)
    }
}
