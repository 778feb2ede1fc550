/// Checks field names. It compares bytes, because it runs for every field of every save.
enum FieldKeys {
    /// Whether a record can have a field with this name: a letter or `_`, then letters, digits, `_`, `$` and
    /// `.`.
    static func canBeSaved(_ key: String) -> Bool {
        guard let first = key.utf8.first, isLetter(first) || first == UInt8(ascii: "_") else { return false }
        return key.utf8.allSatisfy { isPlain($0) || $0 == UInt8(ascii: "$") || $0 == UInt8(ascii: ".") }
    }

    /// Whether a predicate can name the field: a letter, then letters, digits and `_`.
    static func canBeQueried(_ key: String) -> Bool {
        guard let first = key.utf8.first, isLetter(first) else { return false }
        return key.utf8.allSatisfy(isPlain)
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        isLetter(byte) || (48...57).contains(byte) || byte == UInt8(ascii: "_")
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (65...90).contains(byte) || (97...122).contains(byte)
    }
}
