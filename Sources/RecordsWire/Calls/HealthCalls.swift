package import Records

/// Asks whether the server's process answers. It reads no data.
package struct CheckLiveness: BareCall {
    package typealias Answer = ServerState
    package static let endpoint = ServerEndpoint.live

    package init() {}
}

/// Asks whether the server takes requests and can write its data. Throws `tryAgainLater` with the reason if
/// not.
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
