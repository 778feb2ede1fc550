// Owns signing in by name, which a server in development offers in place of an account on the device.

internal import Records
internal import RecordsWire

extension CloudConnection {
    /// The same connection with a person signed in by name alone.
    ///
    /// The server makes the person on first use. Servers in production refuse it; there a web auth token
    /// comes from their sign-in page.
    ///
    /// - Throws: `CKError`: `networkUnavailable` without a server, `permissionFailure` where it is switched
    ///   off.
    public func signingIn(as name: String) async throws -> CloudConnection {
        var json = JSONWriter()
        json.beginObject()
        json.member("name", name)
        json.endObject()
        let request = CloudRequest(
            .post, "/dev/sign-in", headers: ["Content-Type": "application/json"], body: .bytes(json.bytes)
        )
        do {
            let response = try await transport.send(request)
            guard response.status == 200 else {
                throw RecordError(status: response.status, body: response.bytes)
            }
            var connection = self
            connection.webAuthToken = try JSONDocument(response.bytes).root.required("ckWebAuthToken")
                .string()
            return connection
        } catch {
            throw CKError(failure: error)
        }
    }
}
