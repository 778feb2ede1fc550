#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The sync token and the `moreComing` flag of a page of changes, found without decoding its records.
struct ChangesResponse {
    let syncToken: String
    let moreComing: Bool

    init(_ body: [UInt8]) throws {
        guard let token = Self.value(after: "\"syncToken\":\"", in: body, until: UInt8(ascii: "\"")) else {
            throw BenchmarkError("no syncToken in: \(String(decoding: body.prefix(500), as: UTF8.self))")
        }
        syncToken = token
        moreComing = Self.value(after: "\"moreComing\":", in: body, until: UInt8(ascii: "e")) == "tru"
    }

    /// The value after `key`. Searches the first and the last 4 KB only, where the members of the zone's
    /// entry are.
    private static func value(after key: String, in body: [UInt8], until end: UInt8) -> String? {
        let reach = 4096
        return body.withUnsafeBytes { bytes in
            let head = UnsafeRawBufferPointer(rebasing: bytes.prefix(reach + key.utf8.count))
            let tail = UnsafeRawBufferPointer(rebasing: bytes.suffix(reach))
            return [tail, head].lazy.compactMap { part in
                offset(of: key, in: part).map { start in
                    String(decoding: part[start...].prefix { $0 != end }, as: UTF8.self)
                }
            }
            .first
        }
    }

    /// The offset behind the first occurrence of a text; nil if there is none.
    private static func offset(of text: String, in bytes: UnsafeRawBufferPointer) -> Int? {
        let text = Array(text.utf8)
        guard let start = bytes.baseAddress, let first = text.first else { return nil }
        var here = 0
        while here + text.count <= bytes.count,
            let found = memchr(start + here, Int32(first), bytes.count - here - text.count + 1)
        {
            here = UnsafeRawPointer(found) - start
            if memcmp(found, text, text.count) == 0 { return here + text.count }
            here += 1
        }
        return nil
    }
}
