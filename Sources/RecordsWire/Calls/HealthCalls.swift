package import Records

/// Checks that the server's process answers. The call reads no data.
package struct CheckLiveness: BareCall {
    package typealias Answer = ServerState
    package static let endpoint = ServerEndpoint.live

    package init() {}
}

/// Checks that the server accepts requests and can write its data. Otherwise the call throws `tryAgainLater`
/// with the reason.
package struct CheckReadiness: BareCall {
    package typealias Answer = ServerState
    package static let endpoint = ServerEndpoint.ready

    package init() {}
}

/// The state of a server: `live` or `ready`.
package struct ServerState: WireObject {
    package var status: String

    package init(_ status: String) {
        self.status = status
    }

    package init(_ object: JSONNode) throws(RecordError) {
        status = try object.required("status").string()
    }

    package func writeMembers(to json: inout JSONWriter) {
        json.member("status", status)
    }
}
