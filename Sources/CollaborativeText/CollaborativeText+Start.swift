extension CollaborativeText {
    /// Creates a text that begins with a text which was stored without contributions.
    ///
    /// The first contributions are made of the text alone, so they are equal on every device: devices that
    /// each begin with the same text have it once when they apply what the others typed. Their site is named
    /// after the text. ``takeContributions()`` does not return them; snapshots have them.
    ///
    /// Throws ``TextError/full(what:limit:)`` if the text is too long.
    public init(startingWith text: String, site: TextSite) throws {
        self.init(site: site)
        guard !text.isEmpty else { return }
        var first = CollaborativeText(site: try TextSite("text-\(Self.fingerprint(of: text))"))
        try first.insert(text, at: 0)
        try apply(first.takeContributions())
    }

    /// The 64 bits of FNV-1a of the UTF-8 bytes, as a number.
    private static func fingerprint(of text: String) -> UInt64 {
        text.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }
}
