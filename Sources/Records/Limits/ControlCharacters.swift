extension String {
    /// Whether the text has one of the control characters of ASCII. JSON needs up to six bytes for one.
    package var hasControlCharacters: Bool { utf8.contains { $0 < 0x20 || $0 == 0x7f } }
}
