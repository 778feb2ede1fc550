import CloudService
import HTTPTypes
import Hummingbird
import Records
import RecordsWire

extension RequestHandler {
    /// Determines the caller of a request from its headers and query.
    ///
    /// Throws `authenticationFailed` for invalid credentials, and for a credential that is given twice with
    /// different values.
    func caller(
        of path: RequestPath, _ parameters: RequestParameters, _ request: Request,
        _ signature: RequestSignature?
    ) async throws -> Caller {
        if let name = parameters.contradiction { throw Self.ambiguous(name) }
        return try await service.credentials.caller(
            Credentials(
                apiToken: parameters.apiToken, webAuthToken: parameters.webAuthToken,
                signature: signature, origin: request.headers[.origin],
                // Other clients, such as web pages, may send a `clientId` that names no device.
                device: request.wantsDetails ? parameters.clientID : nil
            ),
            container: path.container, environment: path.environment
        )
    }

    /// Reads the three headers of a signed request; nil if none of them is present.
    static func signature(of request: Request) throws -> RequestSignature? {
        let headers = request.headers
        let names: [HTTPField.Name] = [.signatureKey, .signatureDate, .signature]
        if !names.contains(where: headers.contains) { return nil }
        var values: [String] = []
        for name in names {
            let found = headers[values: name]
            guard found.count == 1 else { throw ambiguous(name.rawName) }
            values += found
        }
        return RequestSignature(
            keyID: values[0], date: values[1], signature: values[2], target: request.head.path ?? "")
    }

    private static func ambiguous(_ name: String) -> RecordError {
        RecordError(
            .authenticationFailed, "credentials are missing or given twice", culprit: name,
            nextStep: "send each of them once"
        )
    }
}

extension HTTPField.Name {
    static let signatureKey = known("X-Apple-CloudKit-Request-KeyID")
    static let signatureDate = known("X-Apple-CloudKit-Request-ISO8601Date")
    static let signature = known("X-Apple-CloudKit-Request-SignatureV1")

    /// A header name that is known to be valid; the fallback is never used.
    static func known(_ text: String) -> HTTPField.Name {
        HTTPField.Name(text) ?? .via
    }
}
