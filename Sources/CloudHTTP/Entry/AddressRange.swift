/// The addresses with a common prefix, such as `10.0.0.0/8`, `fd00::/8`, or `127.0.0.1` alone.
package struct AddressRange: Hashable, Sendable {
    private let base: NetworkAddress
    /// The number of leading bits that all addresses share in the IPv6 form.
    private let bits: Int

    /// Parses an address, or an address with a slash and the number of its leading bits; nil for other texts.
    package init?(_ text: some StringProtocol) {
        let parts = text.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false)
        guard let first = parts.first, let base = NetworkAddress(first) else { return nil }
        let isIPv4 = !first.contains(":")
        var bits = 128
        if parts.count == 2 {
            guard parts[1].utf8.allSatisfy({ 48...57 ~= $0 }), let length = Int(parts[1]) else {
                return nil
            }
            guard (0...(isIPv4 ? 32 : 128)).contains(length) else { return nil }
            bits = isIPv4 ? 96 + length : length
        } else if parts.count > 2 {
            return nil
        }
        self.base = base
        self.bits = bits
    }

    package func contains(_ address: NetworkAddress) -> Bool {
        // A shift by 64 gives zero, so that no bit of that half is compared.
        let high = (base.high ^ address.high) >> UInt64(64 - min(bits, 64))
        let low = (base.low ^ address.low) >> UInt64(64 - max(bits - 64, 0))
        return high == 0 && low == 0
    }
}
