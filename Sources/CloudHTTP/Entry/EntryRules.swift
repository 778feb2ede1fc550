import HTTPTypes
import Records

/// Decides from the headers of a request whether the server answers it. Every request must name exactly one
/// host. An open server, which asks for no credentials, has further rules (`OpenServerRules`).
package struct EntryRules: Sendable {
    /// nil for a server that asks for credentials.
    private let open: OpenServerRules?

    /// The rules of a server. `open` has the further rules of a server that asks for no credentials.
    package init(open: OpenServerRules? = nil) {
        self.open = open
    }

    /// Returns the error for a request that is not answered; nil for one that is.
    func refusal(of head: HTTPRequest) -> RecordError? {
        guard let host = head.authority, Self.isHost(host), head.headerFields[.host] == nil else {
            return RecordError(
                .badRequest, "the request does not name one host", culprit: "Host",
                nextStep: "send the header Host once, with the server's name and its port"
            )
        }
        return open?.refusal(of: head, host: host)
    }

    /// The length in bytes of the longest domain name with a port.
    private static let maximumHostBytes = 259

    /// Whether a text has the length and only characters that a host and port can have. Without a public URL,
    /// answers repeat the host in the URL of every file.
    private static func isHost(_ text: String) -> Bool {
        (1...maximumHostBytes).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                switch byte {
                // Digits, letters, and : [ ] % - . _ ~
                case 0x30...0x3a, 0x41...0x5b, 0x5d, 0x61...0x7a, 0x25, 0x2d, 0x2e, 0x5f, 0x7e: true
                default: false
                }
            }
    }
}

extension HTTPField.Name {
    /// The name of a second `Host` header. The first one is not among the fields, but is the request's
    /// authority.
    fileprivate static let host = known("Host")
}
