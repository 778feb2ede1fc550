// Owns the writing of JSON: values appended to bytes, commas set where they belong.

/// Appends JSON to a buffer. Whoever calls it keeps objects and arrays balanced.
package struct JSONWriter: Sendable {
    /// What has been written since the last `drain`.
    package private(set) var bytes: [UInt8] = []
    private var needsComma = false

    package init(capacity: Int = 256) {
        bytes.reserveCapacity(capacity)
    }

    /// Takes what has been written so far; writing goes on behind it.
    package mutating func drain() -> [UInt8] {
        defer { bytes.removeAll(keepingCapacity: false) }
        return bytes
    }

    package mutating func beginObject() { open(UInt8(ascii: "{")) }
    package mutating func endObject() { close(UInt8(ascii: "}")) }
    package mutating func beginArray() { open(UInt8(ascii: "[")) }
    package mutating func endArray() { close(UInt8(ascii: "]")) }

    /// A key that needs no escapes; a value must follow.
    package mutating func key(_ name: StaticString) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        append(name)
        bytes.append(UInt8(ascii: "\""))
        bytes.append(UInt8(ascii: ":"))
        needsComma = false
    }

    /// Any key; a value must follow.
    package mutating func key(_ name: String) {
        string(name)
        bytes.append(UInt8(ascii: ":"))
        needsComma = false
    }

    package mutating func string(_ text: String) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        var text = text
        text.withUTF8 { appendEscaped($0) }
        bytes.append(UInt8(ascii: "\""))
    }

    package mutating func bool(_ value: Bool) {
        separate()
        append(value ? "true" : "false")
    }

    package mutating func null() {
        separate()
        append("null")
    }

    package mutating func base64(_ value: [UInt8]) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        Base64.append(value, to: &bytes)
        bytes.append(UInt8(ascii: "\""))
    }

    package mutating func integer(_ value: Int64) {
        separate()
        appendDigits(value)
    }

    /// The shortest text that reads back as the same number. What JSON cannot say (NaN, infinities) becomes
    /// a string, which readers of numbers refuse with an error that names it.
    package mutating func double(_ value: Double) {
        separate()
        if value.isFinite {
            bytes.append(contentsOf: value.description.utf8)
        } else {
            bytes.append(UInt8(ascii: "\""))
            bytes.append(contentsOf: value.description.utf8)
            bytes.append(UInt8(ascii: "\""))
        }
    }

    /// A value that is already JSON.
    package mutating func value(_ json: some Collection<UInt8>) {
        separate()
        bytes.append(contentsOf: json)
    }

    /// JSON of known text, in the place of a value or in its midst; commas inside it are the caller's.
    mutating func literal(_ text: StaticString) {
        separate()
        append(text)
    }

    /// Text that continues what stands before it.
    mutating func append(_ text: StaticString) {
        bytes.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    /// Bytes that continue what stands before them.
    mutating func append(_ json: ArraySlice<UInt8>) {
        bytes.append(contentsOf: json)
    }

    /// Lets the next value follow without a comma: a key or an opening has been appended by hand.
    mutating func continues() {
        needsComma = false
    }

    private mutating func separate() {
        if needsComma { bytes.append(UInt8(ascii: ",")) }
        needsComma = true
    }

    private mutating func open(_ byte: UInt8) {
        separate()
        bytes.append(byte)
        needsComma = false
    }

    private mutating func close(_ byte: UInt8) {
        bytes.append(byte)
        needsComma = true
    }

    private mutating func appendDigits(_ value: Int64) {
        if value < 0 { bytes.append(UInt8(ascii: "-")) }
        var rest = value.magnitude
        var count = 1
        while rest >= 10 {
            rest /= 10
            count += 1
        }
        let start = bytes.count
        bytes.append(contentsOf: repeatElement(UInt8(ascii: "0"), count: count))
        rest = value.magnitude
        for at in stride(from: start + count - 1, through: start, by: -1) {
            bytes[at] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
            rest /= 10
        }
    }

    private mutating func appendEscaped(_ text: UnsafeBufferPointer<UInt8>) {
        var runStart = 0
        var at = 0
        let raw = UnsafeRawBufferPointer(text)
        while at < text.count {
            if at + 8 <= text.count {
                let word = raw.loadUnaligned(fromByteOffset: at, as: UInt64.self)
                let found = ByteWords.needingEscape(UInt64(littleEndian: word))
                guard found != 0 else {
                    at += 8
                    continue
                }
                at += found.trailingZeroBitCount >> 3
            }
            let byte = text[at]
            if byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") {
                bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[runStart..<at]))
                appendEscape(byte)
                runStart = at + 1
            }
            at += 1
        }
        bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[runStart...]))
    }

    private mutating func appendEscape(_ byte: UInt8) {
        bytes.append(UInt8(ascii: "\\"))
        switch byte {
        case 0x08: bytes.append(UInt8(ascii: "b"))
        case 0x09: bytes.append(UInt8(ascii: "t"))
        case 0x0A: bytes.append(UInt8(ascii: "n"))
        case 0x0C: bytes.append(UInt8(ascii: "f"))
        case 0x0D: bytes.append(UInt8(ascii: "r"))
        case 0x20...: bytes.append(byte)
        default:
            append("u00")
            let digits: StaticString = "0123456789abcdef"
            bytes.append(digits.utf8Start[Int(byte >> 4)])
            bytes.append(digits.utf8Start[Int(byte & 15)])
        }
    }
}
