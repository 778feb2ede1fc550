import Foundation

/// Encodes numbers and texts as bytes. A number takes 7 bits of each byte, lowest bits first; the high bit
/// marks that another byte follows.
struct ByteWriter {
    private(set) var data = Data()

    mutating func write(_ number: Int) {
        var rest = UInt64(number)
        while rest >= 0x80 {
            data.append(UInt8(rest & 0x7F) | 0x80)
            rest >>= 7
        }
        data.append(UInt8(rest))
    }

    mutating func write(_ text: String) {
        write(text.utf8.count)
        data.append(contentsOf: text.utf8)
    }
}
