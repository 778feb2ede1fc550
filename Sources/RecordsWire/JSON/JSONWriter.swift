/// Writes JSON to a buffer. The caller keeps objects and arrays balanced.
package struct JSONWriter: ~Copyable, Sendable {
    private var written: GrowingBytes
    private var needsComma = false

    package init(capacity: Int = 256) {
        written = GrowingBytes(capacity: capacity)
    }

    /// The bytes written since the last `drain`.
    package var bytes: [UInt8] { written.array }

    /// The number of bytes written since the last `drain`.
    var count: Int { written.withBytes(\.count) }

    /// Calls `body` with the bytes written since the last `drain`, without copying them.
    package borrowing func withBytes<R>(_ body: (UnsafeRawBufferPointer) -> R) -> R {
        written.withBytes(body)
    }

    /// Reserves capacity for this number of further bytes.
    mutating func makeRoom(for bytes: Int) {
        written.makeRoom(for: bytes)
    }

    /// Returns the bytes written so far and removes them. Writing continues after them.
    package mutating func drain() -> [UInt8] {
        defer { written.removeAll() }
        return written.array
    }

    package mutating func beginObject() { open(UInt8(ascii: "{")) }
    package mutating func endObject() { close(UInt8(ascii: "}")) }
    package mutating func beginArray() { open(UInt8(ascii: "[")) }
    package mutating func endArray() { close(UInt8(ascii: "]")) }

    /// Writes a key that needs no escapes. A value must follow.
    package mutating func key(_ name: StaticString) {
        separate()
        written.append(UInt8(ascii: "\""))
        append(name)
        written.append(UInt8(ascii: "\""))
        written.append(UInt8(ascii: ":"))
        needsComma = false
    }

    /// Writes a key. A value must follow.
    package mutating func key(_ name: String) {
        string(name)
        written.append(UInt8(ascii: ":"))
        needsComma = false
    }

    package mutating func string(_ text: String) {
        separate()
        written.append(UInt8(ascii: "\""))
        var text = text
        text.withUTF8 { appendEscaped($0) }
        written.append(UInt8(ascii: "\""))
    }

    /// Writes UTF-8 bytes as a string.
    mutating func string(utf8 bytes: UnsafeRawBufferPointer) {
        separate()
        written.append(UInt8(ascii: "\""))
        appendEscaped(bytes.assumingMemoryBound(to: UInt8.self))
        written.append(UInt8(ascii: "\""))
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
        written.append(UInt8(ascii: "\""))
        Base64.append(value, to: &written)
        written.append(UInt8(ascii: "\""))
    }

    package mutating func integer(_ value: Int64) {
        separate()
        appendDigits(value)
    }

    /// Writes the shortest text that reads back as the same number. NaN and infinities, which JSON cannot
    /// express, become strings; readers reject these with an error that names them.
    package mutating func double(_ value: Double) {
        separate()
        if value.isFinite {
            written.append(value.description.utf8)
        } else {
            written.append(UInt8(ascii: "\""))
            written.append(value.description.utf8)
            written.append(UInt8(ascii: "\""))
        }
    }

    /// Writes a value that is already JSON.
    package mutating func value(_ json: some Collection<UInt8>) {
        separate()
        written.append(json)
    }

    /// Writes constant JSON as a value or as the beginning of one. The caller writes the commas inside it.
    mutating func literal(_ text: StaticString) {
        separate()
        append(text)
    }

    /// Writes a sequence number as a change tag: a string in base 36.
    mutating func tag(_ sequence: Int64) {
        literal("\"")
        if sequence < 0 { written.append(UInt8(ascii: "-")) }
        append(digits: sequence.magnitude, radix: 36)
        written.append(UInt8(ascii: "\""))
    }

    /// Appends text without a comma before it.
    mutating func append(_ text: StaticString) {
        written.append(text)
    }

    /// Appends bytes without a comma before them.
    mutating func append(_ json: ArraySlice<UInt8>) {
        written.append(json)
    }

    /// Appends bytes without a comma before them.
    mutating func append(_ json: UnsafeRawBufferPointer) {
        written.append(json.assumingMemoryBound(to: UInt8.self))
    }

    /// Suppresses the comma before the next value, because the caller has appended a key or an opening
    /// bracket.
    mutating func continues() {
        needsComma = false
    }

    private mutating func separate() {
        if needsComma { written.append(UInt8(ascii: ",")) }
        needsComma = true
    }

    private mutating func open(_ byte: UInt8) {
        separate()
        written.append(byte)
        needsComma = false
    }

    private mutating func close(_ byte: UInt8) {
        written.append(byte)
        needsComma = true
    }

    private mutating func appendDigits(_ value: Int64) {
        if value < 0 { written.append(UInt8(ascii: "-")) }
        append(digits: value.magnitude, radix: 10)
    }

    /// Appends the digits of a number, with lower-case letters above 9.
    @inline(__always)
    private mutating func append(digits value: UInt64, radix: UInt64) {
        let letters: StaticString = "0123456789abcdefghijklmnopqrstuvwxyz"
        var rest = value
        var count = 1
        while rest >= radix {
            rest /= radix
            count += 1
        }
        rest = value
        written.append(atMost: count) { room in
            for at in stride(from: count - 1, through: 0, by: -1) {
                room[at] = letters.utf8Start[Int(rest % radix)]
                rest /= radix
            }
            return count
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
                written.append(UnsafeBufferPointer(rebasing: text[runStart..<at]))
                appendEscape(byte)
                runStart = at + 1
            }
            at += 1
        }
        written.append(UnsafeBufferPointer(rebasing: text[runStart...]))
    }

    private mutating func appendEscape(_ byte: UInt8) {
        written.append(UInt8(ascii: "\\"))
        switch byte {
        case 0x08: written.append(UInt8(ascii: "b"))
        case 0x09: written.append(UInt8(ascii: "t"))
        case 0x0A: written.append(UInt8(ascii: "n"))
        case 0x0C: written.append(UInt8(ascii: "f"))
        case 0x0D: written.append(UInt8(ascii: "r"))
        case 0x20...: written.append(byte)
        default:
            append("u00")
            let digits: StaticString = "0123456789abcdef"
            written.append(digits.utf8Start[Int(byte >> 4)])
            written.append(digits.utf8Start[Int(byte & 15)])
        }
    }
}
