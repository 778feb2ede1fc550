package import Records

/// Decodes the format of `TokenWriter`. The bytes are signed, but the reader checks them nevertheless.
package struct TokenReader {
    private var rest: ArraySlice<UInt8>

    /// The bytes are incomplete or not in the format.
    struct Malformed: Error {}

    init(_ bytes: ArraySlice<UInt8>) {
        rest = bytes
    }

    var isAtEnd: Bool { rest.isEmpty }

    package mutating func readByte() throws -> UInt8 {
        guard let byte = rest.popFirst() else { throw Malformed() }
        return byte
    }

    package mutating func readInt64() throws -> Int64 {
        Int64(bitPattern: try read(8).bigEndianNumber)
    }

    package mutating func readTimestamp() throws -> Timestamp {
        try Timestamp(milliseconds: readInt64())
    }

    package mutating func readString() throws -> String {
        guard let count = try Int(exactly: readInt64()),
            let text = try String(validating: read(count), as: UTF8.self)
        else { throw Malformed() }
        return text
    }

    private mutating func read(_ count: Int) throws -> ArraySlice<UInt8> {
        guard (0...rest.count).contains(count) else { throw Malformed() }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }
}
