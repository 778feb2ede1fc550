extension [UInt8] {
    /// Appends the bytes of a number, the most significant one first.
    @inlinable
    package mutating func append(bigEndian number: some FixedWidthInteger) {
        Swift.withUnsafeBytes(of: number.bigEndian) { append(contentsOf: $0) }
    }
}

extension Sequence<UInt8> {
    /// The number with these bytes, the most significant one first. Of more than eight bytes, only the last
    /// eight are used.
    @inlinable
    package var bigEndianNumber: UInt64 { reduce(0) { $0 << 8 | UInt64($1) } }
}
