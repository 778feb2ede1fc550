package import Records

/// Checks the names that clients choose.
package enum NameRules {
    /// A record's name: 1…255 ASCII characters, not beginning with an underscore when a client makes it.
    package static func checkRecordName(
        _ name: String, limits: Limits, mayBeReserved: Bool
    ) throws(RecordError) {
        try checkLength(name, what: "recordName", limits: limits)
        guard name.utf8.allSatisfy({ (0x20...0x7e).contains($0) }) else {
            throw refusal("a record name is made of ASCII characters", name)
        }
        if name.hasPrefix("_"), !mayBeReserved {
            throw refusal("a record name does not begin with an underscore", name)
        }
    }

    /// A zone's name: as a record's.
    package static func checkZoneName(_ name: String, limits: Limits) throws(RecordError) {
        try checkLength(name, what: "zoneName", limits: limits)
        guard name.utf8.allSatisfy({ (0x20...0x7e).contains($0) }), !name.hasPrefix("_") else {
            throw refusal("a zone name is ASCII and does not begin with an underscore", name)
        }
    }

    /// A record type's name: a letter, then letters, digits, underscores; dots in the system's own.
    package static func checkTypeName(_ name: String, limits: Limits) throws(RecordError) {
        try checkLength(name, what: "recordType", limits: limits)
        guard isIdentifier(name) else {
            throw refusal("a record type is a letter followed by letters, digits and underscores", name)
        }
    }

    /// A field's name: likewise.
    package static func checkFieldName(_ name: String, limits: Limits) throws(RecordError) {
        try checkLength(name, what: "fieldName", limits: limits)
        guard isIdentifier(name) else {
            throw refusal("a field name is a letter followed by letters, digits and underscores", name)
        }
    }

    /// A role's name: anything that can be printed, but for the system's own and quotation marks.
    package static func checkRoleName(_ name: String) throws(RecordError) {
        if Role.canBeNamed(name) { return }
        throw refusal("a role's name can be printed and does not begin with an underscore", name)
    }

    /// A person's sign-in name: 1…64 characters that can be seen, without spaces.
    package static func checkPersonName(_ name: String) throws(RecordError) {
        guard mayBeSought(name), (1...64).contains(name.count), isVisible(name),
            !name.unicodeScalars.contains(where: \.properties.isWhitespace)
        else {
            throw refusal("a person's name has 1 to 64 characters, all visible, and no spaces", name)
        }
    }

    /// Whether a text holds nothing but what can be seen, and spaces: no control characters, line breaks,
    /// marks of direction or characters without width. Those change how the text beside them looks on the
    /// screens of others.
    package static func isVisible(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy { scalar in
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator: false
            // Fillers of Hangul, which count as letters.
            default: ![0x115f, 0x1160, 0x3164, 0xffa0].contains(scalar.value)
            }
        }
    }

    /// Whether somebody can be called so: anything else is looked for nowhere. SQLite would end the text at a
    /// NUL and find somebody else.
    package static func mayBeSought(_ name: String) -> Bool {
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
        // Bytes first: to count characters takes long where one is as long as a request.
        let isShort = name.utf8.count <= 16 * limits.nameCharacters
        if name.isEmpty || !isShort || name.count > limits.nameCharacters {
            throw RecordError(
                .badRequest, "\(what) must have 1 to \(limits.nameCharacters) characters",
                culprit: String(String.UnicodeScalarView(name.unicodeScalars.prefix(60))),
                nextStep: "choose a shorter name"
            )
        }
    }

    private static func refusal(_ reason: String, _ name: String) -> RecordError {
        RecordError(.badRequest, reason, culprit: name, nextStep: "choose another name")
    }
}
