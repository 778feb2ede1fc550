import CloudService

/// An IP address. An IPv4 address equals its IPv4-mapped IPv6 form: `192.0.2.1` equals `::ffff:192.0.2.1`.
package struct NetworkAddress: Hashable, Sendable {
    /// The first 8 bytes of the address in its IPv6 form.
    let high: UInt64
    /// The last 8 bytes.
    let low: UInt64

    init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// Parses an address, with or without a zone identifier (`fe80::1%eth0`); nil for other texts, such as
    /// one with a port or brackets.
    package init?(_ text: some StringProtocol) {
        let bare = Substring(text.prefix { $0 != "%" })
        if let bytes = Self.fourBytes(bare) {
            self.init(high: 0, low: Self.mapped | UInt64(bytes))
            return
        }
        guard let groups = Self.eightGroups(bare) else { return nil }
        let halves = [groups[..<4], groups[4...]].map { $0.reduce(UInt64(0)) { $0 << 16 | UInt64($1) } }
        self.init(high: halves[0], low: halves[1])
    }

    /// The prefix of IPv4-mapped IPv6 addresses, in `low`.
    private static let mapped: UInt64 = 0xffff_0000_0000

    /// Whether this is an IPv4 address, in either form.
    package var isIPv4: Bool { high == 0 && low & ~0xffff_ffff == Self.mapped }

    /// Whether this is a loopback address: `127.0.0.0/8` or `::1`.
    package var isLoopback: Bool {
        isIPv4 ? low >> 24 & 0xff == 127 : high == 0 && low == 1
    }

    /// Whether this is the unspecified address, `0.0.0.0` or `::`: a server that listens on it accepts
    /// connections on all addresses of its machine.
    package var isUnspecified: Bool { high == 0 && (low == 0 || low == Self.mapped) }

    /// The key of limits for each address: the IPv4 address, or the /64 prefix of an IPv6 address, because a
    /// household usually has at least one whole /64.
    package var limitKey: String {
        if isIPv4 {
            return (0..<4).map { String(low >> (24 - 8 * UInt64($0)) & 0xff) }.joined(separator: ".")
        }
        let groups = (0..<4).map { String(high >> (48 - 16 * UInt64($0)) & 0xffff, radix: 16) }
        return groups.joined(separator: ":") + "::/64"
    }

    /// The network of the address: the /24 of an IPv4 address, the /48 of an IPv6 address.
    var loggedNetwork: String {
        if isIPv4 { return "\(low >> 24 & 0xff).\(low >> 16 & 0xff).\(low >> 8 & 0xff).0/24" }
        let groups = (0..<3).map { String(high >> (48 - 16 * UInt64($0)) & 0xffff, radix: 16) }
        return groups.joined(separator: ":") + "::/48"
    }

    /// The address in the form in which the limits on bytes and requests count it.
    var clientNetwork: ClientNetwork { ClientNetwork(high: high, low: low) }

    // MARK: Reading

    private static func fourBytes(_ text: Substring) -> UInt32? {
        let parts = text.split(separator: ".", maxSplits: 4, omittingEmptySubsequences: false)
        guard parts.count == 4 else { return nil }
        var bytes: UInt32 = 0
        for part in parts {
            // Some programs read a leading zero as octal, so refuse it.
            let isPlain = part == "0" || (part.first != "0" && part.utf8.allSatisfy { 48...57 ~= $0 })
            guard isPlain, let byte = UInt8(part) else { return nil }
            bytes = bytes << 8 | UInt32(byte)
        }
        return bytes
    }

    private static func eightGroups(_ text: Substring) -> [UInt16]? {
        guard text.utf8.count <= 45 else { return nil }
        guard let gap = text.firstRange(of: "::") else {
            return groups(text, mayEndInBytes: true).flatMap { $0.count == 8 ? $0 : nil }
        }
        guard let head = groups(text[..<gap.lowerBound], mayEndInBytes: false),
            let tail = groups(text[gap.upperBound...], mayEndInBytes: true),
            head.count + tail.count < 8
        else { return nil }
        return head + Array(repeating: 0, count: 8 - head.count - tail.count) + tail
    }

    /// Parses the groups between colons. Four decimal bytes at the end of an address are two groups.
    private static func groups(_ text: Substring, mayEndInBytes: Bool) -> [UInt16]? {
        if text.isEmpty { return [] }
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        var groups: [UInt16] = []
        for (index, part) in parts.enumerated() {
            if mayEndInBytes, index == parts.count - 1, part.contains("."), let bytes = fourBytes(part) {
                groups += [UInt16(bytes >> 16), UInt16(bytes & 0xffff)]
                continue
            }
            guard (1...4).contains(part.utf8.count), part.allSatisfy({ $0.isASCII && $0.isHexDigit }),
                let group = UInt16(part, radix: 16)
            else { return nil }
            groups.append(group)
        }
        return groups
    }
}
