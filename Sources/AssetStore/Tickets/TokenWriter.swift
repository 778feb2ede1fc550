package import Records

/// Encodes values one after another. Each has a fixed length or a length prefix, so that different tokens
/// have different bytes.
package struct TokenWriter {
    private(set) var bytes: [UInt8] = []

    package mutating func write(_ value: UInt8) {
        bytes.append(value)
    }

    package mutating func write(_ value: Int64) {
        bytes.append(bigEndian: value)
    }

    package mutating func write(_ value: Timestamp) {
        write(value.milliseconds)
    }

    package mutating func write(_ value: String) {
        write(Int64(value.utf8.count))
        bytes.append(contentsOf: value.utf8)
    }
}
