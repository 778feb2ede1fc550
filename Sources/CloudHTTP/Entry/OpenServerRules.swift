import HTTPTypes
import Records

/// Decides which requests an open server answers. An open server asks for no credentials: everybody can sign
/// in as anybody. So it answers only direct requests from programs on this machine, and from web pages that
/// this machine serves.
///
/// Without these rules, a proxy on this machine would admit the whole network, and a web page of another
/// site, open in a browser on this machine, could act for the browser's user, even under a name of its own
/// that resolves to this machine (DNS rebinding).
package struct OpenServerRules: Sendable {
    /// The host names under which the server answers, besides the loopback names and addresses.
    private let hosts: Set<String>
    /// Whether the server answers under any IP address, because it listens on all of them. DNS rebinding
    /// needs a name, so an address as host is safe.
    private let takesAnyAddress: Bool
    /// The origin of the server's public URL.
    private let publicOrigin: String?

    /// The rules of an open server.
    ///
    /// - Parameters:
    ///   - host: the address or name on which the server listens.
    ///   - publicURL: the server's public URL, if it has one.
    package init(listeningOn host: String, publicURL: String? = nil) {
        let named = publicURL?.split(separator: "/", maxSplits: 2).last.flatMap { Self.host(of: $0) }
        hosts = Set([host.lowercased(), named?.lowercased()].compactMap(\.self))
        takesAnyAddress = NetworkAddress(host)?.isUnspecified == true
        publicOrigin = publicURL
    }

    /// Returns the error for a request that is not answered; nil for one that is.
    func refusal(of head: HTTPRequest, host: String) -> RecordError? {
        var origin: String?
        var site: String?
        // Most headers are skipped by their first letter, because this runs for every request.
        for field in head.headerFields {
            let name = field.name.canonicalName
            switch name.utf8.first {
            case UInt8(ascii: "o") where name == "origin":
                // Browsers send exactly one.
                if origin != nil { return Self.foreignOrigin(field.value) }
                origin = field.value
            case UInt8(ascii: "s") where name == "sec-fetch-site": site = field.value
            case UInt8(ascii: "c"), UInt8(ascii: "f"), UInt8(ascii: "t"), UInt8(ascii: "v"),
                UInt8(ascii: "x"):
                if Self.isForwarding(name) { return Self.forwarded(field.name.rawName) }
            default: break
            }
        }
        guard let name = Self.host(of: host[...]), isOwn(name) else { return Self.unknownHost(host) }
        if let origin {
            if !isOwn(origin: origin, of: host, site) { return Self.foreignOrigin(origin) }
            if head.method == .post, Self.isDevelopment(head), !Self.isJSON(head) { return Self.notJSON }
        } else if let site, site == "cross-site" || site == "same-site", !Self.isEmbeddable(head) {
            return Self.foreignOrigin(site)
        }
        return nil
    }

    // MARK: Origins

    /// Whether only proxies add a header with this name.
    private static func isForwarding(_ name: String) -> Bool {
        switch name {
        case "forwarded", "via", "x-real-ip", "x-forwarded", "x-client-ip", "x-cluster-client-ip",
            "cf-connecting-ip", "true-client-ip", "fly-client-ip":
            true
        default: name.hasPrefix("x-forwarded-")
        }
    }

    private func isOwn(_ host: Substring) -> Bool {
        if Self.isLoopback(host) { return true }
        return hosts.contains(host.lowercased()) || (takesAnyAddress && NetworkAddress(host) != nil)
    }

    /// Whether an origin is the server's own, or a page that this machine serves.
    private func isOwn(origin: String, of host: String, _ site: String?) -> Bool {
        guard let scheme = origin.firstRange(of: "://") else {
            // The page has an opaque origin (`null`), as the server's own sign-in page can have.
            return site == "same-origin"
        }
        let authority = origin[scheme.upperBound...]
        if let name = Self.host(of: authority), Self.isLoopback(name) { return true }
        return authority == host || origin == publicOrigin
    }

    /// Whether pages of all sites may link to or embed a path. They cannot read the answer.
    private static func isEmbeddable(_ head: HTTPRequest) -> Bool {
        guard head.method == .get || head.method == .head, let path = head.path else { return false }
        return ["/sign-in", "/share/", "/assets/"].contains { path.hasPrefix($0) }
    }

    /// Whether a path is below `/dev`, after any number of slashes. A path whose first part has percent
    /// escapes counts too.
    private static func isDevelopment(_ head: HTTPRequest) -> Bool {
        let first = head.path?.utf8.drop { $0 == UInt8(ascii: "/") }.prefix { $0 != UInt8(ascii: "/") }
        return first.map { $0.elementsEqual("dev".utf8) || $0.contains(UInt8(ascii: "%")) } ?? false
    }

    private static func isJSON(_ head: HTTPRequest) -> Bool {
        let type = head.headerFields[.contentType]?.prefix { $0 != ";" && $0 != " " }
        return type?.lowercased() == "application/json"
    }

    // MARK: Hosts

    /// Whether a name or address can only resolve to this machine.
    package static func isLoopback(_ host: some StringProtocol) -> Bool {
        if host == "127.0.0.1" || host == "localhost" { return true }
        if let address = NetworkAddress(host) { return address.isLoopback }
        let name = host.lowercased()
        return name == "localhost" || name.hasSuffix(".localhost")
    }

    /// Returns the host without port and brackets; nil for a text that contains no valid one. A host must not
    /// have a zone identifier.
    private static func host(of authority: Substring) -> Substring? {
        if authority.utf8.contains(UInt8(ascii: "%")) { return nil }
        if authority.utf8.first == UInt8(ascii: "[") {
            guard let end = authority.firstIndex(of: "]") else { return nil }
            let rest = authority[authority.index(after: end)...]
            guard rest.isEmpty || isPort(rest) else { return nil }
            return authority[authority.index(after: authority.startIndex)..<end]
        }
        guard let colon = authority.firstIndex(of: ":") else { return authority }
        return isPort(authority[colon...]) ? authority[..<colon] : nil
    }

    /// Whether a text is a colon and digits.
    static func isPort(_ text: Substring) -> Bool {
        text.utf8.first == UInt8(ascii: ":") && text.utf8.dropFirst().allSatisfy { 48...57 ~= $0 }
    }

    // MARK: Refusals

    private static func forwarded(_ header: String) -> RecordError {
        RecordError(
            .accessDenied, "this server is open for development and refuses forwarded requests",
            culprit: header,
            nextStep: "behind a proxy, start it with --closed, --public-url and --trusted-proxy"
        )
    }

    private static func unknownHost(_ host: String) -> RecordError {
        RecordError(
            .accessDenied, "this server is open for development and refuses this host name", culprit: host,
            nextStep: "use localhost, or start the server with --public-url and the address that you use"
        )
    }

    private static func foreignOrigin(_ origin: String) -> RecordError {
        RecordError(
            .accessDenied, "this server is open for development and refuses pages of other sites",
            culprit: origin,
            nextStep: "serve the page from http://localhost, or start the server with --closed"
        )
    }

    private static let notJSON = RecordError(
        .badRequest, "a web page must send JSON to this address", culprit: "Content-Type",
        nextStep: "send the header Content-Type: application/json"
    )
}
