/// Decodes strings that a scanner has validated. Other input gives an unspecified result, but does not crash.
enum JSONText {
    /// The string with its escapes decoded.
    static func unescaped(_ slice: ArraySlice<UInt8>) -> String {
        let bytes = slice.span
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var at = 0
        while at < bytes.count {
            let run = at
            while at < bytes.count, bytes[at] != UInt8(ascii: "\\") { at += 1 }
            result.append(contentsOf: slice[(slice.startIndex + run)..<(slice.startIndex + at)])
            guard at + 1 < bytes.count else { break }
            let escape = escape(bytes, at)
            if escape.scalar < 0x80 {
                result.append(UInt8(escape.scalar))
            } else {
                result.append(contentsOf: scalar(escape.scalar).utf8)
            }
            at = escape.end
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// Whether an escaped string has this ASCII text. Ends at the first difference, because a text can have
    /// very many long names that are compared with each name that is looked up.
    static func isEqual(_ slice: ArraySlice<UInt8>, to text: StaticString) -> Bool {
        let bytes = slice.span
        var (at, offset) = (0, 0)
        while at < bytes.count {
            var (found, end) = (UInt32(bytes[at]), at + 1)
            if bytes[at] == UInt8(ascii: "\\"), end < bytes.count { (found, end) = escape(bytes, at) }
            guard offset < text.utf8CodeUnitCount, found == UInt32(text.utf8Start[offset]) else {
                return false
            }
            (at, offset) = (end, offset + 1)
        }
        return offset == text.utf8CodeUnitCount
    }

    /// The character of the escape at `start`, and the end of the escape.
    private static func escape(_ bytes: Span<UInt8>, _ start: Int) -> (scalar: UInt32, end: Int) {
        let letter = bytes[start + 1]
        switch letter {
        case UInt8(ascii: "b"): return (0x08, start + 2)
        case UInt8(ascii: "f"): return (0x0C, start + 2)
        case UInt8(ascii: "n"): return (0x0A, start + 2)
        case UInt8(ascii: "r"): return (0x0D, start + 2)
        case UInt8(ascii: "t"): return (0x09, start + 2)
        case UInt8(ascii: "u"):
            guard let unit = try? JSONScanner.codeUnit(bytes, start + 2) else { return (0xFFFD, bytes.count) }
            guard (0xD800...0xDBFF).contains(unit) else { return (unit, start + 6) }
            guard let low = try? JSONScanner.codeUnit(bytes, start + 8) else { return (0xFFFD, bytes.count) }
            return (0x10000 + (unit & 0x3FF) << 10 + low & 0x3FF, start + 12)
        default: return (UInt32(letter), start + 2)
        }
    }

    private static func scalar(_ value: UInt32) -> String {
        String(Character(Unicode.Scalar(value) ?? "\u{FFFD}"))
    }
}
