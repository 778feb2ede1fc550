import Records

/// Validates a JSON text and produces the tape of a `JSONDocument`.
struct JSONScanner {
    private(set) var tape: [JSONEntry] = []
    private let nesting: Int
    /// The largest number of values. It also limits the tape, whose entries are larger than the shortest
    /// values.
    private let values: Int
    /// Whether strings with too many combining marks in a row are refused.
    private let limitsMarks: Bool

    init(nesting: Int, values: Int, limitsMarks: Bool, expectedBytes: Int) {
        self.nesting = nesting
        self.values = values
        self.limitsMarks = limitsMarks
        tape.reserveCapacity(min(expectedBytes / 16, values) + 8)
    }

    /// Scans the whole text: one value, surrounded only by white space.
    mutating func scan(_ bytes: Span<UInt8>) throws(JSONFault) {
        let start = Self.skippingSpace(bytes, 0)
        let end = Self.skippingSpace(bytes, try value(bytes, start, depth: 0))
        guard end == bytes.count else { throw JSONFault(offset: end) }
    }

    /// Appends the value that begins at `start` to the tape, and returns its end.
    private mutating func value(_ bytes: Span<UInt8>, _ start: Int, depth: Int) throws(JSONFault) -> Int {
        guard start < bytes.count else { throw JSONFault(offset: start) }
        if tape.count >= values { throw JSONFault(offset: start, maximumValues: values) }
        switch bytes[start] {
        case UInt8(ascii: "\""): return try string(bytes, start)
        case UInt8(ascii: "{"): return try object(bytes, start, depth: depth + 1)
        case UInt8(ascii: "["): return try array(bytes, start, depth: depth + 1)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            let (end, isInteger) = try JSONScanner.numberEnd(bytes, start)
            appendEntry(isInteger ? .integer : .real, start, end)
            return end
        case UInt8(ascii: "t"): return try word("true", .true, bytes, start)
        case UInt8(ascii: "f"): return try word("false", .false, bytes, start)
        case UInt8(ascii: "n"): return try word("null", .null, bytes, start)
        default: throw JSONFault(offset: start)
        }
    }

    private mutating func string(_ bytes: Span<UInt8>, _ start: Int) throws(JSONFault) -> Int {
        let (end, hasEscapes) = try JSONScanner.stringEnd(bytes, start + 1)
        if limitsMarks, let offset = CombiningMarks.excess(in: bytes, start + 1, end) {
            throw JSONFault(offset: offset, hasTooManyMarks: true)
        }
        appendEntry(hasEscapes ? .escapedString : .string, start + 1, end)
        return end + 1
    }

    private mutating func object(_ bytes: Span<UInt8>, _ start: Int, depth: Int) throws(JSONFault) -> Int {
        let index = try open(.object, start, depth)
        var at = Self.skippingSpace(bytes, start + 1)
        if at < bytes.count, bytes[at] == UInt8(ascii: "}") { return close(index, at + 1) }
        while true {
            guard at < bytes.count, bytes[at] == UInt8(ascii: "\"") else { throw JSONFault(offset: at) }
            at = Self.skippingSpace(bytes, try string(bytes, at))
            guard at < bytes.count, bytes[at] == UInt8(ascii: ":") else { throw JSONFault(offset: at) }
            at = Self.skippingSpace(bytes, at + 1)
            at = Self.skippingSpace(bytes, try value(bytes, at, depth: depth))
            guard at < bytes.count else { throw JSONFault(offset: at) }
            if bytes[at] == UInt8(ascii: "}") { return close(index, at + 1) }
            guard bytes[at] == UInt8(ascii: ",") else { throw JSONFault(offset: at) }
            at = Self.skippingSpace(bytes, at + 1)
        }
    }

    private mutating func array(_ bytes: Span<UInt8>, _ start: Int, depth: Int) throws(JSONFault) -> Int {
        let index = try open(.array, start, depth)
        var at = Self.skippingSpace(bytes, start + 1)
        if at < bytes.count, bytes[at] == UInt8(ascii: "]") { return close(index, at + 1) }
        while true {
            at = Self.skippingSpace(bytes, try value(bytes, at, depth: depth))
            guard at < bytes.count else { throw JSONFault(offset: at) }
            if bytes[at] == UInt8(ascii: "]") { return close(index, at + 1) }
            guard bytes[at] == UInt8(ascii: ",") else { throw JSONFault(offset: at) }
            at = Self.skippingSpace(bytes, at + 1)
        }
    }

    private mutating func word(
        _ text: StaticString, _ kind: JSONKind, _ bytes: Span<UInt8>, _ start: Int
    ) throws(JSONFault) -> Int {
        for offset in 0..<text.utf8CodeUnitCount {
            guard start + offset < bytes.count, bytes[start + offset] == text.utf8Start[offset] else {
                throw JSONFault(offset: start + offset)
            }
        }
        let end = start + text.utf8CodeUnitCount
        appendEntry(kind, start, end)
        return end
    }

    @inline(__always)
    private mutating func appendEntry(_ kind: JSONKind, _ start: Int, _ end: Int) {
        let next = UInt32(truncatingIfNeeded: tape.count + 1)
        tape.append(
            JSONEntry(
                start: UInt32(truncatingIfNeeded: start),
                end: UInt32(truncatingIfNeeded: end),
                next: next,
                kind: kind
            )
        )
    }

    private mutating func open(_ kind: JSONKind, _ start: Int, _ depth: Int) throws(JSONFault) -> Int {
        guard depth <= nesting else { throw JSONFault(offset: start, isTooDeep: true) }
        appendEntry(kind, start, start)
        return tape.count - 1
    }

    private mutating func close(_ index: Int, _ end: Int) -> Int {
        tape[index].end = UInt32(truncatingIfNeeded: end)
        tape[index].next = UInt32(truncatingIfNeeded: tape.count)
        return end
    }

    @inline(__always)
    private static func skippingSpace(_ bytes: Span<UInt8>, _ start: Int) -> Int {
        var at = start
        while at < bytes.count {
            let byte = bytes[at]
            guard byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { return at }
            at += 1
        }
        return at
    }
}
