// Owns the little that a device must read of a page before it can ask for the next.

/// The token and the flag at the head or end of a page, found without decoding the records between.
struct ChangesPage {
    let syncToken: String
    let moreComing: Bool

    init(_ body: [UInt8]) throws {
        guard let token = Self.value(after: "\"syncToken\":\"", in: body, until: UInt8(ascii: "\"")) else {
            throw BenchmarkError("no syncToken in: \(String(decoding: body.prefix(500), as: UTF8.self))")
        }
        syncToken = token
        moreComing = Self.value(after: "\"moreComing\":", in: body, until: UInt8(ascii: "e")) == "tru"
    }

    /// Looks near both ends, where the members of the zone's entry are.
    private static func value(after key: String, in body: [UInt8], until end: UInt8) -> String? {
        let reach = 4096
        let key = Array(key.utf8)
        let starts = Array(0..<min(reach, body.count)) + Array(max(0, body.count - reach)..<body.count)
        for start in starts where body[start] == key[0] && body[start...].starts(with: key) {
            return String(decoding: body[(start + key.count)...].prefix { $0 != end }, as: UTF8.self)
        }
        return nil
    }
}
