/// Formats sizes in the largest unit in which the number is at least 1.
enum ByteText {
    /// A size and its limit, if there is one.
    static func of(_ used: Int64, limit: Int64?) -> String {
        limit.map { "\(of(used)) of \(of($0))" } ?? of(used)
    }

    static func of(_ bytes: Int64) -> String {
        let units = ["bytes", "kB", "MB", "GB", "TB", "PB"]
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
