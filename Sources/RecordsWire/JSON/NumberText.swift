/// Parses JSON numbers.
enum NumberText {
    /// The integer; nil if the text is not an integer or does not fit.
    static func int64(_ text: ArraySlice<UInt8>) -> Int64? {
        let bytes = text.span
        let isNegative = bytes.count > 0 && bytes[0] == UInt8(ascii: "-")
        let first = isNegative ? 1 : 0
        guard bytes.count > first, bytes.count - first <= 19 else { return nil }
        var magnitude: UInt64 = 0
        for at in first..<bytes.count {
            let digit = bytes[at] &- UInt8(ascii: "0")
            guard digit < 10 else { return nil }
            magnitude = magnitude &* 10 &+ UInt64(digit)
        }
        if isNegative { return magnitude <= 1 << 63 ? Int64(truncatingIfNeeded: 0 &- magnitude) : nil }
        return Int64(exactly: magnitude)
    }

    /// The number, correctly rounded (IEEE 754); nil if the text is not a number or is out of range.
    static func double(_ text: ArraySlice<UInt8>) -> Double? {
        guard let end = try? numberEnd(text.span), end == text.count else { return nil }
        if let value = exactDouble(text.span) { return value }
        guard let value = Double(String(decoding: text, as: UTF8.self)), value.isFinite else { return nil }
        return value
    }

    private static func numberEnd(_ bytes: Span<UInt8>) throws(JSONFault) -> Int {
        guard bytes.count > 0 else { throw JSONFault(offset: 0) }
        return try JSONScanner.numberEnd(bytes, 0).0
    }

    /// A fast path for numbers with at most fifteen digits and no exponent, for which one division of exact
    /// values rounds correctly; nil for other numbers.
    private static func exactDouble(_ bytes: Span<UInt8>) -> Double? {
        var mantissa: UInt64 = 0
        var digits = 0
        var fraction = 0
        var isFraction = false
        for at in 0..<bytes.count {
            switch bytes[at] {
            case UInt8(ascii: "0")...UInt8(ascii: "9"):
                mantissa = mantissa &* 10 &+ UInt64(bytes[at] - UInt8(ascii: "0"))
                digits += 1
                if isFraction { fraction += 1 }
            case UInt8(ascii: "."): isFraction = true
            case UInt8(ascii: "-"): guard at == 0 else { return nil }
            default: return nil
            }
        }
        guard digits <= 15 else { return nil }
        let value = Double(mantissa) / powers[fraction]
        return bytes[0] == UInt8(ascii: "-") ? -value : value
    }

    private static let powers: [Double] = [
        1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
    ]
}
