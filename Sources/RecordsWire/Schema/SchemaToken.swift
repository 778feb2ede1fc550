import Records

/// One token of a schema text.
struct SchemaToken: Hashable {
    enum Kind: Hashable {
        /// A name without quotes, or a keyword. The position determines which.
        case word
        /// A quoted name. `text` omits the quotes.
        case quoted
        /// One of `( ) , ; < >`.
        case sign
        /// An invalid character.
        case invalid
        case end
    }

    var kind: Kind
    var text: String
    var place: TextPlace

    /// The token in the form of error texts.
    var shown: String {
        switch kind {
        case .end: "<EOF>"
        case .quoted: "\"\\\"\(printable)\\\"\""
        default: "\"\(printable)\""
        }
    }

    /// The text, shortened and with control characters escaped.
    var printable: String {
        let start = String(String.UnicodeScalarView(text.unicodeScalars.prefix(60)))
        let shown = start.unicodeScalars.map { scalar in
            scalar.properties.generalCategory == .control ? scalar.escaped(asASCII: true) : String(scalar)
        }
        return shown.joined() + (start.unicodeScalars.count < text.unicodeScalars.count ? "…" : "")
    }

    /// Whether this is the keyword, in upper or lower case.
    func isKeyword(_ keyword: String) -> Bool { kind == .word && text.uppercased() == keyword }

    func isSign(_ sign: String) -> Bool { kind == .sign && text == sign }

    /// Whether the word is valid as a name without quotes.
    var isPlainName: Bool { kind == .word && SchemaName.isPlain(text) }
}

/// The rules for names and their quotes.
enum SchemaName {
    private static let reserved: Set<String> = [
        "GRANT", "PREFERRED", "QUERYABLE", "SEARCHABLE", "SORTABLE",
    ]

    static func isPlain(_ name: String) -> Bool {
        guard let first = name.utf8.first, isLetter(first) else { return false }
        return name.utf8.allSatisfy(isPart) && !reserved.contains(name.uppercased())
    }

    /// Whether types and fields can have this name, with quotes if necessary. Names of system types contain
    /// dots.
    static func isLegal(_ name: String) -> Bool {
        guard let first = name.utf8.first, isLetter(first), name.utf8.count <= 255 else { return false }
        return name.utf8.allSatisfy { isPart($0) || $0 == UInt8(ascii: ".") }
    }

    static func isLetter(_ byte: UInt8) -> Bool { (65...90).contains(byte) || (97...122).contains(byte) }

    static func isPart(_ byte: UInt8) -> Bool {
        isLetter(byte) || (48...57).contains(byte) || byte == UInt8(ascii: "_")
    }

    /// The name in a schema text, with quotes if necessary.
    static func spelled(_ name: String) -> String { isPlain(name) ? name : "\"\(name)\"" }
}
