package import Records

/// `{"userDiscoverability":true}`: what the person says, or has said, about being found. Without the member:
/// to ask, or that the person was never asked.
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
