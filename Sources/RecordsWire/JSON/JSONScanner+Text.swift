extension JSONScanner {
    /// The offset of the closing quote of the string that begins at `start`, and whether the string has
    /// escapes.
    static func stringEnd(_ bytes: Span<UInt8>, _ start: Int) throws(JSONFault) -> (Int, Bool) {
        var at = start
        var hasEscapes = false
        let raw = bytes.bytes
        while true {
            while at + 8 <= bytes.count {
                let word = raw.unsafeLoadUnaligned(fromByteOffset: at, as: UInt64.self)
                let found = ByteWords.needingAttention(UInt64(littleEndian: word))
                guard found == 0 else {
                    at += found.trailingZeroBitCount >> 3
                    break
                }
                at += 8
            }
            guard at < bytes.count else { throw JSONFault(offset: at) }
            switch bytes[at] {
            case UInt8(ascii: "\""): return (at, hasEscapes)
            case UInt8(ascii: "\\"):
                hasEscapes = true
                at = try escapeEnd(bytes, at)
            case 0x00..<0x20: throw JSONFault(offset: at)
            case 0x80...: at = try sequenceEnd(bytes, at)
            default: at += 1
            }
        }
    }

    /// The end of the escape that begins at `start`. An unpaired surrogate is an error.
    private static func escapeEnd(_ bytes: Span<UInt8>, _ start: Int) throws(JSONFault) -> Int {
        guard start + 1 < bytes.count else { throw JSONFault(offset: start + 1) }
        switch bytes[start + 1] {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            return start + 2
        case UInt8(ascii: "u"):
            let unit = try codeUnit(bytes, start + 2)
            switch unit {
            case 0xDC00...0xDFFF: throw JSONFault(offset: start)
            case 0xD800...0xDBFF:
                guard start + 7 < bytes.count, bytes[start + 6] == UInt8(ascii: "\\"),
                    bytes[start + 7] == UInt8(ascii: "u"),
                    case 0xDC00...0xDFFF = try codeUnit(bytes, start + 8)
                else { throw JSONFault(offset: start) }
                return start + 12
            default: return start + 6
            }
        default: throw JSONFault(offset: start + 1)
        }
    }

    /// The code unit of the four hexadecimal digits at `start`.
    static func codeUnit(_ bytes: Span<UInt8>, _ start: Int) throws(JSONFault) -> UInt32 {
        var unit: UInt32 = 0
        for at in start..<start + 4 {
            guard at < bytes.count else { throw JSONFault(offset: at) }
            let digit: UInt8
            switch bytes[at] {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = bytes[at] - UInt8(ascii: "0")
            case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = bytes[at] - UInt8(ascii: "a") + 10
            case UInt8(ascii: "A")...UInt8(ascii: "F"): digit = bytes[at] - UInt8(ascii: "A") + 10
            default: throw JSONFault(offset: at)
            }
            unit = unit << 4 | UInt32(digit)
        }
        return unit
    }

    /// The end of the multi-byte UTF-8 sequence at `start` (Unicode Standard 3.9, table 3-7).
    private static func sequenceEnd(_ bytes: Span<UInt8>, _ start: Int) throws(JSONFault) -> Int {
        let length: Int
        var second: ClosedRange<UInt8> = 0x80...0xBF
        switch bytes[start] {
        case 0xC2...0xDF: length = 2
        case 0xE0: (length, second) = (3, 0xA0...0xBF)
        case 0xED: (length, second) = (3, 0x80...0x9F)
        case 0xE1...0xEF: length = 3
        case 0xF0: (length, second) = (4, 0x90...0xBF)
        case 0xF4: (length, second) = (4, 0x80...0x8F)
        case 0xF1...0xF3: length = 4
        default: throw JSONFault(offset: start)
        }
        guard start + length <= bytes.count, second.contains(bytes[start + 1]) else {
            throw JSONFault(offset: start)
        }
        for at in start + 2..<max(start + 2, start + length) where bytes[at] & 0xC0 != 0x80 {
            throw JSONFault(offset: start)
        }
        return start + length
    }

    /// The end of the number that begins at `start`, and whether it has neither fraction nor exponent.
    static func numberEnd(_ bytes: Span<UInt8>, _ start: Int) throws(JSONFault) -> (Int, Bool) {
        var at = start
        if bytes[at] == UInt8(ascii: "-") { at += 1 }
        let leadingZero = at < bytes.count && bytes[at] == UInt8(ascii: "0")
        let integerEnd = try digitsEnd(bytes, at)
        guard !leadingZero || integerEnd == at + 1 else { throw JSONFault(offset: at + 1) }
        at = integerEnd
        var isInteger = true
        if at < bytes.count, bytes[at] == UInt8(ascii: ".") {
            isInteger = false
            at = try digitsEnd(bytes, at + 1)
        }
        if at < bytes.count, bytes[at] | 0x20 == UInt8(ascii: "e") {
            isInteger = false
            at += 1
            if at < bytes.count, bytes[at] == UInt8(ascii: "+") || bytes[at] == UInt8(ascii: "-") { at += 1 }
            at = try digitsEnd(bytes, at)
        }
        return (at, isInteger)
    }

    /// The end of the digits at `start`. At least one digit is required.
    private static func digitsEnd(_ bytes: Span<UInt8>, _ start: Int) throws(JSONFault) -> Int {
        var at = start
        while at < bytes.count, bytes[at] &- UInt8(ascii: "0") < 10 { at += 1 }
        guard at > start else { throw JSONFault(offset: at) }
        return at
    }
}
