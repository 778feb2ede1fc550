import Foundation

/// Reads bytes that `ByteWriter` wrote. Other bytes throw `TextError.unreadable` with the offset of the
/// error.
struct ByteReader {
    private let bytes: [UInt8]
    private var next = 0
    private let what: String

    /// - Parameter what: The kind of data, for error texts: `contribution` or `snapshot`.
    init(_ data: Data, what: String) {
        bytes = Array(data)
        self.what = what
    }

    /// The error for the current offset.
    var unreadable: TextError { .unreadable(what: what, byte: next) }

    /// Reads a number. Throws if it is greater than `most`.
    mutating func number(upTo most: Int) throws -> Int {
        var (number, shift) = (UInt64(0), UInt64(0))
        while next < bytes.count, shift < 63 {
            let byte = bytes[next]
            number |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 {
                guard number <= UInt64(most) else { throw unreadable }
                next += 1
                return Int(number)
            }
            next += 1
            shift += 7
        }
        throw unreadable
    }

    /// Reads the count of the items that follow. Throws if it is greater than `most`, or than the number of
    /// remaining bytes, because each item has at least one byte.
    mutating func count(upTo most: Int) throws -> Int {
        let count = try number(upTo: most)
        guard count <= bytes.count - next else { throw unreadable }
        return count
    }

    mutating func text(bytes most: Int) throws -> String {
        let count = try count(upTo: most)
        guard let text = String(validating: bytes[next..<next + count], as: UTF8.self) else {
            throw unreadable
        }
        next += count
        return text
    }

    mutating func site() throws -> TextSite {
        try TextSite(try text(bytes: TextLimits.siteBytes))
    }

    /// Throws if bytes remain.
    func end() throws {
        guard next == bytes.count else { throw unreadable }
    }
}
