import RecordStore
import Records

/// A position in the feed of a person's shared database, as a change token contains it: the zones that the
/// person has seen, each with the number of the last change that was visible then.
struct SharedDatabasePosition: Hashable {
    /// By the number of the zone in the directory's index.
    var seen: [Int64: Int64] = [:]

    private static let kind: UInt8 = 0x73
    private static let version: UInt8 = 1

    init() {}

    /// Decodes a token. Throws `changeTokenExpired` for a token of an earlier version, whose shared databases
    /// were empty, and `badRequest` for every other text.
    init(_ token: ChangeToken) throws(RecordError) {
        let bytes = token.bytes
        guard bytes.count >= 2, bytes[0] == Self.kind, bytes[1] == Self.version, bytes.count % 16 == 2 else {
            _ = try FeedPosition(token)
            throw RecordError.changeTokenExpired("shared")
        }
        for start in stride(from: 2, to: bytes.count, by: 16) {
            seen[Self.integer(bytes[start..<start + 8])] = Self.integer(bytes[start + 8..<start + 16])
        }
    }

    /// Kind and version, 1 byte each, then for each zone its number and its last change, 8 bytes each, big
    /// endian.
    var token: ChangeToken {
        var bytes = [Self.kind, Self.version]
        for (number, end) in seen.sorted(by: { $0.key < $1.key }) {
            for value in [number, end] {
                withUnsafeBytes(of: value.bigEndian) { bytes.append(contentsOf: $0) }
            }
        }
        return ChangeToken(bytes: bytes)
    }

    private static func integer(_ bytes: ArraySlice<UInt8>) -> Int64 {
        Int64(bitPattern: bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
    }
}
