package import NIOCore

/// A network address for the purpose of counting: an IPv4 address, or the network of 64 bits of an IPv6
/// address, since whoever has one address of such a network usually has all of them.
package struct NetworkOrigin: Hashable, Sendable {
    private let network: UInt64

    /// - Parameter address: the other end of a connection; nil or a path for connections without an address,
    ///   which count as one origin.
    package init(_ address: SocketAddress?) {
        switch address {
        case .v4:
            self.init(ipv4: address?.bytes(from: 4, 4) ?? 0)
        case .v6:
            self.init(high: address?.bytes(from: 8, 8) ?? 0, low: address?.bytes(from: 16, 8) ?? 0)
        case .unixDomainSocket, nil:
            self.init(network: .max)
        }
    }

    /// - Parameter text: an address as it is written, `192.0.2.1` or `2001:db8::1`; nil for anything else.
    package init?(text: String) {
        guard let address = try? SocketAddress(ipAddress: text, port: 0) else { return nil }
        self.init(address)
    }

    /// - Parameters:
    ///   - high: the first 8 bytes of an IPv6 address.
    ///   - low: the last 8 bytes.
    package init(high: UInt64, low: UInt64) {
        // ::ffff:192.0.2.1 stands for the IPv4 address at its end.
        if high == 0, low >> 32 == 0xffff {
            self.init(ipv4: low & 0xffff_ffff)
        } else {
            self.init(network: high)
        }
    }

    /// IPv4 addresses as if they were networks of IPv6, in a range that nobody has.
    private init(ipv4: UInt64) { self.init(network: 0xffff_ffff << 32 | ipv4) }

    private init(network: UInt64) { self.network = network }
}

extension SocketAddress {
    /// Bytes of the address as systems lay it out: that of IPv4 begins at 4, that of IPv6 at 8.
    fileprivate func bytes(from offset: Int, _ count: Int) -> UInt64 {
        withSockAddr { address, size in
            guard offset + count <= size else { return 0 }
            let bytes = UnsafeRawBufferPointer(start: address, count: size)[offset..<offset + count]
            return bytes.reduce(0) { $0 << 8 | UInt64($1) }
        }
    }
}
