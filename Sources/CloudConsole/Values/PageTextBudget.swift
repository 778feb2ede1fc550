/// Shortens texts so that a page stays small, regardless of the contents of records.
struct PageTextBudget: Sendable {
    /// The number of bytes of HTML that are left.
    private(set) var bytes: Int

    init(bytes: Int) {
        self.bytes = bytes
    }

    /// The longest beginning of a text that has at most `limit` bytes and that, escaped for HTML, needs no
    /// more than the bytes that are left. Subtracts these bytes.
    mutating func take(_ text: String, bytes limit: Int) -> (text: String, isCut: Bool) {
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
            if kept + length > limit || cost + escaped > bytes { break }
            kept += length
            cost += escaped
        }
        bytes -= cost
        if kept == text.utf8.count { return (text, false) }
        return (String(decoding: text.utf8.prefix(kept), as: UTF8.self), true)
    }

    /// The text if it fits completely; otherwise nil, for example for an address, which cannot be shortened.
    mutating func whole(_ text: String, bytes limit: Int) -> String? {
        let before = bytes
        let (kept, isCut) = take(text, bytes: limit)
        if !isCut { return kept }
        bytes = before
        return nil
    }

    /// The beginning of a text with `…` behind it if it was cut.
    mutating func shortened(_ text: String, bytes limit: Int) -> String {
        let (kept, isCut) = take(text, bytes: limit)
        return isCut ? kept + "…" : kept
    }
}
