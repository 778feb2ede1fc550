import Crypto
import Foundation
import Records

/// The keys of an account of an object store. A description of it, as in a log, has none of the secrets.
package struct BucketCredentials: CustomStringConvertible, CustomReflectable, Sendable {
    package var keyID: String
    package var secret: String
    /// The token of temporary keys.
    package var sessionToken: String?

    package init(keyID: String, secret: String, sessionToken: String? = nil) {
        self.keyID = keyID
        self.secret = secret
        self.sessionToken = sessionToken
    }

    package var description: String { "the key \(keyID)" }

    package var customMirror: Mirror { Mirror(self, children: ["keyID": keyID]) }
}

/// Signs requests with *AWS Signature Version 4*.
struct RequestSigner: Sendable {
    let credentials: BucketCredentials
    let region: String

    /// The signed parts of a request.
    struct Parts {
        var method: String
        var host: String
        /// The encoded path.
        var path: String
        /// The encoded and sorted query.
        var query = ""
        /// Further headers to sign, with lower-case names.
        var headers: [(name: String, value: String)] = []
        /// The SHA-256 of the body in hexadecimal digits.
        var bodyHash = RequestSigner.hashOfNothing
    }

    static let hashOfNothing = hash([])

    /// The longest time for which an address can be valid, in seconds: a week.
    static let longestSeconds = 604_800

    static func hash<Bytes: Sequence>(_ bytes: Bytes) -> String where Bytes.Element == UInt8 {
        var hash = SHA256()
        _ =
            bytes.withContiguousStorageIfAvailable { hash.update(bufferPointer: UnsafeRawBufferPointer($0)) }
            ?? hash.update(data: Array(bytes))
        return Array(hash.finalize()).hexadecimal
    }

    /// The headers that sign a request: the given ones, and those that the signature adds.
    func headers(for parts: Parts, at date: Date) -> [(name: String, value: String)] {
        let time = Self.time(date)
        var headers = parts.headers
        headers.append(("host", parts.host))
        headers.append(("x-amz-content-sha256", parts.bodyHash))
        headers.append(("x-amz-date", time))
        if let token = credentials.sessionToken { headers.append(("x-amz-security-token", token)) }
        headers.sort { $0.name < $1.name }
        let names = headers.map(\.name).joined(separator: ";")
        let signature = signature(of: parts, headers, names, at: time)
        let authorization =
            "AWS4-HMAC-SHA256 Credential=\(credentials.keyID)/\(scope(time)),SignedHeaders=\(names),"
            + "Signature=\(signature)"
        return headers + [("authorization", authorization)]
    }

    /// The encoded query of an address that anyone may use to read an object.
    ///
    /// - Parameters:
    ///   - seconds: How long the address is valid. Object stores accept no more than a week.
    ///   - further: Parameters of the request, which are signed, too.
    func query(
        for parts: Parts, at date: Date, seconds: Int, further: [(String, String)] = []
    ) -> String {
        let time = Self.time(date)
        var parameters = [
            ("X-Amz-Algorithm", "AWS4-HMAC-SHA256"),
            ("X-Amz-Credential", "\(credentials.keyID)/\(scope(time))"), ("X-Amz-Date", time),
            ("X-Amz-Expires", String(min(max(seconds, 1), Self.longestSeconds))),
            ("X-Amz-SignedHeaders", "host"),
        ]
        parameters += further
        if let token = credentials.sessionToken { parameters.append(("X-Amz-Security-Token", token)) }
        var parts = parts
        parts.query = URLText.query(parameters)
        parts.bodyHash = "UNSIGNED-PAYLOAD"
        let signature = signature(of: parts, [("host", parts.host)], "host", at: time)
        return parts.query + "&X-Amz-Signature=" + signature
    }

    private func signature(
        of parts: Parts, _ headers: [(name: String, value: String)], _ names: String, at time: String
    ) -> String {
        let lines = headers.map { "\($0.name):\($0.value.trimmingCharacters(in: .whitespaces))\n" }
        let request = [parts.method, parts.path, parts.query, lines.joined(), names, parts.bodyHash]
            .joined(separator: "\n")
        let text = ["AWS4-HMAC-SHA256", time, scope(time), Self.hash(request.utf8)].joined(separator: "\n")
        var key = SymmetricKey(data: Array("AWS4\(credentials.secret)".utf8))
        for part in [String(time.prefix(8)), region, "s3", "aws4_request"] {
            key = SymmetricKey(data: HMAC<SHA256>.authenticationCode(for: Array(part.utf8), using: key))
        }
        return Array(HMAC<SHA256>.authenticationCode(for: Array(text.utf8), using: key)).hexadecimal
    }

    private func scope(_ time: String) -> String { "\(time.prefix(8))/\(region)/s3/aws4_request" }

    /// The time in the form `20130524T000000Z`.
    private static func time(_ date: Date) -> String {
        date.formatted(
            Date.ISO8601FormatStyle(
                dateSeparator: .omitted, dateTimeSeparator: .standard, timeSeparator: .omitted)
        )
    }
}
