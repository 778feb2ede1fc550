package import Records

/// Checks the names that clients choose.
package enum NameRules {
    /// Checks a record's name: 1 to `Limits.nameCharacters` printable ASCII characters. It begins with an
    /// underscore only if `mayBeReserved`.
    package static func checkRecordName(
        _ name: String, limits: Limits, mayBeReserved: Bool
    ) throws(RecordError) {
        try checkLength(name, what: "recordName", limits: limits)
        guard isPrintableASCII(name) else {
            throw refusal("a record name must consist of printable ASCII characters", name)
        }
        if name.hasPrefix("_"), !mayBeReserved {
            throw refusal("a record name must not begin with an underscore", name)
        }
    }

    /// Checks a zone's name. The rules are those for record names that are not reserved.
    package static func checkZoneName(_ name: String, limits: Limits) throws(RecordError) {
        try checkLength(name, what: "zoneName", limits: limits)
        guard isPrintableASCII(name), !name.hasPrefix("_") else {
            throw refusal(
                "a zone name must consist of printable ASCII characters, and must not begin with _", name)
        }
    }

    /// Checks a record type's name: a letter, followed by letters, digits, underscores and dots.
    package static func checkTypeName(_ name: String, limits: Limits) throws(RecordError) {
        try checkLength(name, what: "recordType", limits: limits)
        guard isIdentifier(name) else {
            throw refusal(
                "a record type must be a letter followed by letters, digits, underscores and dots", name)
        }
    }

    /// Checks a field's name. The rules are those for record types.
    package static func checkFieldName(_ name: String, limits: Limits) throws(RecordError) {
        try checkLength(name, what: "fieldName", limits: limits)
        guard isIdentifier(name) else {
            throw refusal(
                "a field name must be a letter followed by letters, digits, underscores and dots", name)
        }
    }

    /// Checks a role's name: printable characters except quotation marks, not beginning with an underscore.
    package static func checkRoleName(_ name: String) throws(RecordError) {
        if Role.canBeNamed(name) { return }
        throw refusal(
            "a role's name must consist of printable characters and must not begin with an underscore", name)
    }

    /// Checks a person's sign-in name: 1 to 64 visible characters without spaces.
    package static func checkPersonName(_ name: String) throws(RecordError) {
        guard canBeLookedUp(name), (1...64).contains(name.count), isVisible(name),
            !name.unicodeScalars.contains(where: \.properties.isWhitespace)
        else {
            throw refusal("a person's name has 1 to 64 characters, all visible, and no spaces", name)
        }
    }

    /// Whether a text consists of ASCII characters without control characters.
    static func isPrintableASCII(_ text: String) -> Bool {
        text.utf8.allSatisfy { (0x20...0x7e).contains($0) }
    }

    /// Whether a text consists of visible characters and spaces: no control characters, line breaks, marks of
    /// direction or zero-width characters. Those could change how neighbouring text looks on other people's
    /// screens.
    package static func isVisible(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy { scalar in
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator: false
            // Hangul fillers, which are invisible but have the category of letters.
            default: ![0x115f, 0x1160, 0x3164, 0xffa0].contains(scalar.value)
            }
        }
    }

    /// Whether a text can be looked up as a name: at most 1016 bytes and no NUL, at which SQLite would end
    /// the text and find another person.
    package static func canBeLookedUp(_ name: String) -> Bool {
        name.utf8.count <= 1016 && !name.utf8.contains(0)
    }

    private static func isIdentifier(_ name: String) -> Bool {
        guard let first = name.utf8.first, isLetter(first) else { return false }
        return name.utf8.allSatisfy { isLetter($0) || (48...57).contains($0) || $0 == 0x5f || $0 == 0x2e }
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (65...90).contains(byte) || (97...122).contains(byte)
    }

    private static func checkLength(_ name: String, what: String, limits: Limits) throws(RecordError) {
        // Checked in bytes first: counting characters takes long, because one character may be as long as a
        // request.
        let isShort = name.utf8.count <= 16 * limits.nameCharacters
        if name.isEmpty || !isShort || name.count > limits.nameCharacters {
            throw RecordError(
                .badRequest, "\(what) must have 1 to \(limits.nameCharacters) characters",
                culprit: name.isEmpty
                    ? what : String(String.UnicodeScalarView(name.unicodeScalars.prefix(60))),
                nextStep: name.isEmpty ? "choose a name" : "choose a shorter name"
            )
        }
    }

    private static func refusal(_ reason: String, _ name: String) -> RecordError {
        RecordError(.badRequest, reason, culprit: name, nextStep: "choose another name")
    }
}
