/// Numbers from 0 on, each as a `Varint`.
package struct PackedNumbers: Hashable, Sendable {
    package private(set) var bytes: [UInt8]
    /// The offset of the number that `next` reads.
    private var offset = 0

    package init(_ bytes: [UInt8] = []) { self.bytes = bytes }

    /// Appends a number. A negative one becomes 0.
    package mutating func append(_ number: Int64) {
        Varint.append(UInt64(max(0, number)), to: &bytes)
    }

    /// Reads the next number; nil at the end, and for one above the range of `Int64`.
    package mutating func next() -> Int64? {
        bytes.withUnsafeBytes { Varint.read($0, &offset) }.map { Int64($0) }
    }

    /// Whether all numbers have been read.
    package var isAtEnd: Bool { offset >= bytes.count }
}
