import Foundation
package import Records

/// Normalizes and checks the origins and callback addresses that an operator registers for an API token.
package enum CallbackRules {
    /// The origins in the form in which browsers send them. Throws `badRequest` for any other text.
    package static func origins(_ texts: [String]) throws(RecordError) -> [String] {
        var result: [String] = []
        for text in texts {
            guard let origin = origin(of: text), let parts = URLComponents(string: text),
                parts.path.allSatisfy({ $0 == "/" }), parts.query == nil, parts.fragment == nil
            else {
                throw refusal(
                    "an allowed origin is a scheme, a host and perhaps a port", text,
                    next: "write it as https://app.example")
            }
            result.append(origin)
        }
        return result
    }

    /// The origin of an address: scheme, host, and the port unless it is the scheme's default; nil if the
    /// text is no `http` or `https` address, or contains a user name or password.
    package static func origin(of text: String) -> String? {
        guard let parts = URLComponents(string: text), let scheme = parts.scheme?.lowercased(),
            ["http", "https"].contains(scheme), let host = parts.host?.lowercased(), !host.isEmpty,
            parts.user == nil, parts.password == nil
        else { return nil }
        let defaultPort = scheme == "https" ? 443 : 80
        guard let port = parts.port, port != defaultPort else { return "\(scheme)://\(host)" }
        return "\(scheme)://\(host):\(port)"
    }

    /// Accepts a callback to which a browser can be redirected safely: an absolute address without a
    /// fragment. Throws `badRequest` for schemes that run or show a script, or that name local content.
    package static func checked(_ callback: SignInCallback) throws(RecordError) -> SignInCallback {
        guard case .redirect(let text) = callback else { return callback }
        let isPrintable = text.utf8.allSatisfy { (0x21...0x7e).contains($0) }
        guard isPrintable, let parts = URLComponents(string: text), let scheme = parts.scheme?.lowercased(),
            text.contains("://"), !["javascript", "data", "vbscript", "file", "blob"].contains(scheme),
            parts.fragment == nil
        else {
            throw refusal(
                "a callback is the absolute address of a page or an app, without a fragment", text,
                next: "write it as https://app.example/callback")
        }
        return callback
    }

    /// Accepts the URL of an app's web page, to which the short GUID of a share is appended. Throws
    /// `badRequest` for a text that is no `http` or `https` URL of at most 1000 printable characters.
    package static func fallback(_ text: String) throws(RecordError) -> String {
        let isPrintable = text.utf8.allSatisfy { (0x21...0x7e).contains($0) }
        if isPrintable, text.utf8.count <= 1000, origin(of: text) != nil { return text }
        throw RecordError(
            .badRequest, "the URL of an app's web page begins with https:// or http:// and a host",
            culprit: String(text.prefix(100)),
            nextStep: "write it as https://app.example/open/; the short GUID of the share is appended")
    }

    private static func refusal(_ reason: String, _ culprit: String, next: String) -> RecordError {
        RecordError(.badRequest, reason, culprit: String(culprit.prefix(100)), nextStep: next)
    }
}
