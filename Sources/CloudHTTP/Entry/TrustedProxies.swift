package import HTTPTypes

/// The proxies whose headers about the client's address are believed.
///
/// A proxy appends the address of its own client to `X-Forwarded-For` or `Forwarded` (RFC 7239). A client can
/// send these headers too, with any content. So only entries that a trusted proxy has appended are believed:
/// the list is read from its end as long as the addresses are trusted, and the first other address is the
/// client's.
package struct TrustedProxies: Sendable {
    private let ranges: [AddressRange]

    /// Trusts proxies with these addresses. Without any, both headers are ignored.
    package init(_ ranges: [AddressRange] = []) {
        self.ranges = ranges
    }

    /// Whether no proxy is trusted, so that the client is always at the other end of the connection.
    var isEmpty: Bool { ranges.isEmpty }

    /// Whether an address is that of a trusted proxy.
    package func trusts(_ address: NetworkAddress) -> Bool {
        ranges.contains { $0.contains(address) }
    }

    /// Returns the address of the client.
    ///
    /// An entry that is hidden or cannot be parsed ends the search: the proxy that added it then counts as
    /// the client. If both headers are present and contradict each other, at most one of them is from the
    /// proxy at the other end of the connection, and it is unknown which. Then this proxy counts as the
    /// client.
    ///
    /// - Parameters:
    ///   - connection: the address at the other end of the connection; nil for requests from this process.
    ///   - fields: the headers of the request.
    package func client(of connection: NetworkAddress?, _ fields: HTTPFields) -> NetworkAddress? {
        guard let connection, trusts(connection) else { return connection }
        let forwardedFor = fields[.xForwardedFor].map { findClient($0, from: connection) { $0 } }
        let standard = fields[.forwarded].map { findClient($0, from: connection, Self.forParameter) }
        switch (forwardedFor, standard) {
        case (nil, nil): return connection
        case (let client?, nil), (nil, let client?): return client
        case (let client?, let other?): return client == other ? client : connection
        }
    }

    /// Returns the last address in a list that is not a trusted proxy's, or the address at which the search
    /// ends. `entry` extracts the address from an element of the list.
    ///
    /// The list is split at every comma, also within quotes: a client's quoted comma can only damage its own
    /// entry. It is split as bytes, because a client could end its entry with a character that Unicode joins
    /// with the comma after it.
    private func findClient(
        _ list: String, from connection: NetworkAddress, _ entry: (Substring) -> Substring?
    ) -> NetworkAddress {
        var last = connection
        let elements = list.utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
        for element in elements.reversed() {
            guard element.allSatisfy({ $0 < 0x80 }),
                let address = entry(Substring(element)).flatMap(Self.address)
            else { return last }
            if !trusts(address) { return address }
            last = address
        }
        return last
    }

    /// Returns the value of `for=` in an element of `Forwarded`.
    private static func forParameter(_ element: Substring) -> Substring? {
        for pair in element.split(separator: ";") {
            let parts = pair.split(separator: "=", maxSplits: 1)
            if parts.count == 2, trimmed(parts[0]).lowercased() == "for" { return parts[1] }
        }
        return nil
    }

    /// Parses the address of an entry: with or without quotes, brackets and port.
    private static func address(_ entry: Substring) -> NetworkAddress? {
        var text = trimmed(entry)
        if text.count > 1, text.first == "\"", text.last == "\"" { text = text.dropFirst().dropLast() }
        if text.first == "[" {
            guard let end = text.firstIndex(of: "]") else { return nil }
            let rest = text[text.index(after: end)...]
            guard rest.isEmpty || OpenServerRules.isPort(rest) else { return nil }
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
