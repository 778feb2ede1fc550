// Owns the operator's calls about API tokens and server-to-server keys.

import CloudService
import Records
import RecordsWire

extension OperatorCall {
    static let credentialCalls = [
        get("containers/:container/tokens") { visit in
            let tokens = try await visit.service.apiTokens(of: try await visit.container())
            return JSONWriter.list("tokens", tokens) { $1.write(to: &$0) }
        },
        post("containers/:container/:environment/tokens") { visit in
            let callback = try visit.body["callback"]?.string()
            let (text, token) = try await visit.service.addAPIToken(
                container: try await visit.container(), environment: try visit.environment(),
                label: try visit.body["label"]?.string() ?? "",
                allowedOrigins: try visit.body["allowedOrigins"]?.strings() ?? [],
                callback: callback.map { .redirect($0) } ?? .message
            )
            return JSONWriter.object { json in
                json.member("token", text)
                token.writeMembers(to: &json)
            }
        },
        post("tokens/:id/revoke") { visit in
            let id = try visit.name("id")
            try await visit.service.revokeAPIToken(id: id)
            return JSONWriter.object { $0.member("id", id) }
        },
        get("containers/:container/keys") { visit in
            let keys = try await visit.service.serverKeys(of: try await visit.container())
            return JSONWriter.list("keys", keys) { $1.write(to: &$0) }
        },
        post("containers/:container/:environment/keys") { visit in
            let key = try await visit.service.addServerKey(
                container: try await visit.container(), environment: try visit.environment(),
                label: try visit.body["label"]?.string() ?? "",
                publicKey: try visit.body.required("publicKey").string()
            )
            return JSONWriter.object { key.writeMembers(to: &$0) }
        },
        post("keys/:id/revoke") { visit in
            let id = try visit.name("id")
            try await visit.service.revokeServerKey(id: id)
            return JSONWriter.object { $0.member("id", id) }
        },
    ]
}

extension APIToken {
    fileprivate func write(to json: inout JSONWriter) {
        json.beginObject()
        writeMembers(to: &json)
        json.endObject()
    }

    fileprivate func writeMembers(to json: inout JSONWriter) {
        json.member("id", id)
        json.member("container", container)
        json.member("environment", environment.rawValue)
        json.member("label", label)
        json.member("allowedOrigins", allowedOrigins)
        if case .redirect(let address) = callback { json.member("callback", address) }
        json.member("createdAt", created.milliseconds)
        json.member("revokedAt", revoked?.milliseconds)
    }
}

extension ServerKey {
    fileprivate func write(to json: inout JSONWriter) {
        json.beginObject()
        writeMembers(to: &json)
        json.endObject()
    }

    fileprivate func writeMembers(to json: inout JSONWriter) {
        json.member("id", id)
        json.member("container", container)
        json.member("environment", environment.rawValue)
        json.member("label", label)
        json.member("userRecordName", owner)
        json.member("createdAt", created.milliseconds)
        json.member("revokedAt", revoked?.milliseconds)
    }
}
