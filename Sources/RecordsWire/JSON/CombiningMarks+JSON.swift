import Records

extension CombiningMarks {
    /// The offset of the first combining mark above the limit in a JSON string that a scanner has validated;
    /// nil if there is none.
    static func excess(in bytes: Span<UInt8>, _ start: Int, _ end: Int) -> Int? {
        var marks = CombiningMarks()
        let raw = bytes.bytes
        var at = start
        while at < end {
            if at + 8 <= end {
                let word = raw.unsafeLoadUnaligned(fromByteOffset: at, as: UInt64.self)
                if ByteWords.needingAttention(UInt64(littleEndian: word)) == 0 {
                    marks.skip()
                    at += 8
                    continue
                }
            }
            let (value, next) = scalar(bytes, at)
            if let scalar = Unicode.Scalar(value), !marks.admits(scalar) { return at }
            at = next
        }
        return nil
    }

    /// The scalar at an offset, decoded from UTF-8 or an escape, and the offset after it.
    private static func scalar(_ bytes: Span<UInt8>, _ at: Int) -> (value: UInt32, next: Int) {
        let first = UInt32(bytes[at])
        switch first {
        case UInt32(UInt8(ascii: "\\")):
            guard bytes[at + 1] == UInt8(ascii: "u"), let unit = try? JSONScanner.codeUnit(bytes, at + 2)
            else { return (0, at + 2) }
            guard (0xD800...0xDBFF).contains(unit), let low = try? JSONScanner.codeUnit(bytes, at + 8) else {
                return (unit, at + 6)
            }
            return (0x10000 + (unit & 0x3FF) << 10 + low & 0x3FF, at + 12)
        case 0xC0..<0xE0: return ((first & 0x1F) << 6 | part(bytes, at + 1), at + 2)
        case 0xE0..<0xF0:
            return ((first & 0x0F) << 12 | part(bytes, at + 1) << 6 | part(bytes, at + 2), at + 3)
        case 0xF0...:
            let high = (first & 0x07) << 18 | part(bytes, at + 1) << 12
            return (high | part(bytes, at + 2) << 6 | part(bytes, at + 3), at + 4)
        default: return (first, at + 1)
        }
    }

    private static func part(_ bytes: Span<UInt8>, _ at: Int) -> UInt32 { UInt32(bytes[at] & 0x3F) }
}
