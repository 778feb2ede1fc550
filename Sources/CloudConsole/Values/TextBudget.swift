/// Shortens texts, so that a page stays small whatever the records have in them.
struct TextBudget: Sendable {
    /// Bytes of HTML that are left.
    private(set) var bytes: Int

    init(bytes: Int) {
        self.bytes = bytes
    }

    /// The beginning of a text that has at most `most` bytes and, escaped, at most what is left. Counts it.
    mutating func take(_ text: String, most: Int) -> (text: String, isCut: Bool) {
        var (kept, cost) = (0, 0)
        for scalar in text.unicodeScalars {
            let length = UTF8.width(scalar)
            let escaped =
                switch scalar {
                case "&", "'": 5
                case "<", ">": 4
                case "\"": 6
                default: length
                }
            if kept + length > most || cost + escaped > bytes { break }
            kept += length
            cost += escaped
        }
        bytes -= cost
        if kept == text.utf8.count { return (text, false) }
        return (String(decoding: text.utf8.prefix(kept), as: UTF8.self), true)
    }

    /// The text, such as an address, if it fits as a whole; otherwise nil.
    mutating func whole(_ text: String, most: Int) -> String? {
        let before = bytes
        let (kept, isCut) = take(text, most: most)
        if !isCut { return kept }
        bytes = before
        return nil
    }

    /// The beginning of a text with `…` behind it if it was cut.
    mutating func shortened(_ text: String, most: Int) -> String {
        let (kept, isCut) = take(text, most: most)
        return isCut ? kept + "…" : kept
    }
}
