/// One value of a row, the same in every engine.
package enum RowValue: Sendable {
    case null
    case integer(Int64)
    case text(String)
    case bytes([UInt8])
}

/// Texts are compared by their UTF-8 bytes, as the engines compare them. Swift takes two spellings of one
/// letter for equal.
extension RowValue: Comparable, Hashable {
    package static func == (a: RowValue, b: RowValue) -> Bool {
        switch (a, b) {
        case (.null, .null): true
        case (.integer(let a), .integer(let b)): a == b
        case (.text(let a), .text(let b)): a.utf8.elementsEqual(b.utf8)
        case (.bytes(let a), .bytes(let b)): a == b
        default: false
        }
    }

    package func hash(into hasher: inout Hasher) {
        switch self {
        case .null: hasher.combine(0)
        case .integer(let integer): hasher.combine(integer)
        case .text(let text): for byte in text.utf8 { hasher.combine(byte) }
        case .bytes(let bytes): hasher.combine(bytes)
        }
    }

    package static func < (a: RowValue, b: RowValue) -> Bool {
        switch (a, b) {
        case (.integer(let a), .integer(let b)): a < b
        case (.text(let a), .text(let b)): a.utf8.lexicographicallyPrecedes(b.utf8)
        case (.bytes(let a), .bytes(let b)): a.lexicographicallyPrecedes(b)
        default: a.kindNumber < b.kindNumber
        }
    }

    private var kindNumber: UInt8 {
        switch self {
        case .null: 0
        case .integer: 1
        case .text: 2
        case .bytes: 3
        }
    }
}

extension RowValue {
    package var integer: Int64? { if case .integer(let integer) = self { integer } else { nil } }
    package var text: String? { if case .text(let text) = self { text } else { nil } }
    package var bytes: [UInt8]? { if case .bytes(let bytes) = self { bytes } else { nil } }
    /// Whether it is a text with the character NUL.
    package var hasNUL: Bool { text?.utf8.contains(0) ?? false }

    /// The value for people; bytes as hexadecimal digits.
    package var words: String {
        switch self {
        case .null: "NULL"
        case .integer(let integer): "\(integer)"
        case .text(let text): text
        case .bytes(let bytes): bytes.prefix(32).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        }
    }

    /// Appends the value in the form of which digests are made: its kind, and for a text or bytes the length.
    func append(to form: inout [UInt8]) {
        form.append(kindNumber)
        switch self {
        case .null: break
        case .integer(let integer): form.append(bigEndian: UInt64(bitPattern: integer))
        case .text(let text):
            form.append(bigEndian: UInt64(text.utf8.count))
            form.append(contentsOf: text.utf8)
        case .bytes(let bytes):
            form.append(bigEndian: UInt64(bytes.count))
            form.append(contentsOf: bytes)
        }
    }
}

extension [UInt8] {
    fileprivate mutating func append(bigEndian number: UInt64) {
        Swift.withUnsafeBytes(of: number.bigEndian) { append(contentsOf: $0) }
    }
}
