import HTTPTypes
import Records

/// Decides from the head of a request whether it is answered: every request names one host, and an open
/// server answers those of this machine only.
package struct EntryRules: Sendable {
    /// nil for a server that is closed to strangers.
    private let open: OpenServerRules?

    /// The rules of a server; `open` for one that asks for no credentials.
    package init(open: OpenServerRules? = nil) {
        self.open = open
    }

    /// Why a request is not answered; nil for one that is.
    func refusal(of head: HTTPRequest) -> RecordError? {
        guard let host = head.authority, Self.isHost(host), head.headerFields[.host] == nil else {
            return RecordError(
                .badRequest, "the request does not name one host", culprit: "Host",
                nextStep: "send the header Host once, with the server's name and its port"
            )
        }
        return open?.refusal(of: head, host: host)
    }

    /// Whether a text is a host with or without a port, as far as its characters go.
    private static func isHost(_ text: String) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy { byte in
                switch byte {
                case 0x30...0x3a, 0x41...0x5b, 0x5d, 0x61...0x7a, 0x25, 0x2d, 0x2e, 0x5f, 0x7e: true
                default: false
                }
            }
    }
}

extension HTTPField.Name {
    /// A second one: the first is the request's authority.
    fileprivate static let host = known("Host")
}
