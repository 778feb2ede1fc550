extension CollaborativeText {
    /// Creates a text from a string that was stored without contributions.
    ///
    /// The first contributions depend only on the string, so they are equal on every device. If several
    /// devices begin with the same string, the text contains it only once after they have applied each
    /// other's edits. The site of these contributions is named after a hash of the string.
    /// ``takeContributions()`` does not return them; snapshots include them.
    ///
    /// Throws ``TextError/full(what:limit:)`` if the string is too long.
    public init(startingWith text: String, site: TextSite) throws {
        self.init(site: site)
        guard !text.isEmpty else { return }
        var first = CollaborativeText(site: try TextSite("text-\(Self.fingerprint(of: text))"))
        try first.insert(text, at: 0)
        try apply(first.takeContributions())
    }

    /// The 64-bit FNV-1a hash of the UTF-8 bytes.
    private static func fingerprint(of text: String) -> UInt64 {
        text.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }
}
