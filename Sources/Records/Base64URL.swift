import Foundation

/// URL-safe base64 without padding (RFC 4648, section 5).
package enum Base64URL {
    package static func encode(_ bytes: [UInt8]) -> String {
        String(decoding: letters(of: bytes), as: UTF8.self)
    }

    /// Decodes a text; nil unless it is the exact encoding. Base64 has unused bits, which would otherwise let
    /// different texts decode to the same bytes.
    package static func decode(_ text: String) -> [UInt8]? {
        let given = [UInt8](text.utf8)
        var standard = given.map { letter -> UInt8 in
            switch letter {
            case UInt8(ascii: "-"): UInt8(ascii: "+")
            case UInt8(ascii: "_"): UInt8(ascii: "/")
            default: letter
            }
        }
        standard += repeatElement(UInt8(ascii: "="), count: (4 - standard.count % 4) % 4)
        guard let data = Data(base64Encoded: Data(standard)) else { return nil }
        let bytes = [UInt8](data)
        return letters(of: bytes) == given ? bytes : nil
    }

    private static func letters(of bytes: [UInt8]) -> [UInt8] {
        var letters: [UInt8] = []
        for letter in Data(bytes).base64EncodedData() {
            switch letter {
            case UInt8(ascii: "+"): letters.append(UInt8(ascii: "-"))
            case UInt8(ascii: "/"): letters.append(UInt8(ascii: "_"))
            case UInt8(ascii: "="): break
            default: letters.append(letter)
            }
        }
        return letters
    }
}
