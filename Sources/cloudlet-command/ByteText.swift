/// Formats sizes in the largest unit in which the number is at least 1, and reads them.
enum ByteText {
    private static let units = ["bytes", "kB", "MB", "GB", "TB", "PB"]

    /// The bytes of a size such as `20GB`, `1.5 TB` or `1000`; nil for any other text.
    static func bytes(_ text: String) -> Int64? {
        guard let match = text.wholeMatch(of: /([0-9]+(?:\.[0-9]+)?) *([A-Za-z]*)/),
            let number = Double(match.1)
        else { return nil }
        let name = match.2.isEmpty ? units[0] : match.2.lowercased()
        guard let power = units.firstIndex(where: { $0.lowercased() == name }) else { return nil }
        let bytes = (0..<power).reduce(number) { product, _ in product * 1000 }
        return Int64(exactly: bytes.rounded())
    }

    /// A size and its limit, if there is one.
    static func of(_ used: Int64, limit: Int64?) -> String {
        limit.map { "\(of(used)) of \(of($0))" } ?? of(used)
    }

    static func of(_ bytes: Int64) -> String {
        var value = Double(bytes)
        var unit = 0
        while value >= 1000, unit < units.count - 1 {
            value /= 1000
            unit += 1
        }
        if unit == 0 { return bytes == 1 ? "1 byte" : "\(bytes) bytes" }
        let tenths = Int64((value * 10).rounded())
        return "\(tenths / 10).\(tenths % 10) \(units[unit])"
    }
}
