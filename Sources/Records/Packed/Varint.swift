/// Encodes numbers from 0 on as LEB128 varints: 7 bits per byte, lowest first, with the high bit set in all
/// bytes but the last.
enum Varint {
    static func append(_ number: UInt64, to bytes: inout [UInt8]) {
        var rest = number
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(truncatingIfNeeded: rest))
    }

    /// Reads the number at an offset, and moves the offset past it. nil if the bytes end within the number,
    /// or if the number is above the range of `Int`.
    static func read(_ bytes: UnsafeRawBufferPointer, _ offset: inout Int) -> Int? {
        var (number, shift) = (0, 0)
        while offset < bytes.count, shift < 63 {
            let byte = Int(bytes[offset])
            offset += 1
            number |= (byte & 0x7f) << shift
            if byte < 0x80 { return number }
            shift += 7
        }
        return nil
    }
}
