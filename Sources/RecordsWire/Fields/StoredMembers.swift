/// A cursor over the members of a stored `fields` object. It expects no white space between them.
struct StoredMembers {
    private var at = 0

    /// The range of the next member's name without quotes, and of the whole member; nil after the last one.
    mutating func next(in bytes: Span<UInt8>) throws(JSONFault) -> (name: Range<Int>, member: Range<Int>)? {
        guard at < bytes.count else { throw JSONFault(offset: at) }
        if at == 0 {
            guard bytes[0] == UInt8(ascii: "{"), bytes.count > 1 else { throw JSONFault(offset: 0) }
            if bytes[1] == UInt8(ascii: "}") {
                at = 1
                return nil
            }
        } else {
            if bytes[at] == UInt8(ascii: "}") { return nil }
            guard bytes[at] == UInt8(ascii: ",") else { throw JSONFault(offset: at) }
        }
        let start = at + 1
        guard start < bytes.count, bytes[start] == UInt8(ascii: "\"") else { throw JSONFault(offset: start) }
        let nameEnd = try JSONScanner.stringEnd(bytes, start + 1).0
        guard nameEnd + 1 < bytes.count, bytes[nameEnd + 1] == UInt8(ascii: ":") else {
            throw JSONFault(offset: nameEnd)
        }
        at = try Self.valueEnd(bytes, nameEnd + 2)
        return (start + 1..<nameEnd, start..<at)
    }

    /// The end of the value that begins at `start`.
    private static func valueEnd(_ bytes: Span<UInt8>, _ start: Int) throws(JSONFault) -> Int {
        var at = start
        var depth = 0
        while at < bytes.count {
            switch bytes[at] {
            case UInt8(ascii: "\""): at = try JSONScanner.stringEnd(bytes, at + 1).0
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: ",") where depth == 0: return at
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                if depth == 0 { return at }
                depth -= 1
                if depth == 0 { return at + 1 }
            default: break
            }
            at += 1
        }
        throw JSONFault(offset: at)
    }
}
