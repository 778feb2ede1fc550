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
            at = appendEscape(bytes, at, to: &result)
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// Appends the character of the escape at `start`, and returns the end of the escape.
    private static func appendEscape(_ bytes: Span<UInt8>, _ start: Int, to result: inout [UInt8]) -> Int {
        switch bytes[start + 1] {
        case UInt8(ascii: "b"): result.append(0x08)
        case UInt8(ascii: "f"): result.append(0x0C)
        case UInt8(ascii: "n"): result.append(0x0A)
        case UInt8(ascii: "r"): result.append(0x0D)
        case UInt8(ascii: "t"): result.append(0x09)
        case UInt8(ascii: "u"):
            guard let unit = try? JSONScanner.codeUnit(bytes, start + 2) else { return bytes.count }
            guard (0xD800...0xDBFF).contains(unit) else {
                result.append(contentsOf: scalar(unit).utf8)
                return start + 6
            }
            guard let low = try? JSONScanner.codeUnit(bytes, start + 8) else { return bytes.count }
            result.append(contentsOf: scalar(0x10000 + (unit & 0x3FF) << 10 + low & 0x3FF).utf8)
            return start + 12
        default: result.append(bytes[start + 1])
        }
        return start + 2
    }

    private static func scalar(_ value: UInt32) -> String {
        String(Character(Unicode.Scalar(value) ?? "\u{FFFD}"))
    }
}
