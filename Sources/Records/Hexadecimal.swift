extension Sequence<UInt8> {
    /// The bytes as lower-case hexadecimal digits, two for each byte.
    package var hexadecimal: String {
        var text: [UInt8] = []
        text.reserveCapacity(underestimatedCount * 2)
        for byte in self { text += [(byte >> 4).hexadecimalDigit, (byte & 15).hexadecimalDigit] }
        return String(decoding: text, as: UTF8.self)
    }

    /// The bytes as upper-case hexadecimal digits in the groups of a UUID. There should be 16.
    package var uuidText: String {
        var text = ""
        for (index, digit) in hexadecimal.uppercased().enumerated() {
            if [8, 12, 16, 20].contains(index) { text.append("-") }
            text.append(digit)
        }
        return text
    }
}

extension UInt8 {
    /// The ASCII code of the hexadecimal digit for a number from 0 to 15.
    package var hexadecimalDigit: UInt8 {
        self < 10 ? UInt8(ascii: "0") + self : UInt8(ascii: "a") + self - 10
    }
}
