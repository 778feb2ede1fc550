package import HTTPTypes

/// The proxies whose word counts on where a request comes from.
///
/// A proxy adds the address that it was reached from to `X-Forwarded-For`, or to `Forwarded` (RFC 7239).
/// Whoever sends a request can put anything into these headers before, so only what a trusted proxy added is
/// believed: the list is read from its end for as long as the hops are trusted, and the first other address
/// is the client's.
package struct TrustedProxies: Sendable {
    private let ranges: [AddressRange]

    /// Proxies with these addresses; without any, no header counts.
    package init(_ ranges: [AddressRange] = []) {
        self.ranges = ranges
    }

    /// Whether there are none, so that every request comes from the other end of its connection.
    var isEmpty: Bool { ranges.isEmpty }

    /// Whether the word of that machine counts.
    package func trusts(_ address: NetworkAddress) -> Bool {
        ranges.contains { $0.contains(address) }
    }

    /// The address of the client.
    ///
    /// A hop whose address is hidden or makes no sense ends the walk: the proxy that named it counts as the
    /// client. So does the proxy at the other end of the connection when both headers are there and say
    /// different things: it wrote one of them at most, and a stranger the other.
    ///
    /// - Parameters:
    ///   - connection: the address at the other end of the connection; nil for requests from this process.
    ///   - fields: the headers of the request.
    package func client(of connection: NetworkAddress?, _ fields: HTTPFields) -> NetworkAddress? {
        guard let connection, trusts(connection) else { return connection }
        let usual = fields[.xForwardedFor].map { walk($0, from: connection) { $0 } }
        let standard = fields[.forwarded].map { walk($0, from: connection, Self.forParameter) }
        switch (usual, standard) {
        case (nil, nil): return connection
        case (let client?, nil), (nil, let client?): return client
        case (let client?, let other?): return client == other ? client : connection
        }
    }

    /// Splits at every comma, also in what a client left within quotes: that only spoils its own part.
    private func walk(
        _ list: String, from connection: NetworkAddress, _ hop: (Substring) -> Substring?
    ) -> NetworkAddress {
        var last = connection
        for element in list.split(separator: ",", omittingEmptySubsequences: false).reversed() {
            guard let address = hop(element).flatMap(Self.address) else { return last }
            if !trusts(address) { return address }
            last = address
        }
        return last
    }

    /// The value of `for=` in an element of `Forwarded`.
    private static func forParameter(_ element: Substring) -> Substring? {
        for pair in element.split(separator: ";") {
            let parts = pair.split(separator: "=", maxSplits: 1)
            if parts.count == 2, trimmed(parts[0]).lowercased() == "for" { return parts[1] }
        }
        return nil
    }

    /// The address of a hop: bare, within quotes or brackets, with or without a port.
    private static func address(_ hop: Substring) -> NetworkAddress? {
        var text = trimmed(hop)
        if text.count > 1, text.first == "\"", text.last == "\"" { text = text.dropFirst().dropLast() }
        if text.first == "[" {
            guard let end = text.firstIndex(of: "]") else { return nil }
            return NetworkAddress(text[text.index(after: text.startIndex)..<end])
        }
        if let address = NetworkAddress(text) { return address }
        guard let colon = text.lastIndex(of: ":") else { return nil }
        return NetworkAddress(text[..<colon]).flatMap { $0.isIPv4 ? $0 : nil }
    }

    private static func trimmed(_ text: Substring) -> Substring {
        let rest = text.drop { $0 == " " || $0 == "\t" }
        return rest.prefix(rest.count - rest.reversed().prefix { $0 == " " || $0 == "\t" }.count)
    }
}

extension HTTPField.Name {
    static let xForwardedFor = known("X-Forwarded-For")
    static let forwarded = known("Forwarded")
}
