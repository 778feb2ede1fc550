import CloudService

/// An IP address. An IPv4 address and its IPv6 spelling, `192.0.2.1` and `::ffff:192.0.2.1`, are equal.
package struct NetworkAddress: Hashable, Sendable {
    /// The first and the last 8 bytes of the address as IPv6.
    let high: UInt64
    let low: UInt64

    init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// Reads an address, which may have a zone behind it (`fe80::1%eth0`), but neither port nor brackets.
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

    /// What an IPv4 address has in front of it as IPv6.
    private static let mapped: UInt64 = 0xffff_0000_0000

    /// Whether this is an IPv4 address, in whichever spelling.
    package var isIPv4: Bool { high == 0 && low & ~0xffff_ffff == Self.mapped }

    /// Whether only this machine is reached there: `127.0.0.0/8`, `::1`.
    package var isLoopback: Bool {
        isIPv4 ? low >> 24 & 0xff == 127 : high == 0 && low == 1
    }

    /// Whether this stands for all addresses of the machine that listens there: `0.0.0.0`, `::`.
    package var isUnspecified: Bool { high == 0 && (low == 0 || low == Self.mapped) }

    /// What limits for each address count by: an IPv4 address, or the /64 of an IPv6 address, since a
    /// household has at least one of those to itself.
    package var limitKey: String {
        if isIPv4 {
            return (0..<4).map { String(low >> (24 - 8 * UInt64($0)) & 0xff) }.joined(separator: ".")
        }
        let groups = (0..<4).map { String(high >> (48 - 16 * UInt64($0)) & 0xffff, radix: 16) }
        return groups.joined(separator: ":") + "::/64"
    }

    /// The same as limits on bytes count it.
    var origin: NetworkOrigin { NetworkOrigin(high: high, low: low) }

    // MARK: Reading

    private static func fourBytes(_ text: Substring) -> UInt32? {
        let parts = text.split(separator: ".", maxSplits: 4, omittingEmptySubsequences: false)
        guard parts.count == 4 else { return nil }
        var bytes: UInt32 = 0
        for part in parts {
            // A leading zero means octal to some programs; nobody needs one.
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

    /// Groups between colons; four bytes in decimal at the end of an address are two.
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
