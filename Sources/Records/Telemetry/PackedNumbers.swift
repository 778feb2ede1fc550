/// Numbers from 0 on, each as a LEB128 varint: 7 bits per byte, lowest first, with the high bit set in all
/// bytes but the last.
package struct PackedNumbers: Hashable, Sendable {
    package private(set) var bytes: [UInt8]
    /// The offset of the number that `next` reads.
    private var offset = 0

    package init(_ bytes: [UInt8] = []) { self.bytes = bytes }

    /// Appends a number. A negative one becomes 0.
    package mutating func append(_ number: Int64) {
        var rest = UInt64(max(0, number))
        while rest >= 0x80 {
            bytes.append(UInt8(rest & 0x7f) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    /// Reads the next number; nil at the end, and for one above the range of `Int64`.
    package mutating func next() -> Int64? {
        var number: UInt64 = 0
        for shift in stride(from: 0, to: 63, by: 7) {
            guard offset < bytes.count else { return nil }
            let byte = bytes[offset]
            offset += 1
            number |= UInt64(byte & 0x7f) << UInt64(shift)
            if byte < 0x80 { return Int64(number) }
        }
        return nil
    }

    /// Whether all numbers have been read.
    package var isAtEnd: Bool { offset >= bytes.count }
}
