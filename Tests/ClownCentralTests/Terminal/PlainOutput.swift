import Foundation

/// Output of a terminal without control sequences, carriage returns and bells.
///
/// Each byte is read once, when it arrives, so the time per byte does not grow with the output.
struct PlainOutput: Sendable {
    private var bytes: [UInt8] = []
    /// The beginning of a control sequence whose end has not arrived yet.
    private var sequence: [UInt8] = []

    var text: String { String(decoding: bytes, as: UTF8.self) }

    mutating func add(_ part: some Sequence<UInt8>) {
        for byte in part { add(byte) }
    }

    private mutating func add(_ byte: UInt8) {
        if sequence.isEmpty { return addOutside(byte) }
        sequence.append(byte)
        if sequence.count == 2, byte == UInt8(ascii: "[") { return }
        if sequence.count > 2, "0123456789;?".utf8.contains(byte) { return }
        let isEnd = sequence.count > 2 && (byte == UInt8(ascii: "@") || Self.isLetter(byte))
        // Anything else is no control sequence, and is shown.
        if !isEnd { bytes += sequence.dropLast() }
        sequence = []
        if !isEnd { addOutside(byte) }
    }

    private mutating func addOutside(_ byte: UInt8) {
        switch byte {
        case 0x1B: sequence = [byte]
        case UInt8(ascii: "\r"), 7, 1, 2: break
        default: bytes.append(byte)
        }
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"): true
        default: false
        }
    }

    /// Removes and returns the output up to the end of a text; nil if the text has not arrived.
    mutating func take(through text: String) -> String? {
        guard let range = Data(bytes).range(of: Data(text.utf8)) else { return nil }
        defer { bytes.removeFirst(range.upperBound) }
        return String(decoding: bytes[..<range.upperBound], as: UTF8.self)
    }
}
