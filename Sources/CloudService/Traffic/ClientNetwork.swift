package import NIOCore

/// A network address as counted for limits: an IPv4 address, or the /64 network of an IPv6 address, since the
/// holder of one address of such a network usually has all of them.
package struct ClientNetwork: Hashable, Sendable {
    /// The first 8 bytes of the address; see `init(ipv4:)` for an IPv4 address.
    private let prefix: UInt64
    /// Whether this is a /48 network.
    private let isSite: Bool

    /// - Parameter address: the remote address of a connection. nil and Unix domain sockets all count as one
    ///   client.
    package init(_ address: SocketAddress?) {
        switch address {
        case .v4:
            self.init(ipv4: address?.bytes(from: 4, 4) ?? 0)
        case .v6:
            self.init(high: address?.bytes(from: 8, 8) ?? 0, low: address?.bytes(from: 16, 8) ?? 0)
        case .unixDomainSocket, nil:
            self.init(prefix: .max)
        }
    }

    /// - Parameter text: an address as text, `192.0.2.1` or `2001:db8::1`. The result is nil for any other
    ///   text.
    package init?(text: String) {
        guard let address = try? SocketAddress(ipAddress: text, port: 0) else { return nil }
        self.init(address)
    }

    /// - Parameters:
    ///   - high: the first 8 bytes of an IPv6 address.
    ///   - low: the last 8 bytes.
    package init(high: UInt64, low: UInt64) {
        // ::ffff:192.0.2.1 is the IPv4 address at its end, mapped to IPv6.
        if high == 0, low >> 32 == 0xffff {
            self.init(ipv4: low & 0xffff_ffff)
        } else {
            self.init(prefix: high)
        }
    }

    /// Stores an IPv4 address like an IPv6 network, in a range that is not assigned to networks.
    private init(ipv4: UInt64) { self.init(prefix: 0xffff_ffff << 32 | ipv4) }

    private init(prefix: UInt64, isSite: Bool = false) {
        self.prefix = prefix
        self.isSite = isSite
    }

    /// The /48 network of an IPv6 address; nil for others. A household may have a whole one, and with it
    /// thousands of /64 networks.
    package var site: ClientNetwork? {
        if isSite || prefix >> 32 == 0xffff_ffff { return nil }
        return ClientNetwork(prefix: prefix & ~0xffff, isSite: true)
    }
}

extension ClientNetwork {
    /// The network as a word of a message to other nodes.
    var word: String { (isSite ? "site-" : "") + String(prefix, radix: 16) }

    /// Parses the format of `word`.
    init?(word: String) {
        let digits = word.split(separator: "-").last ?? ""
        guard let prefix = UInt64(digits, radix: 16) else { return nil }
        self.init(prefix: prefix, isSite: word.hasPrefix("site-"))
    }
}

extension SocketAddress {
    /// Bytes of the system's address structure: an IPv4 address begins at offset 4, an IPv6 address at 8.
    fileprivate func bytes(from offset: Int, _ count: Int) -> UInt64 {
        withSockAddr { address, size in
            guard offset + count <= size else { return 0 }
            let bytes = UnsafeRawBufferPointer(start: address, count: size)[offset..<offset + count]
            return bytes.reduce(0) { $0 << 8 | UInt64($1) }
        }
    }
}
