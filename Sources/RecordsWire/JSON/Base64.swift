/// Encodes and decodes base64.
package enum Base64 {
    private static let alphabet: [UInt8] = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8
    )

    /// The value of each character; 64 for invalid characters.
    private static let values: [UInt8] = {
        var values = [UInt8](repeating: 64, count: 256)
        for (value, character) in alphabet.enumerated() { values[Int(character)] = UInt8(value) }
        return values
    }()

    /// Encodes bytes with padding.
    package static func encode(_ bytes: [UInt8]) -> String {
        String(unsafeUninitializedCapacity: length(of: bytes)) { encode(bytes, to: $0.baseAddress) }
    }

    /// Appends the encoding of bytes with padding.
    static func append(_ bytes: [UInt8], to text: inout GrowingBytes) {
        text.append(atMost: length(of: bytes)) { encode(bytes, to: $0) }
    }

    private static func length(of bytes: [UInt8]) -> Int { (bytes.count + 2) / 3 * 4 }

    /// Writes the encoding to `place`, which must have room for it, and returns its length.
    private static func encode(_ bytes: [UInt8], to place: UnsafeMutablePointer<UInt8>?) -> Int {
        guard let place else { return 0 }
        let source = bytes.span
        let letters = alphabet.span
        var next = place
        func put(_ letter: UInt8) {
            next.pointee = letter
            next += 1
        }
        var at = 0
        while at + 3 <= source.count {
            let group = UInt32(source[at]) << 16 | UInt32(source[at + 1]) << 8 | UInt32(source[at + 2])
            put(letters[Int(group >> 18)])
            put(letters[Int(group >> 12 & 63)])
            put(letters[Int(group >> 6 & 63)])
            put(letters[Int(group & 63)])
            at += 3
        }
        guard at < source.count else { return next - place }
        let hasTwo = at + 1 < source.count
        let group = UInt32(source[at]) << 16 | (hasTwo ? UInt32(source[at + 1]) << 8 : 0)
        put(letters[Int(group >> 18)])
        put(letters[Int(group >> 12 & 63)])
        put(hasTwo ? letters[Int(group >> 6 & 63)] : UInt8(ascii: "="))
        put(UInt8(ascii: "="))
        return next - place
    }

    /// Decodes text; nil if a character or the length is invalid. Padding is optional. Unused bits must be
    /// zero, so that each value has one encoding.
    package static func decode(_ text: String) -> [UInt8]? {
        decode(Array(text.utf8)[...])
    }

    static func decode(_ text: ArraySlice<UInt8>) -> [UInt8]? {
        let source = text.span
        var count = source.count
        if count % 4 == 0, count > 0, source[count - 1] == UInt8(ascii: "=") {
            count -= source[count - 2] == UInt8(ascii: "=") ? 2 : 1
        }
        guard count % 4 != 1 else { return nil }
        let table = values.span
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count / 4 * 3 + 2)
        var wrong: UInt8 = 0
        var at = 0
        while at + 4 <= count {
            let a = table[Int(source[at])]
            let b = table[Int(source[at + 1])]
            let c = table[Int(source[at + 2])]
            let d = table[Int(source[at + 3])]
            wrong |= a | b | c | d
            bytes.append(a << 2 | b >> 4)
            bytes.append(b << 4 | c >> 2)
            bytes.append(c << 6 | d)
            at += 4
        }
        guard at < count else { return wrong < 64 ? bytes : nil }
        let a = table[Int(source[at])]
        let b = table[Int(source[at + 1])]
        let c = at + 2 < count ? table[Int(source[at + 2])] : 0
        bytes.append(a << 2 | b >> 4)
        if at + 2 < count { bytes.append(b << 4 | c >> 2) }
        let hidden = at + 2 < count ? c & 3 : b & 15
        return (wrong | a | b | c) < 64 && hidden == 0 ? bytes : nil
    }
}
