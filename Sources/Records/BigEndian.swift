extension [UInt8] {
    /// Appends the bytes of a number, the most significant one first.
    @inlinable
    package mutating func append(bigEndian number: some FixedWidthInteger) {
        Swift.withUnsafeBytes(of: number.bigEndian) { append(contentsOf: $0) }
    }
}

extension Sequence<UInt8> {
    /// The number that consists of these bytes, the most significant one first. Of more than eight bytes, the
    /// last eight count.
    @inlinable
    package var bigEndianNumber: UInt64 { reduce(0) { $0 << 8 | UInt64($1) } }
}
