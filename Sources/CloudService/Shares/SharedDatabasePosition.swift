import Crypto
import Directory
import RecordStore
import Records

/// A position in the feed of a person's shared database, as a change token contains it: for each zone, the
/// last state that the person has read.
struct SharedDatabasePosition: Hashable {
    /// The state of a zone when the person read it.
    struct Seen: Hashable {
        /// The identity of the owner's database, which changes when the database is restored.
        var identity: Int64
        /// The number of the last change that was visible.
        var end: Int64
    }

    /// The states by `key(of:)`, which does not depend on the directory's numbers and so survives a restore
    /// of the directory.
    var seen: [UInt64: Seen] = [:]

    private static let kind: UInt8 = 0x73
    private static let version: UInt8 = 2
    private static let zoneBytes = 24

    init() {}

    /// A hash of the zone's owner and name.
    static func key(of zone: SharedZone) -> UInt64 {
        SHA256.hash(data: Array("\(zone.owner)/\(zone.zone)".utf8)).prefix(8).bigEndianNumber
    }

    /// Decodes a token. Throws `changeTokenExpired` for a token of an earlier version, and `badRequest` for
    /// every other text.
    init(_ token: ChangeToken) throws(RecordError) {
        let bytes = token.bytes
        guard bytes.count >= 2, bytes[0] == Self.kind else {
            _ = try FeedPosition(token)
            throw RecordError.changeTokenExpired("shared")
        }
        guard bytes[1] == Self.version, bytes.count % Self.zoneBytes == 2 else {
            throw RecordError.changeTokenExpired("shared")
        }
        for start in stride(from: 2, to: bytes.count, by: Self.zoneBytes) {
            let words = (0..<3).map { bytes[start + 8 * $0..<start + 8 * $0 + 8].bigEndianNumber }
            seen[words[0]] = Seen(
                identity: Int64(bitPattern: words[1]), end: Int64(bitPattern: words[2]))
        }
    }

    /// Kind and version, 1 byte each, then for each zone its key, identity and end, 8 bytes each, big endian.
    var token: ChangeToken {
        var bytes = [Self.kind, Self.version]
        for (key, zone) in seen.sorted(by: { $0.key < $1.key }) {
            for word in [key, UInt64(bitPattern: zone.identity), UInt64(bitPattern: zone.end)] {
                bytes.append(bigEndian: word)
            }
        }
        return ChangeToken(bytes: bytes)
    }
}
