import Records

/// Percent-encodes and decodes parts of URLs.
package enum PercentEncoding {
    /// Encodes all characters except the unreserved ones.
    package static func encode(_ text: String) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var result: [UInt8] = []
        result.reserveCapacity(text.utf8.count)
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
                UInt8(ascii: "_"), UInt8(ascii: "~"):
                result.append(byte)
            default: result += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// Decodes percent-encoding; `+` stays unchanged. nil if the result is not UTF-8, contains NUL, which no
    /// name may contain, or has too many combining marks in a row (`CombiningMarks`). A `%` without two
    /// following hexadecimal digits stays unchanged.
    package static func decode(_ text: some StringProtocol) -> String? {
        guard let decoded = bytesDecoded(text) else { return nil }
        return decoded.utf8.allSatisfy { $0 < 0x80 } || CombiningMarks.admits(decoded) ? decoded : nil
    }

    private static func bytesDecoded(_ text: some StringProtocol) -> String? {
        guard text.utf8.contains(UInt8(ascii: "%")) else { return String(text) }
        let bytes = Array(text.utf8)
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var at = 0
        while at < bytes.count {
            if bytes[at] == UInt8(ascii: "%"), at + 2 < bytes.count, let high = value(bytes[at + 1]),
                let low = value(bytes[at + 2])
            {
                let byte = high << 4 | low
                if byte == 0 { return nil }
                result.append(byte)
                at += 3
            } else {
                result.append(bytes[at])
                at += 1
            }
        }
        return String(validating: result, as: UTF8.self)
    }

    private static func value(_ digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
